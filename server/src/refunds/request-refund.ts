// A merchant requests a refund. First one transaction reserves the amount. After its commit the upstream is called. The
// refund's id is the idempotency key of every call to the upstream, so the refund cannot happen twice.
import type { RefundBody } from '@pazar/contract'
import { lockApiToken } from '../accounts/api-tokens-store.ts'
import { byAccount, recordAudit } from '../accounts/audit.ts'
import { queueMail } from '../accounts/mail/queue-mail.ts'
import type { Caller } from '../accounts/sessions.ts'
import type { CurrencyAndScale } from '../db/installation-store.ts'
import type { Tx } from '../db/pool.ts'
import { requireOpenGate } from '../db/gate-view.ts'
import { newUuidV7, toRefundId } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { toReference } from '../payments/payment.ts'
import type { Payment } from '../payments/payment.ts'
import { findRefundedPayment, lockRefundedPayment } from '../payments/refund-sums-store.ts'
import type { Project } from '../projects/project.ts'
import { requireProject, requireProjectUntilCommit } from '../projects/access.ts'
import { addRefundEvent } from './feed-entry.ts'
import { recordResponse } from './record-report.ts'
import type { Refund } from './refund.ts'
import { findRefundByKey, insertRefund, readSpentToday } from './refunds-store.ts'
import type { RefundRequest } from './refusal.ts'
import { notRefundable, requireAmount, requireSame, requireWithinCap, toDecimals } from './refusal.ts'
import { findRefundApi, sendRefund } from './upstream.ts'

export interface RequestedRefund {
  refund: Refund
  /** False: the same request was made before. */
  isNew: boolean
}

function toRequest({ transactionId, amount, reason, idempotencyKey }: RefundBody): RefundRequest {
  return {
    transactionId,
    amount: amount === undefined ? null : BigInt(amount),
    reason: reason || null,
    idempotencyKey,
  }
}

/**
 * Refuses a refund above the token's daily limit. All sums are converted to the decimals of the payment. The token's first
 * refund of a day causes a mail, so that a stolen token is noticed. Each mode has its own first refund, so a test refund
 * cannot suppress the mail about a live refund.
 */
async function checkToken(
  deps: PaymentDeps,
  tx: Tx,
  { caller, project, money }: Requester,
  payment: Payment,
  amount: bigint,
): Promise<void> {
  const { token } = caller
  if (token === null) return
  const { scale: scaleOfLimit, scaleOfOldPayments } = deps.installation
  const scales = { scale: money.scale, scaleOfOldPayments }
  const { spent, times } = await readSpentToday(tx, token.id, { mode: payment.mode, ...scales })
  const dailyCap = toDecimals(token.dailyCap ?? 0n, scaleOfLimit, money.scale)
  requireWithinCap(amount, dailyCap, spent, money)
  if (times > 0) return
  await queueMail(deps, tx, caller.account, {
    kind: 'refund_token_used',
    client: caller,
    project: project.name,
    projectId: project.id,
    token: token.name,
    transactionId: payment.id,
    mode: payment.mode,
    amount: amount.toString(),
    dailyCap: dailyCap.toString(),
    currency: money.currency,
    scale: money.scale,
    reference: toReference(payment.id),
    // Anybody could have written the order into an unsigned link.
    order: payment.isLinkSigned ? payment.customId : null,
  })
}

interface Requester {
  caller: Caller
  project: Project
  money: CurrencyAndScale
}

/** The reserved amount, its event, the audit entry and the mail are written in one transaction. */
async function reserve(
  deps: PaymentDeps,
  tx: Tx,
  requester: Requester,
  request: RefundRequest,
): Promise<RequestedRefund> {
  const { caller, project, money } = requester
  const { transactionId, idempotencyKey, reason } = request
  await requireOpenGate(tx)
  // Access is checked again, because the person may have been removed, or the token revoked, since the first check.
  // Membership is locked before the token, in the same order as when a member is removed.
  await requireProjectUntilCommit(tx, caller.account.id, project.id, 'money')
  if (caller.token && !(await lockApiToken(tx, caller.token.id))) throw new ServiceError('unauthenticated')
  const locked = await lockRefundedPayment(tx, project.id, transactionId)
  if (!locked) throw new ServiceError('not_found')
  const { payment, sums } = locked
  const existing = await findRefundByKey(tx, project.id, payment.mode, idempotencyKey)
  if (existing) return { refund: requireSame(existing, request), isNew: false }
  const amount = requireAmount(payment, sums, request.amount, money)
  await checkToken(deps, tx, requester, payment, amount)
  const refund = await insertRefund(tx, {
    id: newUuidV7(deps.clock),
    projectId: project.id,
    transactionId,
    mode: payment.mode,
    amount,
    currency: payment.currency,
    scale: payment.scale,
    origin: caller.token ? 'api' : 'portal',
    requestedAmount: request.amount,
    idempotencyKey,
    reason,
    tokenId: caller.token?.id ?? null,
    chargeRef: null,
    upstreamRef: null,
  })
  // Meanwhile a refund of another payment has used the idempotency key.
  if (!refund) throw new ServiceError('idempotency_conflict')
  await addRefundEvent(tx, 'refund.created', refund, sums.refunded)
  await recordAudit(deps, tx, {
    ...byAccount(caller),
    projectId: project.id,
    action: 'refund_requested',
    changes: {
      refundId: toRefundId(refund.id),
      transactionId,
      amount: amount.toString(),
      currency: payment.currency,
      scale: payment.scale,
      reason,
    },
  })
  return { refund, isNew: true }
}

async function sendAndRecord(deps: PaymentDeps, payment: Payment, refund: Refund): Promise<Refund> {
  deps.metrics.countRefundState(refund.mode, refund.state)
  await deps.failpoint('R1')
  const report = await sendRefund(deps, payment, refund)
  await deps.failpoint('R2')
  const recorded = await recordResponse(deps, payment, refund, report)
  await deps.failpoint('R3')
  return recorded
}

export async function requestRefund(
  deps: PaymentDeps,
  caller: Caller,
  body: RefundBody,
  requireStepUp: () => void,
): Promise<RequestedRefund> {
  const project = await requireProject(deps.db, caller.account.id, body.projectId, 'money')
  const found = await findRefundedPayment(deps.db, project.id, body.transactionId)
  if (!found) throw new ServiceError('not_found')
  // A refund token needs no step-up here, because creating it needed one.
  if (caller.token === null) requireStepUp()
  const { payment } = found
  const request = toRequest(body)
  const existing = await findRefundByKey(deps.db, project.id, payment.mode, request.idempotencyKey)
  if (existing) return { refund: requireSame(existing, request), isNew: false }
  const scale = payment.scale ?? deps.installation.scaleOfOldPayments
  const money = { currency: payment.currency, scale }
  requireAmount(payment, found.sums, request.amount, money)
  if (!(await findRefundApi(deps, payment))) throw notRefundable('refund_not_offered')
  await deps.failpoint('R0')
  const requester = { caller, project, money }
  const reserved = await deps.db.transaction((tx) => reserve(deps, tx, requester, request))
  if (!reserved.isNew) return reserved
  return { refund: await sendAndRecord(deps, payment, reserved.refund), isNew: true }
}

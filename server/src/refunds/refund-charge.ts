// An operator refunds one named charge of a payment that is in review or has an open incident. Only a refund of the
// payment's own charge changes the sums of the payment.
import { createHash } from 'node:crypto'
import { recordAudit } from '../accounts/audit.ts'
import { requireOpenGate } from '../db/gate-view.ts'
import type { Dispute } from '../disputes/dispute.ts'
import { listDisputes } from '../disputes/disputes-store.ts'
import { newUuidV7, toRefundId } from '../lib/id.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { hasOpenIncident } from '../payments/incidents-store.ts'
import type { Payment } from '../payments/payment.ts'
import { toRemaining } from '../payments/refundable.ts'
import { lockRefundedPayment } from '../payments/refund-sums-store.ts'
import { listReports } from '../payments/reports-store.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import { addRefundEvent } from './feed-entry.ts'
import { recordResponse } from './record-report.ts'
import type { Refund } from './refund.ts'
import { insertRefund, listRefunds } from './refunds-store.ts'
import { findRefundApi, sendRefund } from './upstream.ts'

export interface NamedCharge {
  chargeId: string
  reason: string
  by: string
}

export type ChargeRefusal = 'not_in_review' | 'unknown_charge' | 'not_offered' | 'nothing_left'

interface ChargeSum {
  amount: bigint
  currency: string
}

/**
 * Null: the upstream has reported no successful charge with this id for the payment. A report with the id of another
 * payment does not count.
 */
async function findCharge(deps: PaymentDeps, payment: Payment, chargeId: string): Promise<ChargeSum | null> {
  const isOwn = payment.upstreamRef === chargeId
  // A succeeded payment was charged exactly its own amount, so reports of another amount do not count.
  if (isOwn && payment.state === 'succeeded') return payment
  const reports = await listReports(deps.db, payment.id)
  const last = reports
    .filter(
      ({ facts }) =>
        facts?.['saidCharge'] === chargeId && facts['said'] === 'succeeded' && facts['saidId'] === payment.id,
    )
    .toSorted((a, b) => a.lastAt.getTime() - b.lastAt.getTime())
    .at(-1)
  const { saidAmount, saidCurrency } = last?.facts ?? {}
  if (saidAmount && saidCurrency) return { amount: BigInt(saidAmount), currency: saidCurrency }
  return isOwn ? payment : null
}

const TAKEN_BACK: readonly (Refund | Dispute)['state'][] = ['processing', 'succeeded', 'open', 'lost']

function toLeftOfOther(
  { amount }: ChargeSum,
  chargeId: string,
  moneyBack: readonly (Refund | Dispute)[],
): bigint {
  return moneyBack
    .filter(({ chargeRef, state }) => chargeRef === chargeId && TAKEN_BACK.includes(state))
    .reduce((left, one) => left - one.amount, amount)
}

/** The beginning of the idempotency keys of all refunds that operators requested for this charge. */
function toKeyStart(chargeId: string): string {
  return `charge ${createHash('sha256').update(chargeId).digest('hex').slice(0, 32)} `
}

async function reserve(
  deps: PaymentDeps,
  payment: Payment,
  charge: ChargeSum,
  { chargeId, reason, by }: NamedCharge,
): Promise<{ refund: Refund; isNew: boolean } | 'nothing_left'> {
  const { projectId, id: transactionId, mode, scale } = payment
  const keyStart = toKeyStart(chargeId)
  return deps.db.transaction(async (tx) => {
    await requireOpenGate(tx)
    const locked = await lockRefundedPayment(tx, projectId, transactionId)
    const all = await listRefunds(tx, projectId, transactionId)
    const ofCharge = all.filter(({ idempotencyKey }) => idempotencyKey?.startsWith(keyStart))
    const existing = ofCharge.find(({ state }) => TAKEN_BACK.includes(state))
    if (existing) return { refund: existing, isNew: false }
    const isOwn = chargeId === payment.upstreamRef
    const left =
      isOwn && locked
        ? toRemaining(payment.amount, locked.sums)
        : toLeftOfOther(charge, chargeId, [...all, ...(await listDisputes(tx, projectId, transactionId))])
    const amount = left < charge.amount ? left : charge.amount
    if (amount <= 0n) return 'nothing_left'
    const refund = await insertRefund(tx, {
      id: newUuidV7(deps.clock),
      projectId,
      transactionId,
      mode,
      amount,
      currency: charge.currency,
      scale,
      origin: 'portal',
      requestedAmount: amount,
      // After a refund that failed or was returned, the next refund needs another key.
      idempotencyKey: `${keyStart}${ofCharge.length}`,
      reason: reason.slice(0, 200),
      tokenId: null,
      chargeRef: isOwn ? null : chargeId,
      upstreamRef: null,
    })
    if (!refund)
      throw new Error(`charge ${chargeId} of transaction ${transactionId} is already being refunded`)
    await addRefundEvent(tx, 'refund.created', refund, locked?.sums.refunded ?? 0n)
    await recordAudit(deps, tx, {
      accountId: await findOwnerId(tx, projectId),
      actor: 'operator',
      client: null,
      action: 'refund_requested',
      projectId,
      changes: {
        refundId: toRefundId(refund.id),
        transactionId,
        amount: amount.toString(),
        currency: charge.currency,
        scale,
        charge: chargeId,
        reason,
        by,
      },
    })
    return { refund, isNew: true }
  })
}

/** A repeated call makes no second refund, unless the first refund failed or its money returned to the merchant. */
export async function refundCharge(
  deps: PaymentDeps,
  payment: Payment,
  named: NamedCharge,
): Promise<Refund | ChargeRefusal> {
  if (!payment.needsReview && !(await hasOpenIncident(deps.db, payment.id))) return 'not_in_review'
  const charge = await findCharge(deps, payment, named.chargeId)
  if (!charge) return 'unknown_charge'
  if (!(await findRefundApi(deps, payment))) return 'not_offered'
  const reserved = await reserve(deps, payment, charge, named)
  if (reserved === 'nothing_left') return reserved
  const { refund, isNew } = reserved
  if (!isNew) return refund
  deps.metrics.countRefundState(refund.mode, refund.state)
  return recordResponse(deps, payment, refund, await sendRefund(deps, payment, refund))
}

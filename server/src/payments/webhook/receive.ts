// Handles a webhook of an upstream. The upstream's backend has already checked the signature and the time. The result
// `forged` means that one of them was missing or wrong.
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type {
  Backend,
  Charge,
  DisputeReport,
  DisputeWebhook,
  RefundReport,
  RefundWebhook,
  WebhookResult,
} from '../../backends/backend.ts'
import { requireOpenGate } from '../../db/gate-view.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { callBackend } from '../call-upstream.ts'
import type { PaymentDeps } from '../deps.ts'
import { raiseIncident } from '../incidents.ts'
import type { Payment } from '../payment.ts'
import { findPayment } from '../payments-store.ts'
import { findPaymentByCharge } from '../refund-sums-store.ts'
import { recordWebhook, toSafeText } from '../record-report.ts'
import type { RefusalCount } from './refusals.ts'
import { reportRefusal } from './refusals.ts'

/** Throws if the webhook is forged or cannot be used. Null: there is no report to record. */
async function requireUsable(
  deps: PaymentDeps,
  refusals: RefusalCount,
  upstream: string,
  result: WebhookResult,
): Promise<Charge | RefundWebhook | DisputeWebhook | null> {
  if (result.kind === 'report') return result.charge
  if (result.kind === 'refund' || result.kind === 'refunds_changed' || result.kind === 'dispute')
    return result
  if (result.kind === 'ignored') return null
  const { reason } = result
  const kind = result.kind === 'forged' ? 'webhook_refused' : 'webhook_unusable'
  await reportRefusal(deps, refusals, { upstream, kind, reason })
  const log = `upstream webhook: ${reason}`
  if (result.kind === 'forged') throw new ServiceError('invalid_hash', { log })
  throw new ServiceError('invalid_request', { fields: [{ path: '', code: 'invalid' }], log })
}

/** Finds the payment only if it belongs to this upstream and account, because a webhook must change no other payment. */
async function findPaymentOfBackend(
  deps: PaymentDeps,
  backend: Backend,
  id: string,
): Promise<Payment | null> {
  const payment = TRANSACTION_ID_PATTERN.test(id) ? await findPayment(deps.db, id) : null
  const isOwn = payment?.backend === backend.name && backend.accounts.includes(payment.upstreamAccount)
  return isOwn ? payment : null
}

export async function findPaymentOf(
  deps: PaymentDeps,
  backend: Backend,
  { paymentId, chargeId }: Pick<RefundReport, 'paymentId' | 'chargeId'>,
): Promise<Payment | null> {
  if (paymentId !== null) return findPaymentOfBackend(deps, backend, paymentId)
  const payment = chargeId === null ? null : await findPaymentByCharge(deps.db, backend.name, chargeId)
  return payment && backend.accounts.includes(payment.upstreamAccount) ? payment : null
}

interface Reported {
  status: string
  amount: bigint
  currency: string
}

/** `reported`: the payment, refund or dispute in the webhook. Null: the caller knows only ids. */
async function raiseUnknown(deps: PaymentDeps, id: string, reported: Reported | null): Promise<void> {
  const subject = toSafeText(id)
  await raiseIncident(deps, {
    kind: 'unknown_payment',
    transactionId: null,
    subject,
    facts: {
      saidId: subject,
      ...(reported && {
        said: reported.status,
        saidAmount: reported.amount.toString(),
        saidCurrency: toSafeText(reported.currency),
      }),
    },
  })
}

async function findPaymentId(deps: PaymentDeps, backend: Backend, chargeId: string): Promise<string | null> {
  try {
    return await callBackend(deps, backend, 'lookup', async (one) => one.findPaymentId?.(chargeId) ?? null)
  } catch (error) {
    // The error makes the upstream send the webhook again.
    throw new ServiceError('unavailable', {
      retryAfterSec: 30,
      log: 'the payment of a charge could not be looked up',
      cause: error,
    })
  }
}

/**
 * Like findPaymentOf, but a charge that is not stored here is looked up at the upstream. A charge may be missing
 * because its own webhook arrives later, or because an operator resolved the payment before the charge was reported.
 */
export async function findPaymentOfWebhook(
  deps: PaymentDeps,
  backend: Backend,
  ids: Pick<RefundReport, 'paymentId' | 'chargeId'>,
): Promise<Payment | null> {
  const { paymentId, chargeId } = ids
  const found = await findPaymentOf(deps, backend, ids)
  if (found || paymentId !== null || chargeId === null || !backend.findPaymentId) return found
  const id = await findPaymentId(deps, backend, chargeId)
  const payment = id === null ? null : await findPaymentOfBackend(deps, backend, id)
  if (id === null || payment) return payment
  // After a restore from a backup, the payment may be missing until it is re-created. While payments are stopped, this
  // throws `unavailable`, so that the upstream sends the webhook again.
  await requireOpenGate(deps.db)
  await raiseUnknown(deps, id, null)
  throw new ServiceError('not_found')
}

/** This folder may not import refunds/ and disputes/, so the app passes their receivers in. */
export interface WebhookReceivers {
  /** False: the report contains an id of a payment, but no payment of this upstream has this id. */
  refund: (backend: Backend, webhook: RefundWebhook) => Promise<boolean>
  /** The result means the same as for refunds. */
  dispute: (backend: Backend, report: DisputeReport) => Promise<boolean>
}

function toReported(webhook: RefundWebhook | DisputeWebhook): {
  paymentId: string | null
  reported: Reported | null
} {
  if (webhook.kind === 'refunds_changed') return { paymentId: webhook.paymentId, reported: null }
  const reported = webhook.kind === 'refund' ? webhook.refund : webhook.dispute
  return { paymentId: reported.paymentId, reported }
}

export async function receiveWebhook(
  deps: PaymentDeps,
  refusals: RefusalCount,
  backend: Backend,
  result: WebhookResult,
  receivers: WebhookReceivers,
): Promise<void> {
  const report = await requireUsable(deps, refusals, backend.name, result)
  if (!report) return
  if ('kind' in report) {
    const isAccepted =
      report.kind === 'dispute'
        ? await receivers.dispute(backend, report.dispute)
        : await receivers.refund(backend, report)
    if (isAccepted) return
    // After a restore, the payment may be missing until it is re-created, so the upstream must send the webhook again.
    await requireOpenGate(deps.db)
    const { paymentId, reported } = toReported(report)
    if (paymentId !== null) await raiseUnknown(deps, paymentId, reported)
    throw new ServiceError('not_found')
  }
  const payment = await findPaymentOfBackend(deps, backend, report.id)
  if (!payment) {
    // After a restore, the payment may be missing until it is re-created, so the upstream must send the webhook again.
    await requireOpenGate(deps.db)
    await raiseUnknown(deps, report.id, report)
    throw new ServiceError('not_found')
  }
  await recordWebhook(deps, payment, report)
}

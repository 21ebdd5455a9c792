// Records refunds that an upstream reports in webhooks and lists. A refund that is found neither by our id nor by the
// upstream's is adopted, or raises an incident if it cannot be adopted.
import type { Backend, RefundReport, RefundWebhook } from '../backends/backend.ts'
import { ServiceError } from '../lib/service-error.ts'
import { callBackend } from '../payments/call-upstream.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { raiseIfExceeded } from '../payments/exceeded.ts'
import { raiseIncident } from '../payments/incidents.ts'
import type { Payment } from '../payments/payment.ts'
import type { WebhookReceivers } from '../payments/webhook/receive.ts'
import { findPaymentOf, findPaymentOfWebhook } from '../payments/webhook/receive.ts'
import { receiveDispute } from '../disputes/receive.ts'
import { adoptRefund } from './adopt.ts'
import { recordRefundReport } from './record-report.ts'
import type { Refund } from './refund.ts'
import { findRefund, findReportedRefund } from './refunds-store.ts'
import { toReportedFacts } from './report-facts.ts'

/**
 * Finds the refund that the report is about. If the upstream made a refund after we had recorded it as failed, a second
 * row records the refund as made. This function then returns the second row.
 */
async function findReported(
  deps: PaymentDeps,
  payment: Payment,
  report: RefundReport,
): Promise<Refund | null> {
  const byId = report.id === null ? null : await findRefund(deps.db, report.id)
  const own = byId?.transactionId === payment.id ? byId : null
  if (own && own.state !== 'failed') return own
  return (await findReportedRefund(deps.db, payment.id, report)) ?? own
}

async function raiseMismatch(deps: PaymentDeps, payment: Payment, report: RefundReport): Promise<void> {
  const facts = { amount: payment.amount.toString(), currency: payment.currency, ...toReportedFacts(report) }
  const incident = { kind: 'refund_mismatch' as const, transactionId: payment.id, subject: payment.id, facts }
  await raiseIncident(deps, incident, { needsReview: true })
}

async function recordOne(
  deps: PaymentDeps,
  payment: Payment,
  report: RefundReport,
  isWebhook: boolean,
): Promise<void> {
  const refund = await findReported(deps, payment, report)
  if (refund) {
    await recordRefundReport(deps, payment, refund, report, { isWebhook })
    if (refund.origin === 'upstream') await raiseIfExceeded(deps, payment)
    return
  }
  const upstreamRef = report.upstreamRef ?? report.id
  // If the report has the id of a refund of another payment, that refund must not change.
  const isOfOtherPayment = report.id !== null && (await findRefund(deps.db, report.id)) !== null
  // Without an id, a repeated report of the same refund could not be recognised.
  const isUsable =
    !isOfOtherPayment && report.currency === payment.currency && report.amount > 0n && upstreamRef !== null
  if (isUsable) await adoptRefund(deps, payment, { ...report, upstreamRef })
  else await raiseMismatch(deps, payment, report)
}

async function listForWebhook(
  deps: PaymentDeps,
  backend: Backend,
  list: () => Promise<RefundReport[]>,
): Promise<RefundReport[]> {
  try {
    return await callBackend(deps, backend, 'lookup', list)
  } catch (error) {
    // The error makes the upstream send the webhook again.
    throw new ServiceError('unavailable', {
      retryAfterSec: 30,
      log: 'the refunds of a payment could not be listed',
      cause: error,
    })
  }
}

/** False: this upstream has no payment of ours with the reported id. */
async function receiveRefund(deps: PaymentDeps, backend: Backend, webhook: RefundWebhook): Promise<boolean> {
  const ids = webhook.kind === 'refund' ? webhook.refund : webhook
  const payment = await findPaymentOfWebhook(deps, backend, ids)
  // Without the id of a payment, the webhook may be about a charge that Pazar did not create, so it is ignored.
  if (!payment) return ids.paymentId === null
  if (webhook.kind === 'refund') {
    await recordOne(deps, payment, webhook.refund, true)
    return true
  }
  const charge = { id: payment.id, chargeId: webhook.chargeId ?? payment.upstreamRef }
  const listRefunds = backend.refunds?.listRefunds
  if (!listRefunds) return true
  const reports = await listForWebhook(deps, backend, () => listRefunds(charge))
  for (const report of reports) await recordOne(deps, payment, report, false)
  return true
}

/** False: this upstream has no payment of ours with the reported id. */
export async function receiveListedRefund(
  deps: PaymentDeps,
  backend: Backend,
  refund: RefundReport,
): Promise<boolean> {
  const { origin } = refund
  if (origin && origin.installationId !== deps.installation.id) return true
  const payment = await findPaymentOf(deps, backend, refund)
  if (!payment) return refund.paymentId === null
  await recordOne(deps, payment, refund, false)
  return true
}

/** The webhook routes are in payments/, which may not import this folder, so the app passes these functions to them. */
export function createRefundAndDisputeReceivers(deps: PaymentDeps): WebhookReceivers {
  return {
    refund: (backend, webhook) => receiveRefund(deps, backend, webhook),
    dispute: (backend, report) => receiveDispute(deps, backend, report, findPaymentOfWebhook),
  }
}

// Reports of upstreams about refunds that arrive as webhooks. A report is matched by our id, then by the upstream's, and only
// then adopted as a refund that was made at the upstream.
import type { Backend, RefundReport, RefundWebhook } from '../backends/backend.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { raiseIfExceeded } from '../payments/exceeded.ts'
import { raiseIncident } from '../payments/incidents.ts'
import type { Payment } from '../payments/payment.ts'
import type { OtherReceivers } from '../payments/webhook/receive.ts'
import { findPaymentOf } from '../payments/webhook/receive.ts'
import { receiveDispute } from '../disputes/receive.ts'
import { adoptRefund } from './adopt.ts'
import { recordRefundReport } from './record-report.ts'
import type { Refund } from './refund.ts'
import { findRefund, findRefundByUpstreamRef } from './refunds-store.ts'
import { toSaid } from './report-facts.ts'

/** A refund that ended as failed and was made after all has a second row, which counts. */
async function match(deps: PaymentDeps, payment: Payment, report: RefundReport): Promise<Refund | null> {
  const byId = report.id === null ? null : await findRefund(deps.db, report.id)
  const own = byId?.transactionId === payment.id ? byId : null
  if (own && own.state !== 'failed') return own
  const named = report.upstreamRef ?? own?.id ?? null
  return (named && (await findRefundByUpstreamRef(deps.db, payment.id, named))) || own
}

async function raiseMismatch(deps: PaymentDeps, payment: Payment, report: RefundReport): Promise<void> {
  const facts = { amount: payment.amount.toString(), currency: payment.currency, ...toSaid(report) }
  const incident = { kind: 'refund_mismatch' as const, transactionId: payment.id, subject: payment.id, facts }
  await raiseIncident(deps, incident, { needsReview: true })
}

async function recordOne(
  deps: PaymentDeps,
  payment: Payment,
  report: RefundReport,
  isWebhook: boolean,
): Promise<void> {
  const refund = await match(deps, payment, report)
  if (refund) {
    await recordRefundReport(deps, payment, refund, report, { isWebhook })
    if (refund.origin === 'upstream') await raiseIfExceeded(deps, payment)
    return
  }
  const upstreamRef = report.upstreamRef ?? report.id
  // Without any id it could not be recognised the next time.
  const isUsable = report.currency === payment.currency && report.amount > 0n && upstreamRef !== null
  if (isUsable) await adoptRefund(deps, payment, { ...report, upstreamRef })
  else await raiseMismatch(deps, payment, report)
}

/** False: the report is about no payment of this upstream. */
async function receiveRefund(deps: PaymentDeps, backend: Backend, webhook: RefundWebhook): Promise<boolean> {
  const about = webhook.kind === 'refund' ? webhook.refund : webhook
  const payment = await findPaymentOf(deps, backend, about)
  // An account at the upstream may also be used for other business, whose charges are not on record.
  if (!payment) return about.paymentId === null
  if (webhook.kind === 'refund') {
    await recordOne(deps, payment, webhook.refund, true)
    return true
  }
  const charge = { id: payment.id, chargeId: webhook.chargeId ?? payment.upstreamRef }
  const reports = (await backend.refunds?.listRefunds?.(charge)) ?? []
  for (const report of reports) await recordOne(deps, payment, report, false)
  return true
}

/** For the routes of upstreams' webhooks, which are below refunds and disputes. */
export function toReceivers(deps: PaymentDeps): OtherReceivers {
  return {
    refund: (backend, webhook) => receiveRefund(deps, backend, webhook),
    dispute: (backend, report) => receiveDispute(deps, backend, report),
  }
}

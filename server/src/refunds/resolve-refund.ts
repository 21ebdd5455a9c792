// An operator ends a refund whose upstream no longer responds. The upstream is asked once more first: only if it gives no
// usable response does the operator's decision count. The end, its callback, the closed incident and the audit entry are
// committed together.
import { recordAudit } from '../accounts/audit.ts'
import { requireOpenGate } from '../db/gate-view.ts'
import type { Tx } from '../db/pool.ts'
import { toRefundId } from '../lib/id.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { readEvidenceIds, toEvidenceCode } from '../payments/evidence.ts'
import { listIncidentsOf } from '../payments/incidents-store.ts'
import { findMissingSetting } from '../payments/missing-upstreams.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/payments-store.ts'
import { findBackend } from '../payments/upstream.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import { endRefund } from './end-refund.ts'
import { recordRefundReport } from './record-report.ts'
import type { Refund } from './refund.ts'
import { findRefund } from './refunds-store.ts'
import { lookUpRefund } from './upstream.ts'

export interface RefundDecision {
  as: 'succeeded' | 'failed'
  reason: string
  by: string
}

/** The failure code of a refund that an operator ended as failed. */
export const RESOLVED_FAILED = 'resolved_failed'

export type RefundRefusal =
  /** The refund has ended with another state. */
  | { kind: 'ended'; refund: Refund }
  /** The service has raised no incident about the refund, so it is still looked up automatically. */
  | { kind: 'not_in_doubt'; refund: Refund }
  /** The upstream is not configured in this process, and the incident does not say that the service lacks it too. */
  | { kind: 'not_configured'; refund: Refund; backend: string; setting: string }
  /** The upstream responds and has not ended the refund, or reports another amount. */
  | { kind: 'responded'; refund: Refund; reported: string }
  /** More was reported, refunded or disputed since the operator looked. */
  | { kind: 'changed'; refund: Refund }

export interface RefundPlan {
  kind: 'resolve'
  refund: Refund
  payment: Payment
  evidenceCode: string
}

/** The refund already has this state. */
type Already = { kind: 'already'; refund: Refund }

export type RefundOutcome =
  | { kind: 'resolved'; refund: Refund }
  /** The upstream has reported the same end just now. */
  | { kind: 'reported'; refund: Refund }
  | Already
  | RefundRefusal

/** Plans a decision. Changes nothing and contacts no upstream. */
export async function planRefundEnd(
  deps: PaymentDeps,
  refund: Refund,
  { as }: Pick<RefundDecision, 'as'>,
): Promise<RefundPlan | Already | RefundRefusal> {
  if (refund.state !== 'processing') return { kind: refund.state === as ? 'already' : 'ended', refund }
  const payment = await findPayment(deps.db, refund.transactionId)
  if (!payment) throw new Error(`the payment of refund ${refund.id} does not exist any more`)
  const incidents = await listIncidentsOf(deps.db, payment.id)
  const doubt = incidents.find(
    ({ kind, subject, closedAt }) =>
      kind === 'refund_unresolved' && subject === refund.id && closedAt === null,
  )
  if (!doubt) return { kind: 'not_in_doubt', refund }
  const { backend } = payment
  if (findBackend(deps.backends, payment) === null && doubt.facts['upstream'] !== 'missing')
    return { kind: 'not_configured', refund, backend, setting: findMissingSetting(deps.backends, backend) }
  const evidenceCode = toEvidenceCode(payment, await readEvidenceIds(deps, deps.db, payment))
  return { kind: 'resolve', refund, payment, evidenceCode }
}

async function audit(
  deps: PaymentDeps,
  tx: Tx,
  refund: Refund,
  { as, reason, by }: RefundDecision,
): Promise<void> {
  const { id, projectId, transactionId, amount, currency, scale } = refund
  const changes = { refundId: toRefundId(id), transactionId, amount: amount.toString(), currency, scale }
  await recordAudit(deps, tx, {
    accountId: await findOwnerId(tx, projectId),
    actor: 'operator',
    client: null,
    action: 'refund_resolved',
    projectId,
    changes: { ...changes, resolution: as, reason, by },
  })
}

/** `evidenceCode`: the code of the plan that the decision is based on. */
export async function resolveRefund(
  deps: PaymentDeps,
  id: string,
  decision: RefundDecision,
  evidenceCode: string,
): Promise<RefundOutcome> {
  await requireOpenGate(deps.db)
  const refund = await findRefund(deps.db, id)
  if (!refund) throw new Error(`refund ${id} does not exist any more`)
  const plan = await planRefundEnd(deps, refund, decision)
  if (plan.kind !== 'resolve') return plan
  if (plan.evidenceCode !== evidenceCode) return { kind: 'changed', refund }
  const ageMs = deps.clock.nowMs() - refund.createdAt.getTime()
  const report = await lookUpRefund(deps, plan.payment, refund, ageMs)
  const recorded = await recordRefundReport(deps, plan.payment, refund, report)
  if (recorded.state !== 'processing')
    return { kind: recorded.state === decision.as ? 'reported' : 'ended', refund: recorded }
  if (typeof report !== 'string') return { kind: 'responded', refund, reported: report.status }
  const failureCode = decision.as === 'failed' ? RESOLVED_FAILED : null
  const end = { state: decision.as, failureCode, upstreamRef: null, changesInMs: null }
  const resolved = await endRefund(deps, recorded, end, (tx) => audit(deps, tx, refund, decision))
  if (resolved) return { kind: 'resolved', refund: resolved }
  const changed = (await findRefund(deps.db, id)) ?? refund
  return { kind: changed.state === decision.as ? 'reported' : 'ended', refund: changed }
}

// An operator ends a refund that the upstream does not end. The refund is looked up first. The decision counts only if
// the upstream gives no usable response, or still reports another amount, currency or payment than was requested.
// One transaction ends the refund, queues its callback, closes its incidents and adds the audit entry. If the operator decides
// that the refund failed, but the upstream refunded another amount, the transaction also stores a refund of that amount (the
// adopted refund).
import { recordAudit } from '../accounts/audit.ts'
import { requireOpenGate } from '../db/gate-view.ts'
import type { Tx } from '../db/pool.ts'
import { toRefundId } from '../lib/id.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { readEvidenceIds, toEvidenceCode } from '../payments/evidence.ts'
import { raiseIfExceeded } from '../payments/exceeded.ts'
import type { IncidentFacts } from '../payments/incidents-store.ts'
import { closeOpenIncident } from '../payments/incidents.ts'
import { listIncidentsOf } from '../payments/incidents-store.ts'
import { findMissingSetting } from '../payments/missing-upstreams.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/payments-store.ts'
import { findBackend } from '../payments/upstream.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import { insertReported } from './adopt.ts'
import { endRefund } from './end-refund.ts'
import { toRefundEvent } from './reactions.ts'
import { recordLastReport } from './record-report.ts'
import type { Refund } from './refund.ts'
import { findRefund } from './refunds-store.ts'
import type { Mismatch } from './mismatch.ts'
import { isSameMismatch, judgeMismatch, readMismatch, toMismatch } from './mismatch.ts'
import { lookUpRefund } from './upstream.ts'

export interface RefundDecision {
  as: 'succeeded' | 'failed'
  reason: string
  by: string
}

const RESOLVED_FAILED = 'resolved_failed'

export type RefundRefusal =
  | { kind: 'ended'; refund: Refund }
  /** The service has raised no incident that allows this decision. The refund is still looked up automatically. */
  | { kind: 'not_in_doubt'; refund: Refund }
  /**
   * The process of the operator's command has no settings for the upstream. The service may still have them, because no
   * open incident says that they are missing.
   */
  | { kind: 'not_configured'; refund: Refund; backend: string; setting: string }
  /** The upstream responds and has not ended the refund. */
  | { kind: 'responded'; refund: Refund; reported: string }
  /** The upstream reports another amount, currency or payment, and the decision does not fit the report. */
  | { kind: 'mismatched'; refund: Refund; mismatch: Mismatch }
  /** More was reported, refunded or disputed since the operator read the plan. */
  | { kind: 'changed'; refund: Refund }

export interface RefundPlan {
  kind: 'resolve'
  refund: Refund
  payment: Payment
  evidenceCode: string
  /** The last report of the upstream that differs from the request. Null: there is none. */
  mismatch: Mismatch | null
  /** There is an open incident `refund_unresolved`, so a decision counts even if the upstream does not respond. */
  isUnresolved: boolean
}

type Already = { kind: 'already'; refund: Refund }

export type RefundOutcome =
  | { kind: 'resolved'; refund: Refund; adopted: Refund | null }
  /** The refund has just ended in the same way without this decision, for example by a report of the upstream. */
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
  const incidents = (await listIncidentsOf(deps.db, payment.id)).filter(
    ({ subject }) => subject === refund.id,
  )
  const unresolved = incidents.find(({ kind, closedAt }) => kind === 'refund_unresolved' && closedAt === null)
  // A closed incident counts too, because a decision about the payment closes the incident even if the refund is open.
  const facts: IncidentFacts | undefined = incidents.find(({ kind }) => kind === 'refund_mismatch')?.facts
  const mismatch = facts ? readMismatch(facts) : null
  if (!unresolved && !mismatch) return { kind: 'not_in_doubt', refund }
  const { backend } = payment
  if (findBackend(deps.backends, payment) === null && unresolved?.facts['upstream'] !== 'missing')
    return { kind: 'not_configured', refund, backend, setting: findMissingSetting(deps.backends, backend) }
  if (mismatch && !unresolved && judgeMismatch(mismatch, refund, as) === 'untrue')
    return { kind: 'mismatched', refund, mismatch }
  const evidenceCode = toEvidenceCode(payment, await readEvidenceIds(deps, deps.db, payment))
  return { kind: 'resolve', refund, payment, evidenceCode, mismatch, isUnresolved: unresolved !== undefined }
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

/** Null: the refund has ended in the meantime. */
async function writeDecision(
  deps: PaymentDeps,
  { payment, refund }: RefundPlan,
  decision: RefundDecision,
  mismatch: Mismatch | null,
): Promise<Extract<RefundOutcome, { kind: 'resolved' }> | null> {
  const isMoved = mismatch !== null && judgeMismatch(mismatch, refund, decision.as) === 'moved'
  const inserted: Refund[] = []
  const failureCode = decision.as === 'failed' ? RESOLVED_FAILED : null
  const end = { state: decision.as, failureCode, upstreamRef: null, changesInMs: null }
  const resolved = await endRefund(deps, refund, end, async (tx) => {
    // The transaction may be repeated after a deadlock.
    inserted.length = 0
    const moved = isMoved ? await insertReported(tx, { payment, refund, mismatch }) : null
    if (moved) inserted.push(moved)
    // This also ends the review of the payment, if the payment has no other open incident.
    await closeOpenIncident(tx, 'refund_mismatch', refund.id)
    await audit(deps, tx, refund, decision)
  })
  if (!resolved) return null
  const [adopted = null] = inserted
  if (!adopted) return { kind: 'resolved', refund: resolved, adopted }
  // If the process is killed here, the lookups end the adopted refund.
  const succeeded = { ...end, state: 'succeeded', failureCode: null } as const
  const ended = await endRefund(deps, adopted, succeeded)
  await raiseIfExceeded(deps, payment)
  return { kind: 'resolved', refund: resolved, adopted: ended ?? adopted }
}

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
  const found = await lookUpRefund(deps, plan.payment, refund, ageMs)
  // If the upstream does not have the refund, the refund is sent again, and the response to that request counts.
  const { refund: recorded, report } = await recordLastReport(deps, plan.payment, refund, found)
  if (recorded.state !== 'processing')
    return { kind: recorded.state === decision.as ? 'reported' : 'ended', refund: recorded }
  let { mismatch } = plan
  if (typeof report === 'string') {
    if (!plan.isUnresolved) return { kind: 'not_in_doubt', refund }
  } else {
    if (toRefundEvent(refund, report) !== 'mismatched')
      return { kind: 'responded', refund, reported: report.status }
    const reported = toMismatch(refund, report)
    if (!mismatch || !isSameMismatch(mismatch, reported)) return { kind: 'changed', refund }
    if (judgeMismatch(reported, refund, decision.as) === 'untrue')
      return { kind: 'mismatched', refund, mismatch: reported }
    mismatch = reported
  }
  const resolved = await writeDecision(deps, { ...plan, refund: recorded }, decision, mismatch)
  if (resolved) return resolved
  const changed = (await findRefund(deps.db, id)) ?? refund
  return { kind: changed.state === decision.as ? 'reported' : 'ended', refund: changed }
}

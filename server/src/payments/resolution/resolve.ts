// An operator resolves a payment, usually one in review or with an open incident. The decision, its callback, the
// closed incidents and the audit entry are one transaction.
import { recordAudit } from '../../accounts/audit.ts'
import { findLastResult, replaceResult, stopResults } from '../../callbacks/outbox-store.ts'
import type { Tx } from '../../db/pool.ts'
import { requireOpenGate } from '../../db/gate-view.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { findOwnerId } from '../../projects/projects-store.ts'
import type { LookupResult } from '../lookup-now.ts'
import { lookUpNow, closeNow } from '../lookup-now.ts'
import type { PaymentDeps } from '../deps.ts'
import { closeIncidentsOf, listOpenIncidentsOf } from '../incidents-store.ts'
import { findMissingSetting } from '../missing-upstreams.ts'
import { listOtherHolders } from './order-holders.ts'
import type { Payment } from '../payment.ts'
import { isFinal, isPaid } from '../payment.ts'
import { findPayment, setNeedsReview } from '../payments-store.ts'
import type { Decision, Notice } from './resolution.ts'
import { isAboutSuccess, isEndedByOperator, judgeDecision, toNotice } from './resolution.ts'
import { lockDecisions, lockPayment, OrderHeldError, writeResolution } from './resolve-store.ts'
import type { EvidenceIds } from '../evidence.ts'
import { hasNewEvidence, readEvidenceIds, toEvidenceCode } from '../evidence.ts'
import { newCallbackId } from '../../lib/id.ts'
import { toFacts } from '../settle.ts'
import { findBackend } from '../upstream.ts'

export type ResolveRefusal =
  | { kind: 'not_in_review'; payment: Payment }
  | { kind: 'order_held'; payment: Payment; holder: Payment | null }
  /** The upstream reports the payment as charged, and there is no doubt about that. */
  | { kind: 'charged'; payment: Payment }
  /** The upstream denies the charge, so the payment can be resolved as paid only with force. */
  | { kind: 'denied'; payment: Payment; reported: string }
  /** Another decision was made at the same time, or new evidence arrived that the decision does not cover. */
  | { kind: 'changed'; payment: Payment; cause: 'decided' | 'reported' }
  /**
   * The payment is open, its upstream is not configured in this process, and the service has not raised an incident
   * about that.
   */
  | { kind: 'not_configured'; payment: Payment; setting: string }

export interface Plan {
  kind: 'resolve'
  payment: Payment
  notice: Notice
  evidenceIds: EvidenceIds
  /** A short code for `evidenceIds` and the payment's state. The operator sends it back with the decision. */
  evidenceCode: string
}

export type ResolvePlan = Plan | Done | ResolveRefusal
type Done =
  /** The same decision was made before, so nothing is left to decide. */
  { kind: 'already'; payment: Payment }

export type ResolveOutcome =
  | { kind: 'resolved'; payment: Payment; callbackId: string | null; lookup: LookupResult | null }
  /** A report ended the payment with the same result, so there was nothing left to decide. */
  | { kind: 'ended'; payment: Payment; lookup: LookupResult | null }
  | Done
  | ResolveRefusal

/** Plans a decision. Changes nothing and contacts no upstream. */
export async function planResolution(
  deps: Pick<PaymentDeps, 'db' | 'backends' | 'erasedOrders' | 'listMoneyBack'>,
  id: string,
  decision: Pick<Decision, 'as' | 'isForced'>,
): Promise<ResolvePlan> {
  const payment = await findPayment(deps.db, id)
  if (!payment) throw new ServiceError('not_found')
  const open = await listOpenIncidentsOf(deps.db, id)
  // This process may lack settings that the service has. An incident `upstream_missing` shows that the service lacks them.
  const isUnreachable = !isFinal(payment.state) && findBackend(deps.backends, payment) === null
  if (isUnreachable && !open.some(({ kind }) => kind === 'upstream_missing'))
    return { kind: 'not_configured', payment, setting: findMissingSetting(deps.backends, payment.backend) }
  const verdict = judgeDecision(payment, open.length > 0, decision)
  if (verdict.kind !== 'resolve') return { kind: verdict.kind, payment }
  const holders = await listOtherHolders(deps, deps.db, payment)
  if (decision.as === 'paid' && holders[0]) return { kind: 'order_held', payment, holder: holders[0] }
  const notice = toNotice(decision.as, await findLastResult(deps.db, id), holders.some(isPaid))
  const evidenceIds = await readEvidenceIds(deps, deps.db, payment)
  return { kind: 'resolve', payment, notice, evidenceIds, evidenceCode: toEvidenceCode(payment, evidenceIds) }
}

async function notify(
  deps: PaymentDeps,
  tx: Tx,
  { payment, checkoutId }: { payment: Payment; checkoutId: string | null },
  as: Decision['as'],
  isOrderPaid: boolean,
): Promise<string | null> {
  const notice = toNotice(as, await findLastResult(tx, payment.id), isOrderPaid)
  if (notice === 'order_paid') await stopResults(tx, payment.id)
  if (notice !== 'send') return null
  const result =
    as === 'paid'
      ? ({ status: 'success', failureCode: null } as const)
      : ({ status: 'fail', failureCode: 'resolved_unpaid' } as const)
  const id = newCallbackId(deps.clock)
  await replaceResult(tx, { id, checkoutId, facts: toFacts(payment, result) })
  return id
}

async function audit(deps: PaymentDeps, tx: Tx, payment: Payment, decision: Decision): Promise<void> {
  const accountId = await findOwnerId(tx, payment.projectId)
  if (accountId === null) return
  const { as, reason, by, isForced = false } = decision
  await recordAudit(deps, tx, {
    accountId,
    actor: 'operator',
    client: null,
    action: 'payment_resolved',
    projectId: payment.projectId,
    changes: { transactionId: payment.id, resolution: as, reason, by, ...(isForced ? { isForced } : {}) },
  })
}

/** Returns the outcome if a report of the upstream leaves nothing to decide or forbids the decision, otherwise null. */
async function judgeEnd(
  tx: Tx,
  planned: Payment,
  current: Payment,
  { as, isForced }: Decision,
): Promise<ResolveOutcome | null> {
  const hasJustEnded = !isFinal(planned.state) && isFinal(current.state)
  if (current.state === 'succeeded' && current.resolution === null) {
    const open = await listOpenIncidentsOf(tx, current.id)
    if (open.some(isAboutSuccess)) return null
    if (as === 'unpaid') return { kind: 'charged', payment: current }
    if (!hasJustEnded) return null
  } else {
    if (!hasJustEnded) return null
    if (as === 'paid') return isForced ? null : { kind: 'denied', payment: current, reported: current.state }
    if (current.needsReview) return null
  }
  await closeIncidentsOf(tx, current.id)
  await setNeedsReview(tx, current.id, false)
  return { kind: 'ended', payment: { ...current, needsReview: false }, lookup: null }
}

/**
 * Looks up an open payment. For a decision as unpaid, also cancels the payment upstream, unless the upstream reports that
 * the payment has ended, or gives no usable response. For a decision as paid, also looks up a payment that an operator ended
 * before. Null: there was no lookup.
 */
async function checkUpstream(
  deps: PaymentDeps,
  payment: Payment,
  as: Decision['as'],
): Promise<LookupResult | null> {
  if (as === 'paid')
    return !isFinal(payment.state) || isEndedByOperator(payment) ? lookUpNow(deps, payment) : null
  return isFinal(payment.state) ? null : closeNow(deps, payment)
}

/**
 * Checks again, under the payment's lock, what a webhook or another operator may have changed: the decision, the evidence,
 * the end of the payment and the other payments of its order. Then writes the decision.
 */
async function writeDecision(
  deps: PaymentDeps,
  tx: Tx,
  plan: Plan,
  decision: Decision,
): Promise<ResolveOutcome> {
  const { payment: planned } = plan
  await lockDecisions(tx, planned.projectId)
  const current = await lockPayment(tx, planned.id)
  if (!current) throw new ServiceError('not_found')
  if (
    current.resolution !== planned.resolution ||
    current.resolvedAt?.getTime() !== planned.resolvedAt?.getTime()
  )
    return current.resolution === decision.as
      ? { kind: 'already', payment: current }
      : { kind: 'changed', payment: current, cause: 'decided' }
  if (hasNewEvidence(plan.evidenceIds, await readEvidenceIds(deps, tx, current)))
    return { kind: 'changed', payment: current, cause: 'reported' }
  const ended = await judgeEnd(tx, planned, current, decision)
  if (ended) return ended
  const holders = await listOtherHolders(deps, tx, current)
  if (decision.as === 'paid' && holders[0])
    return { kind: 'order_held', payment: current, holder: holders[0] }
  const written = await writeResolution(tx, current.id, decision)
  const { payment } = written
  const callbackId = await notify(deps, tx, written, decision.as, holders.some(isPaid))
  await closeIncidentsOf(tx, current.id)
  await audit(deps, tx, payment, decision)
  return { kind: 'resolved', payment, callbackId, lookup: null }
}

/**
 * `evidenceCode`: the code of the plan that the decision is based on. Without the code, the decision covers everything
 * that is known now.
 */
export async function resolvePayment(
  deps: PaymentDeps,
  id: string,
  decision: Decision,
  evidenceCode?: string,
): Promise<ResolveOutcome> {
  await requireOpenGate(deps.db)
  const plan = await planResolution(deps, id, decision)
  if (plan.kind !== 'resolve') return plan
  if (evidenceCode !== undefined && evidenceCode !== plan.evidenceCode)
    return { kind: 'changed', payment: plan.payment, cause: 'reported' }
  const lookup = await checkUpstream(deps, plan.payment, decision.as)
  if (lookup?.isCharged && decision.as === 'unpaid') return { kind: 'charged', payment: lookup.payment }
  const isDenied = lookup?.reported === 'cancelled' || lookup?.reported === 'failed'
  if (lookup && isDenied && decision.as === 'paid' && !decision.isForced)
    return { kind: 'denied', payment: lookup.payment, reported: lookup.reported }
  try {
    const outcome = await deps.db.transaction((tx) => writeDecision(deps, tx, plan, decision))
    if (outcome.kind !== 'resolved' && outcome.kind !== 'ended') return outcome
    deps.wakeDelivery(outcome.payment)
    if (lookup && !isFinal(lookup.payment.state))
      deps.metrics.countEndedPayment(outcome.payment.mode, outcome.payment.state)
    return { ...outcome, lookup }
  } catch (error) {
    if (!(error instanceof OrderHeldError)) throw error
    const [holder = null] = await listOtherHolders(deps, deps.db, plan.payment)
    return { kind: 'order_held', payment: plan.payment, holder }
  }
}

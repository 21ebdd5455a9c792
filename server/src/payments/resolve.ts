// An operator ends what no rule can: a payment in review, or one whose upstream no longer responds. The decision, the
// callback that reports it, the end of its incidents and the audit entry are one commit.
import { recordAudit } from '../accounts/audit.ts'
import { replaceResult } from '../callbacks/outbox-store.ts'
import type { Tx } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import type { Asked } from './ask-upstream.ts'
import { askUpstream, closeUpstream } from './ask-upstream.ts'
import type { PaymentDeps } from './deps.ts'
import { closeIncidentsOf, hasOpenIncident, listIncidentsOf } from './incidents-store.ts'
import type { Payment } from './payment.ts'
import { isFinal } from './payment.ts'
import { findPayment, setNeedsReview } from './payments-store.ts'
import type { Decision } from './resolution.ts'
import { isAboutSuccess, isEndedByPerson, judge } from './resolution.ts'
import { findOtherHolder, lockPayment, OrderHeldError, writeResolution } from './resolve-store.ts'
import { newCallbackId, toFacts } from './settle.ts'
import { findBackend } from './upstream.ts'

export type ResolveRefusal =
  /** Nothing about it is in doubt. */
  | { kind: 'not_in_review'; payment: Payment }
  /** Another payment of the same order is open or counts as paid. */
  | { kind: 'order_held'; payment: Payment; holder: Payment | null }
  /** The upstream reports it charged, and nothing about that is in doubt. */
  | { kind: 'charged'; payment: Payment }
  /** The upstream says that it was not charged, so it counts as paid only by force. */
  | { kind: 'denied'; payment: Payment; said: string }
  /** Somebody else decided otherwise at the same time. */
  | { kind: 'changed'; payment: Payment }

export type ResolvePlan = { kind: 'resolve'; payment: Payment; notifies: boolean } | Done | ResolveRefusal
type Done =
  /** Decided so before, and nothing was reported since. */
  { kind: 'already'; payment: Payment }

export type ResolveOutcome =
  | { kind: 'resolved'; payment: Payment; callbackId: string | null; asked: Asked | null }
  /** Asked once more, the upstream has ended it exactly so: there was nothing left to decide. */
  | { kind: 'ended'; payment: Payment; asked: Asked | null }
  | Done
  | ResolveRefusal

/** What a decision would come to. Changes nothing and asks no upstream. */
export async function planResolution(
  deps: Pick<PaymentDeps, 'db' | 'backends' | 'erasedOrders'>,
  id: string,
  decision: Pick<Decision, 'as' | 'isForced'>,
): Promise<ResolvePlan> {
  const payment = await findPayment(deps.db, id)
  if (!payment) throw new ServiceError('not_found')
  // Nobody is left to ask about an open payment whose upstream is no longer configured.
  const isOrphan = !isFinal(payment.state) && findBackend(deps.backends, payment) === null
  const verdict = judge(payment, isOrphan || (await hasOpenIncident(deps.db, id)), decision)
  if (verdict.kind !== 'resolve') return { kind: verdict.kind, payment }
  const holder = decision.as === 'paid' ? await findHolder(deps, payment) : null
  if (holder) return { kind: 'order_held', payment, holder }
  return { kind: 'resolve', payment, notifies: verdict.notifies }
}

function findHolder(
  deps: Pick<PaymentDeps, 'db' | 'erasedOrders'>,
  payment: Payment,
): Promise<Payment | null> {
  const hash = deps.erasedOrders.toHash(payment.projectId, payment.customId)
  return findOtherHolder(deps.db, payment, hash)
}

async function notify(
  deps: PaymentDeps,
  tx: Tx,
  { payment, checkoutId }: { payment: Payment; checkoutId: string | null },
  as: Decision['as'],
): Promise<string> {
  const result =
    as === 'paid'
      ? ({ status: 'success', failureCode: null } as const)
      : ({ status: 'fail', failureCode: 'resolved_unpaid' } as const)
  const id = newCallbackId(deps)
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

type Plan = Extract<ResolvePlan, { kind: 'resolve' }>

/** What the upstream's own report of the end, which may have come in the meantime, leaves to decide. Null: everything. */
async function judgeEnd(
  tx: Tx,
  known: Payment,
  now: Payment,
  { as, isForced }: Decision,
): Promise<Exclude<ResolveOutcome, { kind: 'order_held' }> | null> {
  const hasJustEnded = !isFinal(known.state) && isFinal(now.state)
  if (now.state === 'succeeded' && now.resolution === null) {
    const open = (await listIncidentsOf(tx, now.id)).filter(({ closedAt }) => closedAt === null)
    if (open.some(isAboutSuccess)) return null
    if (as === 'unpaid') return { kind: 'charged', payment: now }
    if (!hasJustEnded) return null
  } else {
    if (!hasJustEnded) return null
    if (as === 'paid') return isForced ? null : { kind: 'denied', payment: now, said: now.state }
    if (now.needsReview) return null
  }
  await closeIncidentsOf(tx, now.id)
  await setNeedsReview(tx, now.id, false)
  return { kind: 'ended', payment: { ...now, needsReview: false }, asked: null }
}

/** Paid: the upstream is only asked. Unpaid: what it has not charged is closed there too. */
async function consult(deps: PaymentDeps, payment: Payment, as: Decision['as']): Promise<Asked | null> {
  if (as === 'paid')
    return !isFinal(payment.state) || isEndedByPerson(payment) ? askUpstream(deps, payment) : null
  return isFinal(payment.state) ? null : closeUpstream(deps, payment)
}

/** Under the payment's lock everything is judged again: a webhook or another operator may have been quicker. */
async function write(
  deps: PaymentDeps,
  tx: Tx,
  plan: Plan,
  decision: Decision,
): Promise<Exclude<ResolveOutcome, { kind: 'order_held' }>> {
  const { payment: known } = plan
  const now = await lockPayment(tx, known.id)
  if (!now) throw new ServiceError('not_found')
  if (now.resolution !== known.resolution || now.resolvedAt?.getTime() !== known.resolvedAt?.getTime())
    return { kind: now.resolution === decision.as ? 'already' : 'changed', payment: now }
  const ended = await judgeEnd(tx, known, now, decision)
  if (ended) return ended
  const written = await writeResolution(tx, now.id, decision)
  const { payment } = written
  const callbackId = plan.notifies ? await notify(deps, tx, written, decision.as) : null
  await closeIncidentsOf(tx, now.id)
  await audit(deps, tx, payment, decision)
  return { kind: 'resolved', payment, callbackId, asked: null }
}

export async function resolvePayment(
  deps: PaymentDeps,
  id: string,
  decision: Decision,
): Promise<ResolveOutcome> {
  const plan = await planResolution(deps, id, decision)
  if (plan.kind !== 'resolve') return plan
  const asked = await consult(deps, plan.payment, decision.as)
  if (asked?.isCharged && decision.as === 'unpaid') return { kind: 'charged', payment: asked.payment }
  const isDenied = asked?.said === 'cancelled' || asked?.said === 'failed'
  if (asked && isDenied && decision.as === 'paid' && !decision.isForced)
    return { kind: 'denied', payment: asked.payment, said: asked.said }
  try {
    const outcome = await deps.db.transaction((tx) => write(deps, tx, plan, decision))
    if (outcome.kind !== 'resolved' && outcome.kind !== 'ended') return outcome
    deps.wakeDelivery()
    if (asked && !isFinal(asked.payment.state))
      deps.metrics.paymentEnded(outcome.payment.mode, outcome.payment.state)
    return { ...outcome, asked }
  } catch (error) {
    if (!(error instanceof OrderHeldError)) throw error
    return { kind: 'order_held', payment: plan.payment, holder: await findHolder(deps, plan.payment) }
  }
}

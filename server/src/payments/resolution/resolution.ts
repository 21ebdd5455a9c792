// An operator's decision is stored beside the state and determines whether the payment counts as paid. An ended payment
// keeps its state, and an open payment ends as `failed`.
import type { Resolution } from '@pazar/contract'
import type { IncidentFacts } from '../incidents-store.ts'
import type { Payment } from '../payment.ts'
import { isFinal, isPaid } from '../payment.ts'

export interface Decision {
  as: Resolution
  reason: string
  by: string
  /** Resolves as paid although the upstream denies the charge. */
  isForced?: boolean
}

/** The check constraints of the two columns (reason and name) have the same limits. */
export const REASON_MAX = 500
export const BY_MAX = 80

export type Verdict =
  | { kind: 'resolve' }
  /** The same decision was made before, so nothing is left to decide. */
  | { kind: 'already' }
  | { kind: 'not_in_review' }

export function judgeDecision(
  payment: Pick<Payment, 'state' | 'needsReview' | 'resolution'>,
  hasOpenIncident: boolean,
  { as, isForced = false }: Pick<Decision, 'as' | 'isForced'>,
): Verdict {
  const isInDoubt = payment.needsReview || hasOpenIncident
  if (payment.resolution === as) return { kind: isInDoubt ? 'resolve' : 'already' }
  // A wrong decision can be corrected.
  if (isInDoubt || payment.resolution !== null) return { kind: 'resolve' }
  // A forced decision needs no review: an earlier run without --force may have recorded the upstream's denial of the
  // charge, which ended the review.
  if (isForced && as === 'paid' && isFinal(payment.state) && !isPaid(payment)) return { kind: 'resolve' }
  return { kind: 'not_in_review' }
}

export type Result = 'success' | 'fail'

export const toResult = (resolution: Resolution): Result => (resolution === 'paid' ? 'success' : 'fail')

export type Notice =
  | 'send'
  /** This result was already sent or is queued, and a second callback could look like a second sale. */
  | 'sent_or_queued'
  /** Another payment has paid the order, so no failure may be sent. */
  | 'order_paid'

/** Whether the merchant gets a callback. `lastResult`: the last result of this payment that was sent or is queued. */
export function toNotice(resolution: Resolution, lastResult: Result | null, isOrderPaid: boolean): Notice {
  if (toResult(resolution) === lastResult) return 'sent_or_queued'
  return resolution === 'unpaid' && isOrderPaid ? 'order_paid' : 'send'
}

/**
 * Whether an incident puts a payment's success in doubt. `facts.state` is the payment's state when the incident was
 * raised. Most incidents from before the success do not put it in doubt, because the upstream reported the matching charge
 * after them.
 */
export function isAboutSuccess({ kind, facts }: { kind: string; facts: IncidentFacts }): boolean {
  return kind === 'charged_twice' || kind === 'contradiction' || facts['state'] === 'succeeded'
}

/**
 * The failure code of an open payment that an operator ends. Its state becomes `failed` even if it is resolved as paid,
 * because only the upstream's report makes a payment `succeeded`.
 */
export function toFailureCode(resolution: Resolution): string {
  return `resolved_${resolution}`
}

/** Whether an operator ended the payment, not a report of the upstream. */
export function isEndedByOperator({ failureCode }: Pick<Payment, 'failureCode'>): boolean {
  return failureCode === toFailureCode('paid') || failureCode === toFailureCode('unpaid')
}

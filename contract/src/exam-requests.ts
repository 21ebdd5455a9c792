// The requests of the exam. This file imports no schemas, because the portal loads it.
import type { CallbackEventName } from './projects.ts'

/** The exam sends these to every project. `repeated` and `late_fail` have the customId of `good`. */
const PAYMENT_REQUESTS = [
  'good',
  'repeated',
  'late_fail',
  'failure',
  'unknown_field',
  'large_data',
  'bad_signature',
  'missing_signature',
  'live_label',
  'changed_amount',
  'stale_timestamp',
] as const

/** The exam sends each of these only to a project that receives the event. */
const EVENT_REQUESTS = {
  refund: 'refund.result',
  refund_first: 'refund.result',
  forged_refund: 'refund.result',
  dispute_opened: 'dispute.opened',
  forged_dispute: 'dispute.opened',
  dispute_closed: 'dispute.closed',
} as const satisfies Record<string, CallbackEventName>

type EventRequestName = keyof typeof EVENT_REQUESTS
export type ExamRequestName = (typeof PAYMENT_REQUESTS)[number] | EventRequestName

/** In the order in which the exam sends them. */
export const EXAM_REQUESTS: readonly ExamRequestName[] = [
  ...PAYMENT_REQUESTS,
  ...(Object.keys(EVENT_REQUESTS) as EventRequestName[]),
]

export function toExamEvent(name: ExamRequestName): CallbackEventName {
  return name in EVENT_REQUESTS ? EVENT_REQUESTS[name as EventRequestName] : 'payment.result'
}

export function toExamRequests(events: readonly CallbackEventName[]): ExamRequestName[] {
  return EXAM_REQUESTS.filter((name) => events.includes(toExamEvent(name)))
}

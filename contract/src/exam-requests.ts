// The requests of the exam, and which of them a project is sent. The file has no schemas, because the portal loads it
// too.
import type { CallbackEventName } from './projects.ts'

/**
 * Requests about payments, which every project is sent. The second and third are for the same customId as the first.
 */
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

/** Each of these is sent only to a project that receives the event. */
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

/** One request each, in the order of sending. */
export const EXAM_REQUESTS: readonly ExamRequestName[] = [
  ...PAYMENT_REQUESTS,
  ...(Object.keys(EVENT_REQUESTS) as EventRequestName[]),
]

export function toExamEvent(name: ExamRequestName): CallbackEventName {
  return name in EVENT_REQUESTS ? EVENT_REQUESTS[name as EventRequestName] : 'payment.result'
}

/**
 * The requests for a project that receives these events. A project that receives only results of payments is sent only the
 * requests about payments.
 */
export function toExamRequests(events: readonly CallbackEventName[]): ExamRequestName[] {
  return EXAM_REQUESTS.filter((name) => events.includes(toExamEvent(name)))
}

// The facts of a callback as stored, and as signed. Those of other events than payment.result are stored under a mode that
// no secret has: a process of the release before these events would sign them as a payment, and refuses to because of it.
import type { CallbackEventName, Mode } from '@pazar/contract'
import type { CallbackFacts, DisputeFacts, RefundFacts } from '@pazar/sdk'

export type EventFacts = CallbackFacts | RefundFacts | DisputeFacts
/**
 * The decimals are for people who read the log; the merchant gets the amount in the smallest unit. The trace of the request
 * that caused the callback is sent as a header. Neither is in the body.
 */
interface ForTheLog {
  amountScale?: number | null
  traceparent?: string
}
export type StoredPaymentFacts = CallbackFacts & ForTheLog
export type StoredFacts = StoredPaymentFacts | ((RefundFacts | DisputeFacts) & ForTheLog)

export function toPayload(facts: StoredFacts): object {
  return 'status' in facts ? facts : { ...facts, mode: 'other_event' }
}

export function findStoredTrace(facts: EventFacts): string | null {
  return 'traceparent' in facts && typeof facts.traceparent === 'string' ? facts.traceparent : null
}

export function toFacts<Facts extends EventFacts>(row: {
  event: CallbackEventName
  mode: Mode
  payload: Facts
}): Facts {
  return row.event === 'payment.result' ? row.payload : { ...row.payload, mode: row.mode }
}

// The facts of a callback, as stored and as signed. Facts of a refund or dispute are stored with a mode that no secret
// has. Otherwise an older release, which does not know these events, would sign them as payments.
import type { CallbackEventName, Mode } from '@pazar/contract'
import type { CallbackFacts, DisputeFacts, RefundFacts } from '@pazar/sdk'

export type EventFacts = CallbackFacts | RefundFacts | DisputeFacts
/**
 * These are not in the body. `amountScale` is for people who read the log, and attempts continue the trace in `traceparent`.
 */
interface ExtraFacts {
  amountScale?: number | null
  traceparent?: string
}
export type StoredPaymentFacts = CallbackFacts & ExtraFacts
export type StoredFacts = StoredPaymentFacts | ((RefundFacts | DisputeFacts) & ExtraFacts)

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

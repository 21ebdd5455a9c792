// The facts of a callback, as stored and as signed. Facts of a refund or dispute are stored with the mode `other_event`,
// for which no secret exists. Otherwise an older release, which does not know these events, would sign them as payments.
import type { CallbackEventName, Mode } from '@pazar/contract'
import type { CallbackFacts, DisputeFacts, RefundFacts } from '@pazar/sdk'

export type EventFacts = CallbackFacts | RefundFacts | DisputeFacts
/**
 * Stored with a callback, but not part of its body. `amountScale`: the decimals of the amount, for the callback log.
 * `traceparent`: the trace that each attempt continues.
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

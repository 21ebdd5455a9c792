// The exam's requests as data: one valid callback and how each scenario differs from it. The requests are about the events
// that the project receives. Each could come from the service, or from somebody who does not have the secret.
import type { CallbackEventName, ExamRequestName } from '@pazar/contract'
import { DATA_MAX_BYTES, EXAM_AMOUNT, toExamEvent } from '@pazar/contract'
import type { CallbackFacts } from '@pazar/sdk'

export interface Scenario {
  name: ExamRequestName
  expects: 'accepted' | 'refused'
  /** Scenarios with the same value are about the same order. */
  order: ExamRequestName
  /** How the facts differ from those of a success with the right amount. */
  facts?: Partial<CallbackFacts>
  /** Further fields of the body, which are signed too. */
  extra?: Readonly<Record<string, string | { points: number }>>
  /** The request has the webhook id and the transaction of this other request. */
  repeats?: ExamRequestName
  /** The request has the transaction of this other request, but its own webhook id. */
  about?: ExamRequestName
  /** How the merchant's server should report the order afterwards, if it reports it at all. */
  leavesOrder?: 'paid' | 'unpaid'
  signedBy?: 'stranger' | 'nobody'
  /** How long ago the request was signed. */
  ageSec?: number
}

/** The longest data that a link can have, with several scripts, quotes and line breaks. */
export function makeLongData(): string {
  const piece = 'Šećer „kafa“ & čaj <1 kg> "ž" \\ Ђ 茶 ☕\n'
  const bytes = Buffer.from(piece.repeat(Math.ceil(DATA_MAX_BYTES / Buffer.byteLength(piece))))
  // A character that was cut at the end becomes a replacement character; it is replaced by dots.
  const text = bytes
    .subarray(0, DATA_MAX_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
  return text + '.'.repeat(DATA_MAX_BYTES - Buffer.byteLength(text))
}

const FAILED_PAYMENT = { status: 'fail', failureCode: 'declined' } as const
/** Far more than the five minutes that merchants allow, even with a wrong clock. */
const STALE_SEC = 3600
/** The amount that somebody has lowered in an unsigned link. */
const LOWERED_AMOUNT = String(Number(EXAM_AMOUNT) / 100)
/** A refund of a part of the amount, after which the order stays paid. */
const PARTIAL_REFUND = { amount: String(Number(EXAM_AMOUNT) / 3) }

export const SCENARIOS: readonly Scenario[] = [
  // Signed a second earlier than `repeated`, because a retry is signed again and has another time and signature.
  { name: 'good', expects: 'accepted', order: 'good', ageSec: 1 },
  { name: 'repeated', expects: 'accepted', order: 'good', repeats: 'good' },
  { name: 'late_fail', expects: 'accepted', order: 'good', facts: FAILED_PAYMENT, leavesOrder: 'paid' },
  { name: 'failure', expects: 'accepted', order: 'failure', facts: FAILED_PAYMENT },
  {
    name: 'unknown_field',
    expects: 'accepted',
    order: 'unknown_field',
    extra: { note: 'a field of tomorrow', loyalty: { points: 15 } },
  },
  { name: 'large_data', expects: 'accepted', order: 'large_data', facts: { data: makeLongData() } },
  { name: 'bad_signature', expects: 'refused', order: 'bad_signature', signedBy: 'stranger' },
  { name: 'missing_signature', expects: 'refused', order: 'missing_signature', signedBy: 'nobody' },
  // The order is one that the merchant's server has already seen and that is not paid. A server could refuse a new order
  // because it is unknown, even if it did not check the mode.
  { name: 'live_label', expects: 'refused', order: 'failure', facts: { mode: 'live' } },
  {
    name: 'changed_amount',
    expects: 'refused',
    order: 'changed_amount',
    facts: { amount: LOWERED_AMOUNT },
  },
  { name: 'stale_timestamp', expects: 'refused', order: 'stale_timestamp', ageSec: STALE_SEC },
  {
    name: 'refund',
    expects: 'accepted',
    order: 'good',
    about: 'good',
    facts: PARTIAL_REFUND,
    leavesOrder: 'paid',
  },
  // Callbacks arrive in no fixed order. The callback about the payment may have been lost, and is then sent again later.
  { name: 'refund_first', expects: 'accepted', order: 'refund_first', leavesOrder: 'unpaid' },
  { name: 'forged_refund', expects: 'refused', order: 'good', about: 'good', signedBy: 'stranger' },
  { name: 'dispute_opened', expects: 'accepted', order: 'good', about: 'good' },
  { name: 'forged_dispute', expects: 'refused', order: 'good', about: 'good', signedBy: 'stranger' },
  { name: 'dispute_closed', expects: 'accepted', order: 'good', about: 'good' },
]

/** The scenarios of these events. A server that was written only for payments is sent no others. */
export function toScenarios(events: readonly CallbackEventName[]): Scenario[] {
  return SCENARIOS.filter(({ name }) => events.includes(toExamEvent(name)))
}

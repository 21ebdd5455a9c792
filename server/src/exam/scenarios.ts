// The exam's requests as data: one valid callback, and how each scenario differs from it.
import type { CallbackEventName, ExamRequestName } from '@pazar/contract'
import { DATA_MAX_BYTES, EXAM_AMOUNT, toExamEvent } from '@pazar/contract'
import type { CallbackFacts } from '@pazar/sdk'

export interface Scenario {
  name: ExamRequestName
  expects: 'accepted' | 'refused'
  /** Scenarios with the same value are about the same order. */
  order: ExamRequestName
  facts?: Partial<CallbackFacts>
  extra?: Readonly<Record<string, string | { points: number }>>
  /** The earlier request whose webhook id, transaction id and dispute id this request has too. */
  repeats?: ExamRequestName
  /** The earlier request whose transaction id and dispute id this request has too. The webhook id is new. */
  about?: ExamRequestName
  /** How the merchant's server should report the order afterwards, if the server reports orders. */
  leavesOrder?: 'paid' | 'unpaid'
  signedBy?: 'stranger' | 'nobody'
  ageSec?: number
}

export function makeLongData(): string {
  const piece = 'Šećer „kafa“ & čaj <1 kg> "ž" \\ Ђ 茶 ☕\n'
  const bytes = Buffer.from(piece.repeat(Math.ceil(DATA_MAX_BYTES / Buffer.byteLength(piece))))
  // Dots replace a character that was cut at the end.
  const text = bytes
    .subarray(0, DATA_MAX_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
  return text + '.'.repeat(DATA_MAX_BYTES - Buffer.byteLength(text))
}

const FAILED_PAYMENT = { status: 'fail', failureCode: 'declined' } as const
/** Merchants allow five minutes. This is far more, so a clock that is somewhat wrong makes no difference. */
const STALE_SEC = 3600
/** The amount after somebody lowered it in an unsigned link. */
const LOWERED_AMOUNT = String(Number(EXAM_AMOUNT) / 100)
const PARTIAL_REFUND = { amount: String(Number(EXAM_AMOUNT) / 3) }

export const SCENARIOS: readonly Scenario[] = [
  // A real retry is signed again at a later time, so `good` is signed a second earlier than `repeated`.
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
  // The merchant's server has already seen this order. A server could refuse an unknown order just because the order is
  // unknown, and would then pass without checking the mode.
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
  // Callbacks arrive in no fixed order, so a refund may arrive before its payment.
  { name: 'refund_first', expects: 'accepted', order: 'refund_first', leavesOrder: 'unpaid' },
  { name: 'forged_refund', expects: 'refused', order: 'good', about: 'good', signedBy: 'stranger' },
  { name: 'dispute_opened', expects: 'accepted', order: 'good', about: 'good' },
  { name: 'forged_dispute', expects: 'refused', order: 'good', about: 'good', signedBy: 'stranger' },
  { name: 'dispute_closed', expects: 'accepted', order: 'good', about: 'good' },
]

export function toScenarios(events: readonly CallbackEventName[]): Scenario[] {
  return SCENARIOS.filter(({ name }) => events.includes(toExamEvent(name)))
}

// What the exam sends, as data: one right callback and what each scenario makes of it. A shop sees eleven requests that
// the service could have sent, or that somebody who knows no secret could have sent.
import type { ExamRequestName } from '@pazar/contract'
import { DATA_MAX_BYTES, EXAM_AMOUNT } from '@pazar/contract'
import type { CallbackFacts } from '@pazar/sdk'

export interface Scenario {
  name: ExamRequestName
  expects: 'accepted' | 'refused'
  /** Orders are told apart by this; scenarios that share one follow each other on it. */
  order: ExamRequestName
  /** How the facts differ from those of a success over the right amount. */
  facts?: Partial<CallbackFacts>
  /** Fields that the body has beside the facts, signed like these. */
  extra?: Readonly<Record<string, string | { points: number }>>
  /** Sent under the id and for the transaction of this one. */
  repeats?: ExamRequestName
  signedBy?: 'stranger' | 'nobody'
  /** How long ago it was signed. */
  ageSec?: number
}

/** Several scripts, quotes and line breaks: whatever a link can carry, to the last byte. */
export function makeLongData(): string {
  const piece = 'Šećer „kafa“ & čaj <1 kg> "ž" \\ Ђ 茶 ☕\n'
  const bytes = Buffer.from(piece.repeat(Math.ceil(DATA_MAX_BYTES / Buffer.byteLength(piece))))
  // What was cut in two at the end has become a replacement character, and makes room for what is still missing.
  const whole = bytes
    .subarray(0, DATA_MAX_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
  return whole + '.'.repeat(DATA_MAX_BYTES - Buffer.byteLength(whole))
}

const FAILED = { status: 'fail', failureCode: 'declined' } as const
/** Well beyond the five minutes that a shop may allow, also with a clock that is off. */
const STALE_SEC = 3600
/** What somebody who edited an unsigned link would rather pay. */
const LOWERED_AMOUNT = String(Number(EXAM_AMOUNT) / 100)

export const SCENARIOS: readonly Scenario[] = [
  // A retry is signed anew, so it has another time and signature than the first try.
  { name: 'good', expects: 'accepted', order: 'good', ageSec: 1 },
  { name: 'repeated', expects: 'accepted', order: 'good', repeats: 'good' },
  { name: 'late_fail', expects: 'accepted', order: 'good', facts: FAILED },
  { name: 'failure', expects: 'accepted', order: 'failure', facts: FAILED },
  {
    name: 'unknown_field',
    expects: 'accepted',
    order: 'unknown_field',
    extra: { note: 'a field of tomorrow', loyalty: { points: 15 } },
  },
  { name: 'large_data', expects: 'accepted', order: 'large_data', facts: { data: makeLongData() } },
  { name: 'bad_signature', expects: 'refused', order: 'bad_signature', signedBy: 'stranger' },
  { name: 'missing_signature', expects: 'refused', order: 'missing_signature', signedBy: 'nobody' },
  { name: 'live_label', expects: 'refused', order: 'live_label', facts: { mode: 'live' } },
  {
    name: 'changed_amount',
    expects: 'refused',
    order: 'changed_amount',
    facts: { amount: LOWERED_AMOUNT },
  },
  { name: 'stale_timestamp', expects: 'refused', order: 'stale_timestamp', ageSec: STALE_SEC },
]

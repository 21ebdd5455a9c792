// What a list of payments is narrowed to. Pure: texts of the wire become the values that the stores compare with.
import { DATA_MAX_BYTES, TOTAL_COUNTED_MAX, TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Mode, TransactionFilters } from '@pazar/contract'
import { toInstant } from '../lib/clock.ts'
import type { ErasedOrders } from './erasure/erased-orders.ts'
import type { PaymentState } from './payment.ts'

export interface ListFilter {
  /** Already known to be the asker's own; nothing below checks again. */
  projectIds: readonly string[]
  modes: readonly Mode[]
  state: PaymentState | null
  customId: string | null
  /** What the customId was in each project once its text is erased; none where nothing ever was. */
  customIdHashes: readonly Buffer[]
  from: Date | null
  to: Date | null
  search: Search | null
}

/** All texts that begin alike lie together in an index ordered by bytes: from `start` on and before `end`. */
export interface PrefixRange {
  start: string
  end: string
}

export interface Search {
  /** As asked. */
  text: string
  customId: PrefixRange
  /** Over the part of data that is indexed; a longer question is compared with the whole. */
  data: PrefixRange
  transactionId: string | null
  reference: string | null
}

/** As many characters of data as the index holds; its migration names the same number. */
export const DATA_INDEXED_CHARS = 64

/** One more than is ever told, to know whether there are more. */
export const COUNT_MAX = TOTAL_COUNTED_MAX + 1

const CODE_POINT_MAX = 0x10ffff
const LAST_CHARACTER = String.fromCodePoint(CODE_POINT_MAX)

function toNextCodePoint(point: number): number {
  // The halves of surrogate pairs are no characters, and UTF-8 cannot write them.
  return point === 0xd7ff ? 0xe000 : point + 1
}

/** Bytewise order of UTF-8 is the order of code points, so the end is the prefix with its last character raised. */
export function toPrefixRange(prefix: string): PrefixRange {
  const points = Array.from(prefix, (char) => char.codePointAt(0)!)
  const last = points.findLastIndex((point) => point < CODE_POINT_MAX)
  // Nothing but the very last character there is: the end is more of the same than any stored text can hold.
  if (last < 0) return { start: prefix, end: LAST_CHARACTER.repeat(DATA_MAX_BYTES) }
  const end = [...points.slice(0, last), toNextCodePoint(points[last]!)]
  return { start: prefix, end: String.fromCodePoint(...end) }
}

/** The ten digits behind a payer's reference, however it was typed. */
export function parseReference(text: string): string | null {
  const parts = /^([0-9a-f]{5})[ -]?([0-9a-f]{5})$/i.exec(text.trim())
  return parts ? `${parts[1]}${parts[2]}`.toLowerCase() : null
}

export function toSearch(text: string): Search {
  const id = text.trim().toLowerCase()
  return {
    text,
    customId: toPrefixRange(text),
    data: toPrefixRange([...text].slice(0, DATA_INDEXED_CHARS).join('')),
    transactionId: TRANSACTION_ID_PATTERN.test(id) ? id : null,
    reference: parseReference(text),
  }
}

/** No text lies between one and the same with the first character behind it: a customId has no control characters. */
export function toExactSearch(text: string): Search {
  const none = { start: '', end: '' }
  return { ...toSearch(text), customId: { start: text, end: `${text}\u0001` }, data: none }
}

export function toListFilter(
  projectIds: readonly string[],
  filters: TransactionFilters,
  toHash: ErasedOrders['toHash'] = () => null,
): ListFilter {
  const { mode, state, customId, q, from, to } = filters
  return {
    projectIds,
    modes: mode ? [mode] : ['live', 'test'],
    state: state ?? null,
    customId: customId ?? null,
    customIdHashes: projectIds.flatMap((id) => toHash(id, customId ?? null) ?? []),
    from: from === undefined ? null : toInstant(from),
    to: to === undefined ? null : toInstant(to),
    search: q === undefined ? null : toSearch(q),
  }
}

import { DATA_MAX_BYTES, TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Mode, TransactionFilters } from '@pazar/contract'
import { toInstant } from '../../lib/clock.ts'
import type { ErasedOrders } from '../erasure/erased-orders.ts'
import type { PaymentState } from '../payment.ts'

export interface ListFilter {
  /** The caller has checked that the person may read these projects. The stores do not check this. */
  projectIds: readonly string[]
  modes: readonly Mode[]
  state: PaymentState | null
  customId: string | null
  /** The hash of `customId` in each project, for payments whose customId is erased. */
  customIdHashes: readonly Buffer[]
  from: Date | null
  to: Date | null
  completedFrom: Date | null
  completedTo: Date | null
  /** Null: payments with and without refunds. */
  refunded: boolean | null
  disputed: boolean | null
  needsReview: boolean | null
  search: Search | null
  isOldestFirst: boolean
}

/** In an index ordered by bytes, all texts with a prefix are between `start` (inclusive) and `end` (exclusive). */
export interface PrefixRange {
  start: string
  end: string
}

export interface Search {
  text: string
  customId: PrefixRange
  /**
   * The range for the beginning of `data`, which is in the index. The search text may be longer than this beginning, so it
   * is also compared with the whole `data`.
   */
  data: PrefixRange
  transactionId: string | null
  reference: string | null
}

/** How many characters of data are in the index. The migration that creates the index has the same number. */
export const DATA_INDEXED_CHARS = 64

const CODE_POINT_MAX = 0x10ffff
const LAST_CHARACTER = String.fromCodePoint(CODE_POINT_MAX)

function toNextCodePoint(point: number): number {
  // Lone surrogates cannot be written in UTF-8.
  return point === 0xd7ff ? 0xe000 : point + 1
}

/**
 * UTF-8 bytes sort by code point. So the end is made from the prefix: its last character below U+10FFFF is incremented,
 * and the characters after this one are removed.
 */
export function toPrefixRange(prefix: string): PrefixRange {
  const codePoints = Array.from(prefix, (char) => char.codePointAt(0)!)
  const last = codePoints.findLastIndex((point) => point < CODE_POINT_MAX)
  // The prefix has only U+10FFFF, which has no successor. The end is a run of U+10FFFF that is longer than any stored
  // text.
  if (last < 0) return { start: prefix, end: LAST_CHARACTER.repeat(DATA_MAX_BYTES) }
  const end = [...codePoints.slice(0, last), toNextCodePoint(codePoints[last]!)]
  return { start: prefix, end: String.fromCodePoint(...end) }
}

/** Returns the ten hex digits of a reference that is typed in a usual form. Null: the text is no reference. */
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

/**
 * Matches a customId only as a whole, and does not search data. A customId has no control characters, so only `text` itself
 * is in the range.
 */
export function toExactSearch(text: string): Search {
  const noRange = { start: '', end: '' }
  return { ...toSearch(text), customId: { start: text, end: `${text}\u0001` }, data: noRange }
}

export function toIdSearch(transactionId: string): Search {
  const noRange = { start: '', end: '' }
  return { text: '', customId: noRange, data: noRange, transactionId, reference: null }
}

export function toListFilter(
  projectIds: readonly string[],
  filters: TransactionFilters,
  toHash: ErasedOrders['toHash'] = () => null,
): ListFilter {
  const { mode, state, customId, q } = filters
  const toTime = (text: string | undefined) => (text === undefined ? null : toInstant(text))
  return {
    projectIds,
    modes: mode ? [mode] : ['live', 'test'],
    state: state ?? null,
    customId: customId ?? null,
    customIdHashes: projectIds.flatMap((id) => toHash(id, customId ?? null) ?? []),
    from: toTime(filters.from),
    to: toTime(filters.to),
    completedFrom: toTime(filters.completedFrom),
    completedTo: toTime(filters.completedTo),
    refunded: filters.refunded ?? null,
    disputed: filters.disputed ?? null,
    needsReview: filters.needsReview ?? null,
    search: q === undefined ? null : toSearch(q),
    isOldestFirst: filters.order === 'oldest',
  }
}

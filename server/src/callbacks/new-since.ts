// PostgreSQL keeps deleted rows of `new_callbacks` while an old snapshot is open, for example during a long dump. A fetch
// that reads all new callbacks of a lane (a project in one mode) reads these rows first. So most fetches read only from
// shortly before the oldest new callback that the previous fetch found.
import { toDate } from '../lib/clock.ts'

/** The time of a callback is the start of its transaction. The database cancels a statement after 5 s, so few take longer. */
const MARGIN_MS = 5_000
/**
 * Callbacks can be stored with an earlier time, for example after the database's clock was turned back. This is how long they
 * wait at most.
 */
export const READ_ALL_EVERY_MS = 5_000

export interface NewSince {
  /** The fetch reads no new callbacks from before this time. Null: it reads all. */
  newSince: Date | null
  /** When all new callbacks were last read. */
  readAllAtMs: number
}

export const READ_ALL: NewSince = { newSince: null, readAllAtMs: -Infinity }

export function toNewSince(last: NewSince, nowMs: number): Date | null {
  return nowMs - last.readAllAtMs < READ_ALL_EVERY_MS ? last.newSince : null
}

/** After a fetch that read from `newSince` and found these times of new callbacks. */
export function updateNewSince(
  last: NewSince,
  { newSince, found }: { newSince: Date | null; found: readonly Date[] },
  nowMs: number,
): NewSince {
  const oldestMs = Math.min(...found.map((at) => at.getTime()))
  return {
    newSince: found.length > 0 ? toDate(oldestMs - MARGIN_MS) : last.newSince,
    readAllAtMs: newSince === null ? nowMs : last.readAllAtMs,
  }
}

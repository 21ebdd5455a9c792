// PostgreSQL keeps deleted rows of `new_callbacks` while an old snapshot is open, for example during a long dump. A fetch
// of all new callbacks of a lane (a project in one mode) has to read these rows too. So most fetches leave out old rows:
// they begin shortly before the oldest new callback that an earlier fetch found.
import { toDate } from '../lib/clock.ts'

/**
 * How long before the oldest found callback the next fetch begins. The time of a callback is the start of its transaction,
 * so a callback that becomes visible later can have an earlier time. Few transactions last longer than 5 s, because the
 * database cancels a statement after 5 s.
 */
const MARGIN_MS = 5_000
/**
 * A callback can be stored with an earlier time than older callbacks, for example after the database's clock was turned back.
 * Such a callback may wait this long, until a fetch reads all new callbacks.
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

/** Called after a fetch: `newSince` is where it began, and `found` has the times of the new callbacks that it found. */
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

// When a callback is tried again. Live results are tried for about three days; test ones only long enough to watch.
import type { Mode } from '@pazar/contract'

const SECOND = 1
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const SCHEDULE_SEC: Readonly<Record<Mode, readonly number[]>> = {
  live: [5, 30, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  test: [5, 30, 5 * MINUTE],
}

/** Spread, so that the shops that failed together do not all come back in the same second. */
const JITTER = 0.2

/** Seconds until the next try after `attempt` tries, or null when that was the last. `random` is in [0, 1). */
export function nextDelaySec(mode: Mode, attempt: number, random: number): number | null {
  const planned = SCHEDULE_SEC[mode][attempt - 1]
  return planned === undefined ? null : planned * (1 - JITTER + 2 * JITTER * random)
}

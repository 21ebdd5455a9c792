// Waits for a condition, not for a fixed time. If the condition never becomes true, the test fails after a time limit.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Most steps take less time, even on a busy machine. Callers with longer steps pass their own limit. */
const GIVE_UP_AFTER_MS = 30_000
/** The first pauses are short, because most waits are short. Later pauses are longer, to save CPU time. */
const POLL_MIN_MS = 10
const POLL_MAX_MS = 50
/** A pause lasts this share of the time waited so far. The share is small, so no test takes noticeably longer. */
const POLL_SHARE = 0.1

export async function until<T>(
  read: () => T | Promise<T>,
  what: string = read.toString(),
  giveUpAfterMs = GIVE_UP_AFTER_MS,
): Promise<Exclude<T, false | null | undefined>> {
  const start = performance.now()
  for (;;) {
    const found = await read()
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<T, false | null | undefined>
    const waitedMs = performance.now() - start
    if (waitedMs > giveUpAfterMs) assert.fail(`This never came true: ${what}`)
    await sleep(Math.min(POLL_MAX_MS, Math.max(POLL_MIN_MS, waitedMs * POLL_SHARE)))
  }
}

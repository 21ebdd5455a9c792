// Waits for a condition, not for a fixed time. The limit only makes a test fail instead of hanging.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than any step takes, even on a busy machine. */
const GIVE_UP_AFTER_MS = 30_000
const POLL_EVERY_MS = 10

/** Resolves with the first value that is neither false nor null nor undefined. */
export async function until<T>(
  read: () => T | Promise<T>,
  what: string = read.toString(),
  giveUpAfterMs = GIVE_UP_AFTER_MS,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + giveUpAfterMs
  for (;;) {
    const found = await read()
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<T, false | null | undefined>
    if (performance.now() > deadline) assert.fail(`This never came true: ${what}`)
    await sleep(POLL_EVERY_MS)
  }
}

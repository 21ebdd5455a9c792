// Test files that run in one process share what is slow to start: a service, a browser. It is closed after the last of
// them, or after the file if it runs alone.
import { after } from 'node:test'

type Close = () => Promise<unknown>

let isGroup = false
const closers: Close[] = []
const shared = new Map<string, Promise<unknown>>()

/** Called by the process of a group before its first file. */
export function beginGroup(): void {
  isGroup = true
}

/** Closes everything; what was started last is closed first. */
export async function endGroup(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close()
}

/** Starts `key` for the first file that needs it. All files of the process get the same. */
export function shareInGroup<T>(
  key: string,
  start: (onEnd: (close: Close) => void) => Promise<T>,
): Promise<T> {
  const started = shared.get(key) as Promise<T> | undefined
  if (started) return started
  const starting = start((close) => {
    if (!isGroup && closers.length === 0) after(endGroup)
    closers.push(close)
  })
  shared.set(key, starting)
  return starting
}

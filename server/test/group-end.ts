// Several test files run as a group in one process and share what is slow to start, such as a browser. What they share is
// closed after the last file of the group.
import { after } from 'node:test'

type Close = () => Promise<unknown>

let isGroup = false
const closers: Close[] = []
const shared = new Map<string, Promise<unknown>>()

/** Call it before the first file of the group. */
export function beginGroup(): void {
  isGroup = true
}

export const isInGroup = () => isGroup

export async function endGroup(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close()
}

/** Calls `start` only for the first file that needs `key`. The other files get the same result. */
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

// A group is several test files that run in one process. They share what is slow to start, such as a service or a browser.
// Everything that they share is closed after the last file. If a file runs alone, everything that it started is closed after
// that file.
import { after } from 'node:test'

type Close = () => Promise<unknown>

let isGroup = false
const closers: Close[] = []
const shared = new Map<string, Promise<unknown>>()

/** Call it before the first file of a group. */
export function beginGroup(): void {
  isGroup = true
}

export const isInGroup = () => isGroup

/** Closes everything in the reverse order of its start. */
export async function endGroup(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close()
}

/** Calls `start` for the first file that needs `key`. The other files of the process get the same result. */
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

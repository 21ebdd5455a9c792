// Limits how many connections are used at the same time. Further callers wait, the oldest first.
export interface Slot {
  taken: Promise<void>
  /** Rejects `taken` if the slot was not taken yet. */
  cancel(error: Error): void
}

export interface Slots {
  take(): Slot
  free(): void
  countWaiting(): number
}

export function createSlots(max: number): Slots {
  let taken = 0
  const waiting = new Set<() => void>()

  return {
    take() {
      if (taken < max) {
        taken += 1
        return { taken: Promise.resolve(), cancel: () => undefined }
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.add(resolve)
      return {
        taken: promise,
        cancel(error) {
          if (waiting.delete(resolve)) reject(error)
        },
      }
    },
    free() {
      const [next] = waiting
      if (next === undefined) {
        taken -= 1
        return
      }
      waiting.delete(next)
      next()
    },
    countWaiting: () => waiting.size,
  }
}

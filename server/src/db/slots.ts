// Limits how many connections are used at the same time. Further callers wait, the oldest first.
export interface Slot {
  taken: Promise<void>
  /** Gives the slot back and waits for another one. The caller is served before callers that came later. */
  retake(): Promise<void>
  /** If the caller still waits, the wait ends, and its promise is rejected with `error`. */
  cancel(error: Error): void
}

export interface Slots {
  take(): Slot
  free(): void
  /** Slots above the new limit stay taken until they are freed. */
  setMax(max: number): void
  countWaiting(): number
}

interface Waiting {
  nth: number
  resolve: () => void
}

export function createSlots(initialMax: number): Slots {
  let max = initialMax
  let taken = 0
  let callers = 0
  const waiting: Waiting[] = []

  function serve(): void {
    while (taken < max && waiting.length > 0) {
      taken += 1
      waiting.shift()!.resolve()
    }
  }

  function free(): void {
    taken -= 1
    serve()
  }

  return {
    take() {
      callers += 1
      const nth = callers
      let cancelWait: (error: Error) => void = () => undefined

      function wait(): Promise<void> {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        const caller = { nth, resolve }
        const place = waiting.findLastIndex((other) => other.nth < nth) + 1
        waiting.splice(place, 0, caller)
        cancelWait = (error) => {
          const index = waiting.indexOf(caller)
          if (index < 0) return
          waiting.splice(index, 1)
          reject(error)
        }
        serve()
        return promise
      }

      return {
        taken: wait(),
        retake() {
          const taken = wait()
          free()
          return taken
        },
        cancel: (error) => cancelWait(error),
      }
    },
    free,
    setMax(newMax) {
      max = newMax
      serve()
    },
    countWaiting: () => waiting.length,
  }
}

import { useEffect, useState } from 'react'
import { toWaitMs } from '../api/api-error.ts'

const MINUTE_MS = 60_000

/** How long a refusal still holds. Drawn anew as each minute ends: often enough to read, seldom enough to be read out. */
export function useWaitMs(error: unknown): number {
  const [minutes, setMinutes] = useState(0)
  const waitMs = toWaitMs(error)
  useEffect(() => {
    const leftMs = toWaitMs(error)
    if (leftMs === 0) return
    const timer = setTimeout(() => setMinutes(minutes + 1), leftMs % MINUTE_MS || MINUTE_MS)
    return () => clearTimeout(timer)
  }, [error, minutes])
  return waitMs
}

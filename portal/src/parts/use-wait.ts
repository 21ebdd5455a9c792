import { useEffect, useState } from 'react'
import { toWaitMs } from '../api/api-error.ts'

const MINUTE_MS = 60_000

/**
 * How long the user must wait before the request that failed with `error` can be repeated. 0: no wait. The value is updated
 * once a minute, so that screen readers do not announce it too often.
 */
export function useWaitMs(error: unknown): number {
  const [updates, setUpdates] = useState(0)
  const waitMs = toWaitMs(error)
  useEffect(() => {
    const leftMs = toWaitMs(error)
    if (leftMs === 0) return
    const timer = setTimeout(() => setUpdates(updates + 1), leftMs % MINUTE_MS || MINUTE_MS)
    return () => clearTimeout(timer)
  }, [error, updates])
  return waitMs
}

import { useState } from 'react'
import { DismissedError } from '../api/api-error.ts'

export interface Action<A extends unknown[]> {
  run: (...args: A) => Promise<void>
  busy: boolean
  /** Also null if the user dismissed a dialog. */
  error: unknown
}

/** Runs the action of a button, one run at a time. */
export function useAction<A extends unknown[]>(act: (...args: A) => Promise<void>): Action<A> {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function run(...args: A): Promise<void> {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await act(...args)
    } catch (thrown) {
      if (!(thrown instanceof DismissedError)) setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return { run, busy, error }
}

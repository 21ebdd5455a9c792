import { useEffect, useState } from 'react'

/** Long enough to continue typing, and short enough to feel immediate. */
const TYPING_PAUSE_MS = 300

/** The value as it was at the last pause in typing. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const valueText = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
    // The value is compared by its text, because every render makes a new object.
  }, [valueText])
  return settled
}

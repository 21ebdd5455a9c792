import { useEffect, useState } from 'react'

const TYPING_PAUSE_MS = 300

/** The value at the last pause in typing. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const valueText = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
    // Every render may make a new object, so the value is compared by its text.
  }, [valueText])
  return settled
}

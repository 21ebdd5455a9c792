// What is typed, once its writer pauses.
import { useEffect, useState } from 'react'

/** Long enough to type on, short enough to feel live. */
const TYPING_PAUSE_MS = 300

export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const written = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
    // By its text: the object is made anew at every render.
  }, [written])
  return settled
}

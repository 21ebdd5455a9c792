// Unsent form input, which survives a reload for a new version or another language. It never contains passwords or
// secrets.
import { useEffect, useRef, useState } from 'react'
import { createStoredText } from './stored-text.ts'

const stored = createStoredText('sessionStorage', 'pazar-drafts')
export type Draft = Readonly<Record<string, string | boolean>>

const current = new Map<string, Draft>()
const restored = takeStored()

function takeStored(): Map<string, Draft> {
  const text = stored.read()
  stored.write(null)
  return new Map(text === null ? [] : (JSON.parse(text) as [string, Draft][]))
}

let leavingAllowed = false

/** After this call, the browser does not ask before the page is left. */
export function allowLeaving(): void {
  leavingAllowed = true
}

export function isLeavingAllowed(): boolean {
  return leavingAllowed
}

export function saveDraftsForReload(): void {
  allowLeaving()
  if (current.size > 0) stored.write(JSON.stringify([...current]))
}

export interface DraftState<T extends Draft> {
  values: T
  set: (change: Partial<T>) => void
  /** Call this after the draft was sent or undone. The form shows `shown` and all input that was typed during the request. */
  resetTo: (shown: T) => void
  /** Fields that were not edited here take the new saved values. */
  follow: (oldSaved: T, newSaved: T) => void
}

export function useDraft<T extends Draft>(key: string, initial: T): DraftState<T> {
  // The stored draft is deleted in the effect, because React may discard a render.
  const [values, setValues] = useState<T>(() => ({ ...initial, ...restored.get(key) }))
  // Text that is typed during a request must stay after the response.
  const edits = useRef<Draft>({})
  const editsBefore = edits.current
  useEffect(() => {
    const draft = restored.get(key)
    if (draft) current.set(key, draft)
    // A reload must not restore the input of an earlier visit, because the form no longer shows that input.
    else current.delete(key)
    restored.delete(key)
  }, [key])
  useEffect(() => {
    if (current.has(key)) current.set(key, values)
  }, [key, values])
  return {
    values,
    set(change) {
      const next = { ...values, ...change }
      edits.current = { ...edits.current, ...change }
      current.set(key, next)
      setValues(next)
    },
    resetTo(shown) {
      const newer = Object.entries(edits.current).filter(([name, value]) => editsBefore[name] !== value)
      const next = { ...shown, ...Object.fromEntries(newer) }
      if (newer.length === 0) current.delete(key)
      else current.set(key, next)
      setValues(next)
    },
    follow(oldSaved, newSaved) {
      const edited = Object.entries(values).filter(([name, value]) => oldSaved[name] !== value)
      setValues({ ...newSaved, ...Object.fromEntries(edited) })
    },
  }
}

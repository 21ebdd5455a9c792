// Unsent form input, which survives a reload for a new version or another language. It never contains passwords or secrets.
// It is kept in memory, and in session storage only during such a reload.
import { useEffect, useState } from 'react'

const STORAGE_KEY = 'pazar-drafts'
export type Draft = Readonly<Record<string, string | boolean>>

const current = new Map<string, Draft>()
const restored = takeStored()

function takeStored(): Map<string, Draft> {
  const text = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  return new Map(text === null ? [] : (JSON.parse(text) as [string, Draft][]))
}

let leavingAllowed = false

/** The input is saved or dropped on purpose, so the browser need not ask before the page is left. */
export function allowLeaving(): void {
  leavingAllowed = true
}

export function isLeavingAllowed(): boolean {
  return leavingAllowed
}

export function saveDraftsForReload(): void {
  allowLeaving()
  if (current.size > 0) sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...current]))
}

export interface DraftState<T extends Draft> {
  values: T
  set: (change: Partial<T>) => void
  /** The draft is no longer needed, because it was sent or undone. The form then shows these values. */
  resetTo: (shown: T) => void
  /** The saved values were changed elsewhere. Fields that were not edited here take the new values. */
  follow: (oldSaved: T, newSaved: T) => void
}

export function useDraft<T extends Draft>(key: string, initial: T): DraftState<T> {
  // The draft is read here and deleted in the effect, because React may discard a render.
  const [values, setValues] = useState<T>(() => ({ ...initial, ...restored.get(key) }))
  useEffect(() => {
    const draft = restored.get(key)
    if (draft) current.set(key, draft)
    // Input of an earlier visit is no longer shown, so a reload must not bring it back.
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
      current.set(key, next)
      setValues(next)
    },
    resetTo(shown) {
      current.delete(key)
      setValues(shown)
    },
    follow(oldSaved, newSaved) {
      const edited = Object.entries(values).filter(([name, value]) => oldSaved[name] !== value)
      setValues({ ...newSaved, ...Object.fromEntries(edited) })
    },
  }
}

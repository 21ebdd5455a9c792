// What is typed into forms and not yet sent, so that it survives a reload that nobody asked for (a new version, another
// language). Passwords and secrets never come here. Kept in memory, and written down only for the one reload.
import { useEffect, useState } from 'react'

const STORAGE_KEY = 'pazar-drafts'
type Draft = Readonly<Record<string, string | boolean>>

const current = new Map<string, Draft>()
const kept = takeKept()

function takeKept(): Map<string, Draft> {
  const text = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  return new Map(text === null ? [] : (JSON.parse(text) as [string, Draft][]))
}

let isUnasked = false

/** What is typed is either kept or wilfully dropped: the browser need not ask whether the page may be left. */
export function leaveUnasked(): void {
  isUnasked = true
}

export function isLeftUnasked(): boolean {
  return isUnasked
}

export function keepDraftsForReload(): void {
  leaveUnasked()
  if (current.size > 0) sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...current]))
}

export interface DraftState<T extends Draft> {
  values: T
  set: (change: Partial<T>) => void
  /** After saving: these values are now the ones to start from. */
  done: (saved: T) => void
  /** What is saved was changed elsewhere: fields that were not touched here go along. */
  follow: (before: T, now: T) => void
}

export function useDraft<T extends Draft>(key: string, initial: T): DraftState<T> {
  // Read without taking: a render may be thrown away, and only what is really shown may use a draft up.
  const [values, setValues] = useState<T>(() => ({ ...initial, ...kept.get(key) }))
  useEffect(() => {
    const draft = kept.get(key)
    if (draft) current.set(key, draft)
    // What was typed here on an earlier visit is no longer shown, so a reload must not bring it back.
    else current.delete(key)
    kept.delete(key)
  }, [key])
  return {
    values,
    set(change) {
      const next = { ...values, ...change }
      current.set(key, next)
      setValues(next)
    },
    done(saved) {
      current.delete(key)
      setValues(saved)
    },
    follow(before, now) {
      const touched = Object.entries(values).filter(([name, value]) => before[name] !== value)
      const next = { ...now, ...Object.fromEntries(touched) }
      if (current.has(key)) current.set(key, next)
      setValues(next)
    },
  }
}

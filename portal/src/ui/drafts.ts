// Unsent form input. It survives a reload that loads a new version of the portal or another language. It never contains
// passwords or secrets.
import { useEffect, useRef, useState } from 'react'
import { createStoredText } from './stored-text.ts'

const stored = createStoredText('sessionStorage', 'pazar-drafts')
export type Draft = Readonly<Record<string, string | boolean>>

/** Contains only edited fields. After a reload, every other field shows its current saved value. */
const current = new Map<string, Draft>()
const restored = takeStored()

function takeStored(): Map<string, Draft> {
  const text = stored.read()
  stored.write(null)
  return new Map(text === null ? [] : (JSON.parse(text) as [string, Draft][]))
}

function setCurrent(key: string, edited: Draft): void {
  if (Object.keys(edited).length === 0) current.delete(key)
  else current.set(key, edited)
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
  /** Fields that the user has not edited take the new saved values. */
  follow: (oldSaved: T, newSaved: T) => void
}

export function useDraft<T extends Draft>(key: string, initial: T): DraftState<T> {
  // The stored draft is deleted in the effect, because React may discard a render.
  const [values, setValues] = useState<T>(() => ({ ...initial, ...restored.get(key) }))
  // Text that is typed during a request must stay after the response.
  const edits = useRef<Draft>({})
  const editsBefore = edits.current
  useEffect(() => {
    // Replaces the input of an earlier visit, because the form no longer shows that input.
    setCurrent(key, restored.get(key) ?? {})
    restored.delete(key)
  }, [key])
  useEffect(() => {
    const edited = current.get(key) ?? {}
    // A field that has its initial value again no longer counts as edited.
    const isEdited = ([name, value]: [string, unknown]) =>
      Object.hasOwn(edited, name) && value !== initial[name]
    setCurrent(key, Object.fromEntries(Object.entries(values).filter(isEdited)))
  })
  return {
    values,
    set(change) {
      const next = { ...values, ...change }
      edits.current = { ...edits.current, ...change }
      current.set(key, { ...current.get(key), ...change })
      setValues(next)
    },
    resetTo(shown) {
      const newer = Object.fromEntries(
        Object.entries(edits.current).filter(([name, value]) => editsBefore[name] !== value),
      )
      setCurrent(key, newer)
      setValues({ ...shown, ...newer })
    },
    follow(oldSaved, newSaved) {
      const edited = Object.entries(values).filter(([name, value]) => oldSaved[name] !== value)
      setValues({ ...newSaved, ...Object.fromEntries(edited) })
    },
  }
}

import { useState } from 'react'
import { useDraft } from '../../ui/drafts.ts'
import type { Draft, DraftState } from '../../ui/drafts.ts'

/**
 * A field that was not edited here takes the value that another tab or user has saved. Otherwise, saving this form would
 * undo the change of the other tab or user.
 */
export function useSavedDraft<T extends Draft>(key: string, saved: T): DraftState<T> {
  const draft = useDraft(key, saved)
  const [lastSaved, setLastSaved] = useState(saved)
  if (Object.keys(saved).some((field) => lastSaved[field] !== saved[field])) {
    setLastSaved(saved)
    draft.follow(lastSaved, saved)
  }
  return draft
}

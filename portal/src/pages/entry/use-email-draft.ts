import { useDraft } from '../../app/drafts.ts'

/** One for all doors: whoever goes from signing in to a forgotten password means the same address. */
export function useEmailDraft() {
  return useDraft('entry-email', { email: '' })
}

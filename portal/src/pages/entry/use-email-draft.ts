import { useDraft } from '../../ui/drafts.ts'

/** Shared by sign-in, sign-up and the forgotten password: people mean the same email on each. */
export function useEmailDraft() {
  return useDraft('entry-email', { email: '' })
}

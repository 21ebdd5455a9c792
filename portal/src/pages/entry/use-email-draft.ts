import { useDraft } from '../../ui/drafts.ts'

let suggested = ''

/** For the next form: the address that an invitation was sent to. */
export function suggestEmail(email: string): void {
  suggested = email
}

/** Shared by sign-in, sign-up and the forgotten password: people mean the same email on each. */
export function useEmailDraft() {
  return useDraft('entry-email', { email: suggested })
}

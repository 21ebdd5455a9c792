import { useDraft } from '../../ui/drafts.ts'

let suggestedEmail = ''

export function suggestEmail(email: string): void {
  suggestedEmail = email
}

/** Shared by sign-in, sign-up and a forgotten password, because people enter the same email. */
export function useEmailDraft() {
  return useDraft('entry-email', { email: suggestedEmail })
}

import { useDraft } from '../../ui/drafts.ts'

let suggestedEmail = ''

/** Fills in the address of the next form. Used for the address that an invitation was sent to. */
export function suggestEmail(email: string): void {
  suggestedEmail = email
}

/** Shared by the forms of sign-in, sign-up and a forgotten password, because people enter the same email in each. */
export function useEmailDraft() {
  return useDraft('entry-email', { email: suggestedEmail })
}

import { useDraft } from '../../ui/drafts.ts'

let suggestedEmail = ''

export function suggestEmail(email: string): void {
  suggestedEmail = email
}

/** Sign-in, sign-up and the page for a forgotten password share the draft, because people enter the same email there. */
export function useEmailDraft() {
  return useDraft('entry-email', { email: suggestedEmail })
}

// The token of an invitation. The tab stores the token, because a sign-in opens other pages, and their addresses must not
// contain the token.
import { createStoredText } from '../../ui/stored-text.ts'

export const invitationToken = createStoredText('sessionStorage', 'invitation')

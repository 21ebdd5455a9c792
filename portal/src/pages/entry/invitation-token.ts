// The token of an invitation. It is stored in this tab, because a sign-in opens other pages, and no address may contain
// the token.
import { createStoredText } from '../../ui/stored-text.ts'

export const invitationToken = createStoredText('sessionStorage', 'invitation')

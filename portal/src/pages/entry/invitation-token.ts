// The token of an invitation. Stored in this tab, because a sign-in opens other pages, and no address may contain it.
import { createStoredText } from '../../ui/stored-text.ts'

export const invitationToken = createStoredText('sessionStorage', 'invitation')

// The token of an invitation, in this tab alone, until it is accepted: signing in opens other pages, and no address may
// contain the token.
const STORED = 'invitation'

export const invitationToken = {
  read: () => sessionStorage.getItem(STORED),
  store: (token: string) => sessionStorage.setItem(STORED, token),
  drop: () => sessionStorage.removeItem(STORED),
}

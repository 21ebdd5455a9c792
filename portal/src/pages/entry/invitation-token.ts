// The token of an invitation, stored in this tab. A sign-in opens other pages, and no address may contain the token.
const STORAGE_KEY = 'invitation'

export const invitationToken = {
  read: () => sessionStorage.getItem(STORAGE_KEY),
  store: (token: string) => sessionStorage.setItem(STORAGE_KEY, token),
  drop: () => sessionStorage.removeItem(STORAGE_KEY),
}

// The token of an invitation. Stored in this tab, because a sign-in opens other pages, and no address may contain it.
const STORAGE_KEY = 'invitation'

export const invitationToken = {
  read: () => sessionStorage.getItem(STORAGE_KEY),
  store: (token: string) => sessionStorage.setItem(STORAGE_KEY, token),
  drop: () => sessionStorage.removeItem(STORAGE_KEY),
}

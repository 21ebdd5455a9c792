// The Authorization header of a program, and the format of the API token in it.

/** Lets people, and programs that search for leaked credentials, recognise a token. */
export const API_TOKEN_PREFIX = 'pat_'

const BEARER = /^Bearer +(\S+) *$/i
const API_TOKEN = new RegExp(`^${API_TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`)

/** The bearer token, whether this service issued it or not; null with another scheme or without the header. */
export function findBearer(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null
}

/** Avoids a query for text that cannot be an API token. */
export function isApiToken(text: string): boolean {
  return API_TOKEN.test(text)
}

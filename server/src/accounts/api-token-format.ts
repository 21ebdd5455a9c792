// The Authorization header of a program, and the shape of an API token in it.

/** Says to people, and to programs that search for leaked keys, what it is. */
export const API_TOKEN_PREFIX = 'pat_'

const BEARER = /^Bearer +(\S+) *$/i
const API_TOKEN = new RegExp(`^${API_TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`)

/** Any bearer token, ours or not; null with another scheme or none. */
export function findBearer(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null
}

/** Saves a query for text that cannot be one of our tokens. */
export function isApiToken(text: string): boolean {
  return API_TOKEN.test(text)
}

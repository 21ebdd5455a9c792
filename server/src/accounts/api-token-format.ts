/** Lets people and secret scanners recognise a token. */
export const API_TOKEN_PREFIX = 'pat_'

const BEARER = /^Bearer +(\S+) *$/i
const API_TOKEN = new RegExp(`^${API_TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`)

export function findBearer(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null
}

/** Avoids a query for text that cannot be an API token. */
export function isApiToken(text: string): boolean {
  return API_TOKEN.test(text)
}

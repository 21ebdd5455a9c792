// The visitor's language: the one chosen on the page, then the one chosen earlier, then the browser's.
import type { IncomingMessage } from 'node:http'
import { negotiateLocale, parseLocale } from '@pazar/words'
import type { Locale } from '@pazar/words'

// The name is not plain "lang". Cookies are shared between ports, and on localhost Pazar already has a cookie of that name.
const COOKIE = 'shop-lang'
const COOKIE_AGE_SEC = 365 * 24 * 60 * 60

export function findLocale(request: IncomingMessage, url: URL): Locale {
  return negotiateLocale({
    query: url.searchParams.get('lang'),
    cookie: new RegExp(`(?:^|; )${COOKIE}=([a-z]+)`).exec(request.headers.cookie ?? '')?.[1],
    acceptLanguage: request.headers['accept-language'],
  })
}

/** The header that stores a new choice. Empty if there is none. */
export function toLanguageCookie(url: URL): Record<string, string> {
  const chosen = parseLocale(url.searchParams.get('lang') ?? '')
  if (chosen === null) return {}
  return { 'set-cookie': `${COOKIE}=${chosen}; Path=/; Max-Age=${COOKIE_AGE_SEC}; HttpOnly; SameSite=Lax` }
}

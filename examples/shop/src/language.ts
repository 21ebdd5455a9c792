// The visitor's language: from the URL, else from the cookie, else from the browser.
import type { IncomingMessage } from 'node:http'
import { negotiateLocale, parseLocale } from '@pazar/words'
import type { Locale } from '@pazar/words'

// Not "lang": cookies are shared between ports, and Pazar on localhost has a cookie "lang".
const COOKIE = 'shop-lang'
const COOKIE_AGE_SEC = 365 * 24 * 60 * 60

export function findLocale(request: IncomingMessage, url: URL): Locale {
  return negotiateLocale({
    query: url.searchParams.get('lang'),
    cookie: new RegExp(`(?:^|; )${COOKIE}=([a-z]+)`).exec(request.headers.cookie ?? '')?.[1],
    acceptLanguage: request.headers['accept-language'],
  })
}

export function toLanguageCookie(url: URL): Record<string, string> {
  const chosen = parseLocale(url.searchParams.get('lang') ?? '')
  if (chosen === null) return {}
  return { 'set-cookie': `${COOKIE}=${chosen}; Path=/; Max-Age=${COOKIE_AGE_SEC}; HttpOnly; SameSite=Lax` }
}

// Collects what a request says about its language. `negotiateLocale` (words/src/locale.ts) then chooses the language of the
// response. A route guard that knows the account adds the account's language.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { negotiateLocale, parseLocale } from '@pazar/words'
import type { Locale } from '@pazar/words'

declare module 'fastify' {
  interface FastifyRequest {
    accountLocale: Locale | null
  }
}

function findPathLocale(url: string): string | null {
  const segment = /^\/(cnr|en)(?:[/?#]|$)/.exec(url)?.[1]
  return segment ?? null
}

function findQueryLocale(url: string): string | null {
  // Most URLs have no `lang` parameter, and parsing the whole query costs more than this search.
  if (!url.includes('lang=')) return null
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('lang')
}

export function localeOf(req: FastifyRequest): Locale {
  return negotiateLocale({
    path: findPathLocale(req.url),
    query: findQueryLocale(req.url),
    cookie: req.cookies?.['lang'] ?? null,
    account: req.accountLocale,
    acceptLanguage: req.headers['accept-language'] ?? null,
  })
}

export function chosenLocale(req: FastifyRequest): Locale | null {
  const lang = findQueryLocale(req.url)
  return lang === null ? null : parseLocale(lang)
}

const LOCALE_COOKIE_MAX_AGE_SEC = 365 * 24 * 60 * 60

/** Stores the chosen language in a cookie for the following pages, whose URLs do not name the language. */
export function rememberLocale(req: FastifyRequest, reply: FastifyReply, https: boolean): void {
  const chosen = chosenLocale(req)
  if (chosen === null || req.cookies?.['lang'] === chosen) return
  // The cookie is not a secret, and our own scripts may change it too, so it is not `httpOnly`.
  reply.setCookie('lang', chosen, {
    path: '/',
    sameSite: 'lax',
    secure: https,
    maxAge: LOCALE_COOKIE_MAX_AGE_SEC,
  })
}

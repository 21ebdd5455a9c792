// Collects the hints for the language of a request; `negotiateLocale` in words/src/locale.ts decides their order. A route guard that knows the account adds the account's language.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { negotiateLocale, parseLocale } from '@pazar/words'
import type { Locale } from '@pazar/words'

declare module 'fastify' {
  interface FastifyRequest {
    accountLocale: Locale | null
  }
}

function firstSegment(url: string): string | null {
  const segment = /^\/(cnr|en)(?:[/?#]|$)/.exec(url)?.[1]
  return segment ?? null
}

function queryLang(url: string): string | null {
  // Most URLs have no such parameter, and parsing the whole query costs more than this search.
  if (!url.includes('lang=')) return null
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('lang')
}

export function localeOf(req: FastifyRequest): Locale {
  return negotiateLocale({
    path: firstSegment(req.url),
    query: queryLang(req.url),
    cookie: req.cookies?.['lang'] ?? null,
    account: req.accountLocale,
    acceptLanguage: req.headers['accept-language'] ?? null,
  })
}

/** The language named in the URL, if any; it is stored in the cookie. */
export function chosenLocale(req: FastifyRequest): Locale | null {
  const lang = queryLang(req.url)
  return lang === null ? null : parseLocale(lang)
}

const LOCALE_COOKIE_MAX_AGE_SEC = 365 * 24 * 60 * 60

/** Stores a language from the URL for the following pages, whose URLs do not have it. */
export function rememberLocale(req: FastifyRequest, reply: FastifyReply, https: boolean): void {
  const chosen = chosenLocale(req)
  if (chosen === null || req.cookies?.['lang'] === chosen) return
  // Not a secret: our own scripts may change it too.
  reply.setCookie('lang', chosen, {
    path: '/',
    sameSite: 'lax',
    secure: https,
    maxAge: LOCALE_COOKIE_MAX_AGE_SEC,
  })
}

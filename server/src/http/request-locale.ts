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
  // Most addresses have none, and reading a whole query costs more than looking for five letters.
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

/** The language that the URL names, if any; it is remembered in the cookie. */
export function chosenLocale(req: FastifyRequest): Locale | null {
  const lang = queryLang(req.url)
  return lang === null ? null : parseLocale(lang)
}

const LOCALE_COOKIE_MAX_AGE_SEC = 365 * 24 * 60 * 60

/** Keeps a language chosen in the address for the pages that follow, which do not have it in theirs. */
export function rememberLocale(req: FastifyRequest, reply: FastifyReply, https: boolean): void {
  const chosen = chosenLocale(req)
  if (chosen === null || req.cookies?.['lang'] === chosen) return
  // No secret, so scripts of ours may change it too.
  reply.setCookie('lang', chosen, {
    path: '/',
    sameSite: 'lax',
    secure: https,
    maxAge: LOCALE_COOKIE_MAX_AGE_SEC,
  })
}

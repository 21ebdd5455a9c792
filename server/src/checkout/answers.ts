// Sends a payer's page with the policy it needs, and the redirects between pages. Nothing here or above returns the
// reply: it is thenable, so whoever awaited it would get nothing and could take that for "not answered yet".
import type { FastifyRequest } from 'fastify'
import type { Mode } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import { sendHtml } from '../http/html-reply.ts'
import { pageStyle } from '../http/page-style.ts'
import { parseQuery } from '../http/query.ts'
import type { Money } from '../db/installation-store.ts'
import { rememberLocale } from '../http/request-locale.ts'
import { setPagePolicy, toPolicySource } from '../http/security-headers.ts'
import { renderPayPage } from './layout-page.ts'
import type { Destination } from './moving-page.ts'
import { movingPage } from './moving-page.ts'
import type { Page, PageContext } from './page-parts.ts'
import { payerScript } from './payer-script.ts'
import type { ShownPayment } from './shown-payment.ts'
import type { Visit } from './visit.ts'

/** What a payment that begins now is in. */
export function toShown({ deps }: Pick<Visit, 'deps'>): Money {
  return { currency: deps.config.currency, scale: deps.config.amountScale }
}

export function toContext(visit: Visit): PageContext {
  return { locale: visit.locale, words: visit.words, ...toShown(visit) }
}

/** A payment is shown in what it was made in, whatever the settings are now. */
export function toContextOf(visit: Visit, { currency, scale }: ShownPayment): PageContext {
  return { ...toContext(visit), currency, scale: scale ?? visit.deps.installation.unstoredScale }
}

/**
 * Browsers check every redirect after a form post against this, the shop's and the bank's own hops included; hence
 * https: as a whole. In development a shop or an upstream can be on plain http, and redirects to further http addresses
 * of its own, which nobody can list.
 */
function toFormAction(resultUrl: string | null, upstreamUrls: readonly (string | null)[]): string {
  const plainUrl = resultUrl?.startsWith('http://') ? resultUrl : null
  const origin = plainUrl === null ? null : toPolicySource(plainUrl)
  const anyHttp = plainUrl !== null || upstreamUrls.some((url) => url?.startsWith('http://')) ? 'http:' : null
  return ["'self'", 'https:', origin, anyHttp].filter((source) => source !== null).join(' ')
}

/** Where this request can be made again: its route and its query. Its first line may also name a host, and any host. */
export function toOwnAddress(req: FastifyRequest): string {
  const params = req.params as Readonly<Record<string, string>>
  const route = req.routeOptions.url ?? '/'
  const path = route.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const cut = req.url.indexOf('?')
  return cut < 0 ? path : path + req.url.slice(cut)
}

function isLanguage(pair: string): boolean {
  // Nearly every name is written out plainly, and then its first letter is enough.
  return /^[l%]/.test(pair) && parseQuery(pair).all('lang').length > 0
}

/** The same address in another language. */
function withLanguage(address: string, locale: Locale): string {
  const cut = address.indexOf('?')
  const pairs = cut < 0 ? [] : address.slice(cut + 1).split('&')
  const kept = pairs.filter((pair) => pair !== '' && !isLanguage(pair))
  return `${cut < 0 ? address : address.slice(0, cut)}?${[...kept, `lang=${locale}`].join('&')}`
}

function toBar({ deps }: Visit, mode: Mode | null): 'test' | 'sandbox' | null {
  if (mode === 'test') return 'test'
  const { backend, stripe } = deps.config
  const movesNothing = backend === 'sandbox' || (backend === 'stripe' && stripe?.livemode === false)
  return mode === 'live' && movesNothing ? 'sandbox' : null
}

export interface PageOptions {
  mode: Mode | null
  resultUrl?: string
  /** Where the page can be opened again; left out for a page whose own address does that. */
  reopenUrl?: string | null
  /** Whoever has a payment's id can look at the payment, so a page with one is not compressed. */
  holdsPayment?: boolean
}

export function sendPage(visit: Visit, page: Page, options: PageOptions): void {
  const { deps, req, reply, locale } = visit
  const { backendUrl, stripe, baseUrl, https, supportUrl, termsUrl, privacyUrl } = deps.config
  rememberLocale(req, reply, https)
  setPagePolicy(reply, {
    styleHash: pageStyle.hash,
    ...(page.usesScript ? { scriptHash: payerScript.hash } : {}),
    formAction: toFormAction(options.resultUrl ?? null, [backendUrl, stripe?.apiBase ?? null]),
  })
  const reopenUrl = options.reopenUrl === undefined ? toOwnAddress(req) : options.reopenUrl
  const frame = {
    locale,
    bar: toBar(visit, options.mode),
    host: baseUrl.slice(baseUrl.indexOf('//') + 2),
    languageUrl: reopenUrl === null ? null : (one: Locale) => withLanguage(reopenUrl, one),
    help: { support: supportUrl, terms: termsUrl, privacy: privacyUrl },
  }
  sendHtml(req, reply, renderPayPage(frame, page), options.holdsPayment === true)
}

export function sendJson({ reply }: Visit, body: object): void {
  reply.header('cache-control', 'no-store').send(body)
}

/** 303, so that the browser asks with GET whatever it had sent. */
export function sendOn(visit: Visit, to: Destination, url: string): void {
  const { href } = new URL(url) // In ASCII, whatever an upstream wrote.
  visit.reply.code(303).header('location', href)
  sendPage(visit, movingPage(toContext(visit), to, href), { mode: null, reopenUrl: null, holdsPayment: true })
}

// Sends a payer's page with the content security policy it needs.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Mode } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import { isLiveSandbox } from '../config/upstreams.ts'
import { sendHtml } from '../http/html-reply.ts'
import { pageStyle } from '../http/page-style.ts'
import { parseQuery } from '../http/query.ts'
import { rememberLocale } from '../http/request-locale.ts'
import { setPagePolicy } from '../http/security-headers.ts'
import type { Brand } from '../projects/brand.ts'
import { toBrandStyle } from './brand-parts.ts'
import { toFormAction } from './page-policy.ts'
import type { CheckoutDeps } from './deps.ts'
import { renderPayPage } from './layout-page.ts'
import type { Page } from './page-parts.ts'
import { payerScript } from './payer-script.ts'

/** The path and query of this request. The path is built from the route, because the request line may name any host. */
export function toOwnAddress(req: FastifyRequest): string {
  const params = req.params as Readonly<Record<string, string>>
  const route = req.routeOptions.url ?? '/'
  const path = route.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const queryStart = req.url.indexOf('?')
  return queryStart < 0 ? path : path + req.url.slice(queryStart)
}

function isLanguage(pair: string): boolean {
  // Parsing is slow, so most pairs are skipped first. The name `lang` begins with `l` or with an escape (`%6C`).
  return /^[l%]/.test(pair) && parseQuery(pair).all('lang').length > 0
}

function withLanguage(address: string, locale: Locale): string {
  const queryStart = address.indexOf('?')
  const pairs = queryStart < 0 ? [] : address.slice(queryStart + 1).split('&')
  const others = pairs.filter((pair) => pair !== '' && !isLanguage(pair))
  return `${queryStart < 0 ? address : address.slice(0, queryStart)}?${[...others, `lang=${locale}`].join('&')}`
}

/** `backend` is the upstream that a payment was made with. The service may use another upstream now. */
export function toModeBar(
  config: Pick<CheckoutDeps['config'], 'backend' | 'stripe'>,
  mode: Mode | null,
  backend: string = config.backend,
): 'test' | 'sandbox' | null {
  if (mode === 'test') return 'test'
  return isLiveSandbox({ ...config, backend }) ? 'sandbox' : null
}

/** True if browsers treat the origin as secure: its traffic is encrypted, or does not leave the machine. */
function isSecureOrigin(url: string): boolean {
  return /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$))/.test(url)
}

export interface PageResponse {
  status: number
  page: Page
  mode: Mode | null
  /** The upstream of the payment that the page shows; absent: the current one. */
  backend?: string
  /** The merchant's URL to which a form on the page may redirect. */
  resultUrl?: string
  brand?: Brand | null
  /** For a page that responds to a form: the URL at which it can be opened again; null if there is none. */
  reopenPath: string | null
  location?: string
  /** The page has a payment's id. It is not compressed, because compressed sizes could reveal the id. */
  holdsPayment?: boolean
}

function toLanguagePath(req: FastifyRequest, { location, reopenPath }: PageResponse): string | null {
  if (location !== undefined) return null
  return req.method === 'GET' ? toOwnAddress(req) : reopenPath
}

export function sendPage(
  config: CheckoutDeps['config'],
  req: FastifyRequest,
  reply: FastifyReply,
  locale: Locale,
  response: PageResponse,
): void {
  const { backendUrl, stripe, baseUrl, https, supportUrl, termsUrl, privacyUrl, operatorName } = config
  const { page, status, location, resultUrl = null, brand = null } = response
  reply.code(status)
  if (location !== undefined) reply.header('location', location)
  rememberLocale(req, reply, https)
  setPagePolicy(reply, {
    styleHashes: [pageStyle, brand && toBrandStyle(brand), page.style].flatMap((style) =>
      style ? [style.hash] : [],
    ),
    ...(page.usesScript ? { scriptHash: payerScript.hash } : {}),
    formAction: toFormAction(resultUrl, [backendUrl, stripe?.apiBase ?? null]),
  })
  const path = toLanguagePath(req, response)
  const frame = {
    locale,
    bar: toModeBar(config, response.mode, response.backend),
    baseUrl,
    host: baseUrl.slice(baseUrl.indexOf('//') + 2),
    isSecure: isSecureOrigin(baseUrl),
    operator: operatorName,
    brand,
    languageUrl: path === null ? null : (one: Locale) => withLanguage(path, one),
    help: { support: supportUrl, terms: termsUrl, privacy: privacyUrl },
  }
  sendHtml(req, reply, renderPayPage(frame, page), response.holdsPayment === true)
}

// Sends a payer's page with the policy it needs. Browsers check every redirect after a form post against form-action,
// the shop's own hops included, hence https: as a whole.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Mode } from '@pazar/contract'
import { localeOf } from '../http/request-locale.ts'
import { pageStyle } from '../http/page-style.ts'
import { setPagePolicy } from '../http/security-headers.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import type { PageBody, PageContext } from './pages.ts'
import { renderPayPage } from './layout-page.ts'

export function contextOf(deps: PaymentDeps, req: FastifyRequest): PageContext {
  return { locale: localeOf(req), currency: deps.config.currency, scale: deps.config.amountScale }
}

function toFormAction(resultUrl: string | null): string {
  const plainHttp = resultUrl?.startsWith('http://') ? ` ${new URL(resultUrl).origin}` : ''
  return `'self' https:${plainHttp}`
}

function withLanguage(url: string, locale: string): string {
  const [path, query = ''] = url.split('?')
  const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('lang='))
  return `${path}?${[...kept, `lang=${locale}`].join('&')}`
}

export interface PageOptions {
  mode: Mode | null
  resultUrl?: string
  refreshSec?: number
}

export function sendPage(
  deps: PaymentDeps,
  req: FastifyRequest,
  reply: FastifyReply,
  page: PageBody,
  options: PageOptions,
): FastifyReply {
  const { locale } = contextOf(deps, req)
  setPagePolicy(reply, { styleHash: pageStyle.hash, formAction: toFormAction(options.resultUrl ?? null) })
  const text = renderPayPage({
    locale,
    title: page.title,
    bar:
      options.mode === 'test'
        ? 'test'
        : options.mode === 'live' && deps.config.backend === 'sandbox'
          ? 'sandbox'
          : null,
    host: new URL(deps.config.baseUrl).host,
    languageUrl: req.method === 'GET' ? (one) => withLanguage(req.url, one) : null,
    ...(options.refreshSec ? { refreshSec: options.refreshSec } : {}),
    body: page.body,
  })
  return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(text)
}

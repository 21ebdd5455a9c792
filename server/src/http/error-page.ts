// The error page that browsers get. It says what happened and what to do next.
import type { ErrorCode } from '@pazar/contract'
import { catalogue, formatWait, HTML_LANG } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { html } from '../lib/html.ts'
import { pageStyle } from './page-style.ts'

export function renderErrorPage(
  locale: Locale,
  facts: {
    code: ErrorCode
    status: number
    requestId: string
    retryAfterSec: number | null
    supportUrl: string | null
  },
): { text: string; styleHash: string } {
  const words = catalogue(locale).errorPage
  const { waits } = catalogue(locale)
  const pages: Partial<Record<ErrorCode, { heading: string; text: string }>> = words
  const { heading, text } = pages[facts.code] ?? words.internal_error
  const page = html`<!doctype html>
<html lang="${HTML_LANG[locale]}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${heading}</title>
<link rel="icon" href="data:,">
${pageStyle.element}
</head>
<body><main><div class="card">
<h1>${heading}</h1>
<p>${text}${facts.retryAfterSec ? ` ${waits.retryIn(formatWait(locale, facts.retryAfterSec * 1000))}` : null}</p>
<div class="stack"><a class="button" href="/">${words.home}</a></div>
${facts.supportUrl ? html`<p><a href="${facts.supportUrl}">${words.support}</a></p>` : null}
<p class="muted small">${facts.status} · ${words.reference(facts.requestId)}</p>
</div></main></body></html>`
  return { text: page.text, styleHash: pageStyle.hash }
}

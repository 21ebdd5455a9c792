// The frame of every payer page: one column, one request, no script needed.
import { colours } from '@pazar/looks'
import { catalogue, HTML_LANG, LOCALE_LABEL, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { pageStyle } from '../http/page-style.ts'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'

export interface Frame {
  locale: Locale
  title: string
  /** Null when real money moves. */
  bar: 'test' | 'sandbox' | null
  host: string
  /** This page in another language; null where the address cannot be opened again. */
  languageUrl: ((locale: Locale) => string) | null
  refreshSec?: number
  body: Html
}

function renderHead(frame: Frame): Html {
  return html`<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<meta name="theme-color" content="${colours.light.surface}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${colours.dark.surface}" media="(prefers-color-scheme: dark)">
${frame.refreshSec ? html`<meta http-equiv="refresh" content="${frame.refreshSec}">` : null}
<title>${frame.title}</title>
<link rel="icon" href="data:,">
${pageStyle.element}
</head>`
}

function renderFooter(frame: Frame): Html {
  const words = catalogue(frame.locale).checkout.footer
  const { languageUrl } = frame
  const others = LOCALES.filter((one) => one !== frame.locale)
  const links =
    languageUrl &&
    others.map((one) => html`<a href="${languageUrl(one)}" lang="${HTML_LANG[one]}">${LOCALE_LABEL[one]}</a>`)
  return html`<footer><p>${words.host(frame.host)}</p>${links ? html`<nav aria-label="${words.language}">${links}</nav>` : null}</footer>`
}

export function renderPayPage(frame: Frame): string {
  const words = catalogue(frame.locale).checkout
  const bar = frame.bar && (frame.bar === 'test' ? words.testBar : words.sandboxBar)
  return html`<!doctype html>
<html lang="${HTML_LANG[frame.locale]}">
${renderHead(frame)}
<body>
${bar ? html`<aside class="bar">⚠ ${bar}</aside>` : null}
<main>${frame.body}</main>
${renderFooter(frame)}
</body></html>`.text
}

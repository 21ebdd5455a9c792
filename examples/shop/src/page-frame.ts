// The parts that all pages share.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { colours, cssVariables } from '@pazar/theme'
import { HTML_LANG, LOCALE_LABEL, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { Html, html } from './html.ts'
import { words } from './words.ts'

export interface Page {
  readonly title: string
  readonly body: Html
  /** The menu entry of this page. */
  readonly current?: 'shop' | 'orders' | undefined
  readonly refreshSec?: number | undefined
}

const style = cssVariables() + readFileSync(new URL('shop.css', import.meta.url), 'utf8')
const styleHash = createHash('sha256').update(style).digest('base64')
// This element is not written in the page's template. A code formatter may add spaces in the template, and then the CSP
// hash would not match the style.
const styleElement = new Html(`<style>${style}</style>`)

/** `form-action` also names the pay service, because some browsers compare it with every redirect after a form is sent. */
export function toContentPolicy(payOrigin: string): string {
  return [
    `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:`,
    `form-action 'self' ${payOrigin}; base-uri 'none'; frame-ancestors 'none'`,
  ].join('; ')
}

export function renderPage(
  locale: Locale,
  isTest: boolean,
  { title, body, refreshSec, current }: Page,
): string {
  const mark = (entry: Page['current']) => (entry === current ? html` aria-current="page"` : null)
  const { about, testBar, nav } = words[locale]
  return html`<!doctype html>
    <html lang="${HTML_LANG[locale]}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="${colours.light.surface}" media="(prefers-color-scheme:light)" />
        <meta name="theme-color" content="${colours.dark.surface}" media="(prefers-color-scheme:dark)" />
        ${refreshSec === undefined ? null : html`<meta http-equiv="refresh" content="${refreshSec}" />`}
        <title>${title} – Tezga</title>
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        ${isTest ? html`<aside class="bar">⚠ ${testBar}</aside>` : null}
        <header>
          <div>
            <p class="brand">Tezga</p>
            <p class="muted">${about}</p>
          </div>
          <nav>
            <a href="/"${mark('shop')}>${nav.shop}</a>
            <a href="/orders"${mark('orders')}>${nav.orders}</a>
            ${LOCALES.filter((other) => other !== locale).map(
              (other) => html`<a href="?lang=${other}" lang="${HTML_LANG[other]}">${LOCALE_LABEL[other]}</a>`,
            )}
          </nav>
        </header>
        <main>${body}</main>
      </body>
    </html> `.text
}

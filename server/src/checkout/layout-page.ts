// The frame of every payer page. It has one column and needs no script. Without a logo, it loads in one request.
import { colours } from '@pazar/theme'
import { toMarkSvg } from '@pazar/theme/mark'
import { catalogue, HTML_LANG, LOCALE_LABEL, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { toPreviewTags } from '../http/link-preview.ts'
import { pageStyle } from '../http/page-style.ts'
import type { Html } from '../lib/html.ts'
import { html, trustedMarkup } from '../lib/html.ts'
import type { Brand } from '../projects/brand.ts'
import { toBrandContact, toBrandHead, toBrandStyle } from './brand-parts.ts'
import type { Page } from './page-parts.ts'
import { toIcon } from './page-parts.ts'
import { payerScript } from './payer-script.ts'

export interface Frame {
  locale: Locale
  /** The warning at the top that no money moves; null if money moves. */
  bar: 'test' | 'sandbox' | null
  baseUrl: string
  host: string
  /** The connection is encrypted, or does not leave this machine. */
  isSecure: boolean
  operator: string
  brand: Brand | null
  /** The URL of this page in another language; null if the page cannot be opened again. */
  languageUrl: ((locale: Locale) => string) | null
  help: { support: string | null; terms: string | null; privacy: string | null }
}

function toDataUrlText(svg: string): string {
  return svg.replaceAll('"', "'").replaceAll(/[<>#]/g, encodeURIComponent)
}

/** The icon is inline, because an icon with its own URL would be a second request. */
const FIXED_HEAD =
  trustedMarkup(`<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<meta name="theme-color" content="${colours.light.raised}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${colours.dark.raised}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:image/svg+xml,${toDataUrlText(toMarkSvg())}">`)

/** This tag is only for browsers without script. With script, the page polls instead of reloading. */
function toRefresh({ refresh }: Page): Html | null {
  if (!refresh) return null
  return html`<noscript><meta http-equiv="refresh" content="${refresh.afterSec};url=${refresh.url}"></noscript>`
}

function toFooter(frame: Frame, isPaying: boolean): Html {
  const words = catalogue(frame.locale).checkout.footer
  const { languageUrl, help } = frame
  const others = languageUrl ? LOCALES.filter((one) => one !== frame.locale) : []
  const languages = others.map(
    (one) => html`<a href="${languageUrl?.(one)}" lang="${HTML_LANG[one]}">${LOCALE_LABEL[one]}</a>`,
  )
  const pages = [
    [help.support, words.help],
    [help.terms, words.terms],
    [help.privacy, words.privacy],
  ].map(([href, label]) => href && html`<a href="${href}">${label}</a>`)
  const links = [...languages, ...pages].filter((one) => one !== null)
  return html`<footer>${links.length > 0 ? html`<nav aria-label="${words.links}">${links}</nav>` : null}<p><span>${frame.isSecure && toIcon('lock')}${isPaying ? words.host(frame.host) : frame.host}</span> <span>${words.operator(frame.operator)}</span></p></footer>`
}

function toBody(frame: Frame, page: Page): Html {
  const words = catalogue(frame.locale).checkout
  const bar = frame.bar && (frame.bar === 'test' ? words.testBar : words.sandboxBar)
  const { brand } = frame
  return html`${brand && toBrandStyle(brand).element}${page.style?.element}${toRefresh(page)}<title>${page.title}</title>${page.preview && toPreviewTags(page.preview, { baseUrl: frame.baseUrl, operatorName: frame.operator })}
</head>
<body>
${bar ? html`<aside class="bar"><span aria-hidden="true">⚠</span> ${bar}</aside>` : null}
<main><div class="card">${brand && toBrandHead(brand)}${page.body}${brand && toBrandContact(words, brand)}</div></main>
${toFooter(frame, page.isPaying === true)}
`
}

// These bytes are the same in every response in this language, so they are encoded once.
function toStart(locale: Locale): Buffer {
  const start = html`<!doctype html>
<html lang="${HTML_LANG[locale]}">
<head>
${FIXED_HEAD}
${pageStyle.element}
`
  return Buffer.from(start.text)
}

const STARTS: Readonly<Record<Locale, Buffer>> = { cnr: toStart('cnr'), en: toStart('en') }
const END = Buffer.from('\n</body></html>')
const END_WITH_SCRIPT = Buffer.concat([Buffer.from(payerScript.element.text), END])

export function renderPayPage(frame: Frame, page: Page): Buffer {
  return Buffer.concat([
    STARTS[frame.locale],
    Buffer.from(toBody(frame, page).text),
    page.usesScript ? END_WITH_SCRIPT : END,
  ])
}

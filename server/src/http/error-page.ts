import { colours } from '@pazar/theme'
import type { ErrorCode } from '@pazar/contract'
import { catalogue, formatWait, HTML_LANG, LOCALE_LABEL, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import { errorStyle } from './error-style.ts'
import { ICON_LINKS, MARK } from './icons.ts'

export interface ErrorFacts {
  code: ErrorCode
  status: number
  requestId: string
  retryAfterSec: number | null
  operatorName: string
  supportUrl: string | null
  url: string
  isGet: boolean
  /** The page is for a payer, who has no account here and does not read the docs. */
  isForPayer: boolean
}

/** A link must not repeat a URL such as `//host` or `/\host`, which leads to another site. */
function toOwnPath(url: string): string {
  return /^\/(?![/\\])/.test(url) ? url : '/'
}

function toLanguageUrl(url: string, locale: Locale): string {
  const [path = '/', query = ''] = toOwnPath(url).split(/\?(.*)/s)
  if (/^\/(?:cnr|en)(?=\/|$)/.test(path)) return path.replace(/^\/\w+/, `/${locale}`) + (query && `?${query}`)
  const others = query.split('&').filter((pair) => pair !== '' && !/^lang(?:=|$)/.test(pair))
  return `${path}?${[...others, `lang=${locale}`].join('&')}`
}

function toHeader(locale: Locale, { operatorName, url, isGet, isForPayer }: ErrorFacts): Html {
  const words = catalogue(locale).home
  const languages = LOCALES.filter((one) => one !== locale).map((one) => {
    const href = isGet ? toLanguageUrl(url, one) : `/${one}`
    return html`<a href="${href}" lang="${HTML_LANG[one]}" hreflang="${HTML_LANG[one]}">${LOCALE_LABEL[one]}</a>`
  })
  const docs = !isForPayer && html`<a class="docs" href="/${locale}/docs">${words.docs}</a>`
  const signIn = !isForPayer && html`<a href="/${locale}/sign-in">${words.signIn}</a>`
  return html`<a class="skip" href="#text">${words.skip}</a>
<header class="wrap"><a class="name" href="/${locale}">${MARK}${operatorName}</a><nav aria-label="${words.menu}">${docs}${languages}${signIn}</nav></header>`
}

function toActions(locale: Locale, { status, url, isGet, isForPayer, supportUrl }: ErrorFacts): Html {
  const words = catalogue(locale).errorPage
  const retryLink =
    isGet && (status === 429 || status >= 500)
      ? html`<a class="act" href="${toOwnPath(url)}">${words.tryAgain}</a>`
      : null
  const home = html`<a class="act${retryLink ? ' second' : ''}" href="/${locale}">${words.home}</a>`
  const support =
    isForPayer && supportUrl ? html`<a class="act second" href="${supportUrl}">${words.support}</a>` : null
  return html`<div class="acts">${retryLink}${home}${support}</div>`
}

function toLinkList(locale: Locale, { supportUrl, isForPayer }: ErrorFacts): Html | null {
  if (isForPayer) return null
  const { ways, support } = catalogue(locale).errorPage
  const links = [
    { href: `/${locale}/docs`, ...ways.docs },
    { href: `/${locale}/projects`, ...ways.projects },
    ...(supportUrl ? [{ href: supportUrl, title: support, text: ways.support }] : []),
  ]
  return html`<ul class="ways">${links.map(({ href, title, text }) => html`<li><a href="${href}"><strong>${title}</strong><span>${text}</span></a></li>`)}</ul>`
}

export function renderErrorPage(locale: Locale, facts: ErrorFacts): { text: string; styleHash: string } {
  const words = catalogue(locale).errorPage
  const { waits } = catalogue(locale)
  const pages: Partial<Record<ErrorCode, { heading: string; text: string }>> = words
  const { heading, text } = pages[facts.code] ?? words.internal_error
  const page = html`<!doctype html>
<html lang="${HTML_LANG[locale]}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<meta name="theme-color" media="(prefers-color-scheme:light)" content="${colours.light.background}"><meta name="theme-color" media="(prefers-color-scheme:dark)" content="${colours.dark.background}">
<title>${heading} · ${facts.operatorName}</title>
${ICON_LINKS}
${errorStyle.element}
</head>
<body>
${toHeader(locale, facts)}
<main id="text" class="wrap"><p class="code">${facts.status}</p><h1>${heading}</h1>
<p class="lead">${text}${facts.retryAfterSec ? ` ${waits.retryIn(formatWait(locale, facts.retryAfterSec * 1000))}` : null}</p>
${toActions(locale, facts)}
${toLinkList(locale, facts)}</main>
<footer><p class="wrap">${words.reference} <code>${facts.requestId}</code></p></footer>
</body></html>`
  return { text: page.text, styleHash: errorStyle.hash }
}

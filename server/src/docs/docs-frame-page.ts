// The frame of every docs page: search, language and account at the top, the text, and the list of all pages.
import { catalogue, HTML_LANG, LOCALE_LABEL, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { colours } from '@pazar/theme'
import { ICON_LINKS, MANIFEST_LINK, MARK } from '../http/icons.ts'
import { toPreviewTags } from '../http/link-preview.ts'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import { docsScript } from './docs-script.ts'
import { docsStyle } from './docs-style.ts'
import type { GuidePage } from './markdown.ts'
import { CHANGELOG, REFERENCE, toGroups } from './pages.ts'
import type { Reader } from './reader.ts'

export interface DocsFrame {
  locale: Locale
  reader: Reader
  operatorName: string
  baseUrl: string
  /** The first part of the links that edit a page; null if the operator publishes no repository. */
  editUrl: string | null
  pages: readonly GuidePage[]
  query: string
  /** The path after `/en/docs`. It is used in the link to the other language, and to find the current page in the list. */
  path: string
}

export interface DocsPage {
  title: string
  body: Html
  /** The table of contents beside the text; null if the page has none. */
  toc?: Html | null
  inner?: Html | null
  /** True for the first page. Its text already has the search and the list of all pages, so the frame leaves them out. */
  isStart?: boolean
}

/** The URL includes the project that the reader has chosen. */
export function docsUrl({ reader }: DocsFrame, locale: Locale, path: string): string {
  return `/${locale}/docs${path}${reader.chosen ? `?project=${reader.chosen}` : ''}`
}

function toOtherLanguageUrl(frame: DocsFrame, locale: Locale): string {
  const url = docsUrl(frame, locale, frame.path)
  return frame.query === ''
    ? url
    : `${url}${url.includes('?') ? '&' : '?'}q=${encodeURIComponent(frame.query)}`
}

export function toSearchForm({ locale, query, reader }: DocsFrame): Html {
  const words = catalogue(locale).docs
  return html`<form role="search" action="/${locale}/docs/search"><input type="search" name="q" maxlength="200" aria-label="${words.search}" placeholder="${words.search}" value="${query}">${reader.chosen && html`<input type="hidden" name="project" value="${reader.chosen}">`}<button>${words.searchButton}</button></form>`
}

function toHeader(frame: DocsFrame, isStart: boolean): Html {
  const { locale, reader, path, query } = frame
  const words = catalogue(locale).docs
  const languages = LOCALES.filter((one) => one !== locale).map(
    (one) =>
      html`<a href="${toOtherLanguageUrl(frame, one)}" lang="${HTML_LANG[one]}" hreflang="${HTML_LANG[one]}">${LOCALE_LABEL[one]}</a>`,
  )
  const currentUrl = encodeURIComponent(
    `/${locale}/docs${path}${query === '' ? '' : `?q=${encodeURIComponent(query)}`}`,
  )
  const account = reader.account
    ? html`<a href="/${locale}/projects">${words.projects}</a>`
    : html`<a class="wide" href="/${locale}/sign-up?next=${currentUrl}">${words.signUp}</a><a href="/${locale}/sign-in?next=${currentUrl}">${words.signIn}</a>`
  return html`<a class="skip" href="#text">${words.skip}</a>
<header><a href="${docsUrl(frame, locale, '')}">${MARK}<span><span class="wide">${frame.operatorName} · </span>${words.title}</span></a>
<nav aria-label="${words.languages}">${isStart ? null : html`<a class="wide" href="#pages">${words.allPages}</a>`}${languages}${account}</nav>
${isStart ? null : toSearchForm(frame)}</header>`
}

function toGroupLists(frame: DocsFrame, inner: Html | null = null): Html[] {
  const { locale, pages, path } = frame
  const words = catalogue(locale).docs
  const toItem = ({ slug, title }: GuidePage) => {
    const isCurrent = path === `/${slug}`
    return html`<li><a href="${docsUrl(frame, locale, `/${slug}`)}"${isCurrent && html` aria-current="page"`}>${title}</a>${isCurrent && inner}</li>`
  }
  return toGroups(pages).map(
    ([name, ofGroup]) => html`<h3>${words.groups[name]}</h3><ul>${ofGroup.map(toItem)}</ul>`,
  )
}

function toPageList(frame: DocsFrame, inner: Html | null): Html {
  const words = catalogue(frame.locale).docs
  return html`<nav class="pages" id="pages" aria-labelledby="pages-title"><h2 id="pages-title">${words.allPages}</h2><div>${toGroupLists(frame, inner)}</div></nav>`
}

/** On narrow screens, this list of all pages is above the text, because the list of `toPageList` is below the text. */
export function toPageMenu(frame: DocsFrame): Html {
  return html`<details class="menu"><summary>${catalogue(frame.locale).docs.allPages}</summary>${toGroupLists(frame)}</details>`
}

function toPageClass({ path }: DocsFrame, page: DocsPage): string {
  if (page.isStart) return ' start'
  return ['questions', REFERENCE, CHANGELOG].some((slug) => path === `/${slug}`) ? ` ${path.slice(1)}` : ''
}

export function renderDocsPage(frame: DocsFrame, page: DocsPage): string {
  const { locale, reader } = frame
  const words = catalogue(locale).docs
  const theme = reader.account?.theme ?? 'system'
  return html`<!doctype html>
<html lang="${HTML_LANG[locale]}"${theme === 'system' ? '' : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="theme-color" media="(prefers-color-scheme:light)" content="${colours.light.surface}">
<meta name="theme-color" media="(prefers-color-scheme:dark)" content="${colours.dark.surface}">
<title>${page.title} · ${frame.operatorName}</title>
${ICON_LINKS}${MANIFEST_LINK}
${toPreviewTags({ title: page.title, description: words.preview }, frame)}
${docsStyle.element}
</head>
<body data-copy="${words.copy}" data-copied="${words.copied}" data-all="${words.showAll}">
${toHeader(frame, page.isStart === true)}
<div class="page${toPageClass(frame, page)}"><main id="text">${page.body}</main>
${page.isStart ? null : toPageList(frame, page.inner ?? null)}
${page.toc ?? null}</div>
${docsScript.element}
</body></html>`.text
}

import { catalogue } from '@pazar/words'
import { html } from '../lib/html.ts'
import type { DocsFrame, DocsPage } from './docs-frame-page.ts'
import { docsUrl } from './docs-frame-page.ts'
import { toExcerpt, toMarked } from './excerpt.ts'
import { HITS_MAX } from './search.ts'
import type { Hit } from './search.ts'
import { toFirstCards } from './start-page.ts'

/** Several pages have the heading “What goes wrong”. Results with the same heading begin with their page's title. */
function toTitle({ page, section }: Hit, hits: readonly Hit[]): string {
  if (section.anchor === null) return page.title
  const { heading } = section
  const isUnique = hits.filter((hit) => hit.section.heading === heading).length === 1
  return isUnique ? heading : `${page.title}: ${heading[0]?.toLowerCase()}${heading.slice(1)}`
}

export function toSearchPage(frame: DocsFrame, hits: readonly Hit[]): DocsPage {
  const { locale, query } = frame
  const words = catalogue(locale).docs
  if (query.trim() === '')
    return {
      title: words.search,
      body: html`<h1>${words.search}</h1><p>${words.emptySearch}</p>${toFirstCards(frame)}`,
    }
  if (hits.length === 0) {
    const title = words.noResults(query)
    return {
      title,
      body: html`<div class="found"><h1>${title}</h1></div><p>${words.tryOther}</p>${toFirstCards(frame)}`,
    }
  }
  const items = hits.map((hit) => {
    const { page, section } = hit
    const url = docsUrl(frame, locale, `/${page.slug}`)
    const anchor = section.anchor === null ? '' : `#${section.anchor}`
    const pageLabel = section.anchor !== null && html`<span>${page.title}</span> `
    return html`<li><a href="${url}${anchor}">${pageLabel}<strong>${toMarked(toTitle(hit, hits), hit, locale)}</strong></a><p>${toExcerpt(hit, locale)}</p></li>`
  })
  const title =
    hits.length < HITS_MAX ? words.results(hits.length, query) : words.firstResults(HITS_MAX, query)
  return { title, body: html`<div class="found"><h1>${title}</h1></div><ol class="results">${items}</ol>` }
}

export function toMissingPage(frame: DocsFrame): DocsPage {
  const words = catalogue(frame.locale).docs
  return {
    title: words.notFound,
    body: html`<h1>${words.notFound}</h1><p>${words.notFoundText}</p>${toFirstCards(frame)}`,
  }
}

// The search results, and the page for an unknown URL.
import { catalogue } from '@pazar/words'
import { html } from '../lib/html.ts'
import type { DocsFrame, DocsPage } from './docs-frame-page.ts'
import { docsUrl } from './docs-frame-page.ts'
import { toExcerpt } from './excerpt.ts'
import type { Hit } from './search.ts'
import { toFirstCards } from './start-page.ts'

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
    const title = section.anchor === null ? page.title : section.heading
    return html`<li><a href="${url}${anchor}">${pageLabel}<strong>${title}</strong></a><p>${toExcerpt(hit, locale)}</p></li>`
  })
  const title = words.results(hits.length, query)
  return { title, body: html`<div class="found"><h1>${title}</h1></div><ol class="results">${items}</ol>` }
}

export function toMissingPage(frame: DocsFrame): DocsPage {
  const words = catalogue(frame.locale).docs
  return {
    title: words.notFound,
    body: html`<h1>${words.notFound}</h1><p>${words.notFoundText}</p>${toFirstCards(frame)}`,
  }
}

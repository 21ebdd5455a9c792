import { catalogue } from '@pazar/words'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import type { DocsFrame, DocsPage } from './docs-frame-page.ts'
import { docsUrl, toSearchForm } from './docs-frame-page.ts'
import type { GuidePage } from './markdown.ts'
import { INDEX, toGroups } from './pages.ts'

function toCard(frame: DocsFrame, { slug, title }: GuidePage): Html {
  const summaries: Readonly<Record<string, string>> = catalogue(frame.locale).docs.summaries
  return html`<li><a href="${docsUrl(frame, frame.locale, `/${slug}`)}"><strong>${title}</strong><span>${summaries[slug]}</span></a></li>`
}

/** Cards of the pages in the group "start", shown for an empty search, a search without results and an unknown URL. */
export function toFirstCards(frame: DocsFrame): Html {
  const pages = toGroups(frame.pages).flatMap(([name, ofGroup]) => (name === 'start' ? ofGroup : []))
  return html`<ul class="cards">${pages.map((page) => toCard(frame, page))}</ul>`
}

export function toStartPage(frame: DocsFrame): DocsPage {
  const words = catalogue(frame.locale).docs
  const groups = toGroups(frame.pages).map(
    ([name, pages]) =>
      html`<section aria-labelledby="group-${name}"><h2 id="group-${name}">${words.groups[name]}</h2><ul class="cards">${pages.map((page) => toCard(frame, page))}</ul></section>`,
  )
  return {
    title: words.title,
    isStart: true,
    body: html`<h1>${words.title}</h1>
<p class="lead">${words.intro}</p>
${toSearchForm(frame)}
${groups}
<p class="markdown"><a href="${docsUrl(frame, frame.locale, `/${INDEX}.md`)}">${words.markdown}</a></p>`,
  }
}

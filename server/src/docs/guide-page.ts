import { catalogue } from '@pazar/words'
import type { Html } from '../lib/html.ts'
import { html, trustedMarkup } from '../lib/html.ts'
import type { DocsFrame, DocsPage } from './docs-frame-page.ts'
import { docsUrl, toPageMenu } from './docs-frame-page.ts'
import { fillPage } from './fill.ts'
import type { GuidePage } from './markdown.ts'
import { findSourcePath, INDEX, REFERENCE, toGroups } from './pages.ts'
import { toStartPage } from './start-page.ts'

const TOC_HEADINGS_MIN = 3

function toProjectNote({ reader, locale, path }: DocsFrame): Html {
  const words = catalogue(locale).docs
  const { projects, project, account } = reader
  if (!account)
    return html`<p class="note">${words.strangers} <a href="/${locale}/sign-in?next=${encodeURIComponent(`/${locale}/docs${path}`)}">${words.signIn}</a></p>`
  if (!project) return html``
  if (projects.length === 1) return html`<p class="note">${words.yours} <strong>${project.name}</strong></p>`
  const options = projects.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === project.id ? html` selected` : null}>${words.examples}: ${name}</option>`,
  )
  return html`<form class="note"><label for="project">${words.chooseProject}</label> <select id="project" name="project">${options}</select> <button>${words.show}</button></form>`
}

function toContents(page: GuidePage): Html | null {
  // The reference is long, and people look for a single route in it, so its table of contents has one more level.
  const levelMax = page.slug === REFERENCE ? 3 : 2
  const headings = page.sections.filter(({ level }) => level === 2 || level === levelMax)
  if (headings.length < TOC_HEADINGS_MIN) return null
  const items = headings.map(
    ({ level, anchor, heading }) =>
      html`<li${level === 3 ? html` class="inner"` : null}><a href="#${anchor}">${heading}</a></li>`,
  )
  return html`<ul>${items}</ul>`
}

function toNeighbours(page: GuidePage, frame: DocsFrame): Html | null {
  const words = catalogue(frame.locale).docs
  const index = frame.pages.indexOf(page)
  const groups = toGroups(frame.pages)
  const groupOf = (one: GuidePage) => groups.find(([, pages]) => pages.includes(one))?.[0]
  const toLink = (other: GuidePage | undefined, label: string, side: 'previous' | 'next') => {
    if (!other) return null
    const group = groupOf(other)
    const isOtherGroup = group !== undefined && group !== groupOf(page)
    return html`<a class="${side}" href="${docsUrl(frame, frame.locale, `/${other.slug}`)}"><span>${label}${isOtherGroup && ` · ${words.groups[group]}`}</span>${other.title}</a>`
  }
  return html`<nav class="neighbours" aria-label="${words.neighbours}">${toLink(frame.pages[index - 1], words.previous, 'previous')}${toLink(frame.pages[index + 1], words.next, 'next')}</nav>`
}

function toEditLink(page: GuidePage, { editUrl, locale }: DocsFrame): Html | null {
  const source = findSourcePath(locale, page.slug)
  if (editUrl === null || source === null) return null
  return html`<a href="${editUrl}${source}">${catalogue(locale).docs.edit}</a>`
}

export function toGuidePage(page: GuidePage, frame: DocsFrame): DocsPage {
  if (page.slug === INDEX) return toStartPage(frame)
  const words = catalogue(frame.locale).docs
  const toc = toContents(page)
  const group = toGroups(frame.pages).find(([, pages]) => pages.includes(page))?.[0]
  // A page without code has no examples to fill in.
  const note = page.html.includes('<pre') ? toProjectNote(frame) : null
  // For a signed-in reader the note comes first, because a reader with several projects chooses one there.
  const isNoteLast = frame.reader.account === null
  const markdownUrl = docsUrl(frame, frame.locale, `/${page.slug}.md`)
  return {
    title: page.title,
    body: html`${isNoteLast ? null : note}
<div class="menus">${toPageMenu(frame)}${toc && html`<details class="contents"><summary>${words.onThisPage}</summary>${toc}</details>`}</div>
${group && html`<p class="eyebrow">${words.groups[group]}</p>`}
<article>${trustedMarkup(fillPage(page.html, frame.reader.project))}</article>
${isNoteLast ? note : null}
${toNeighbours(page, frame)}
<p class="markdown"><a href="${markdownUrl}">${words.markdown}</a>${toEditLink(page, frame)}</p>`,
    // The reference has its examples beside the text, so it has no room for a third column.
    inner: page.slug === REFERENCE ? html`<div class="routes">${toc}</div>` : null,
    toc:
      toc === null || page.slug === REFERENCE
        ? null
        : html`<nav class="toc" aria-labelledby="toc-title"><div><h2 id="toc-title">${words.onThisPage}</h2>${toc}</div></nav>`,
  }
}

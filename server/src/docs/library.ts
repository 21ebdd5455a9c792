// All pages of the docs: the guide from docs/guide, the reference from the OpenAPI document.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { formatLongDate, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Http } from '../http/server.ts'
import { toInstant } from '../lib/clock.ts'
import { adaptToDeployment } from './deployment.ts'
import type { Deployment } from './deployment.ts'
import { includeParts } from './include.ts'
import { toIndexMarkdown } from './index-markdown.ts'
import { parsePage } from './markdown.ts'
import type { GuidePage } from './markdown.ts'
import type { ApiDocument } from './openapi-document.ts'
import { CHANGELOG, INDEX, REFERENCE, SLUGS } from './pages.ts'
import { toReferenceMarkdown } from './reference-markdown.ts'
import { createSearch } from './search.ts'
import type { Hit, Search } from './search.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

export interface Library {
  pages(locale: Locale): readonly GuidePage[]
  find(locale: Locale, slug: string): GuidePage | null
  search(locale: Locale, text: string): Hit[]
  /** Parses all pages and prepares the search, with pauses in between, so that a request waits for one step at most. */
  warm(): Promise<void>
}

function memoize<T>(make: () => T): () => T {
  let cached: { value: T } | null = null
  return () => (cached ??= { value: make() }).value
}

/** Writes the days of the changelog in the language of the page. Their anchors are the same in both languages. */
function withLocalDates(markdown: string, locale: Locale): string {
  return markdown.replaceAll(
    /^## (\d{4}-\d\d-\d\d)$/gm,
    (_line, day: string) => `## ${formatLongDate(locale, toInstant(day), 'UTC')} <!-- id: ${day} -->`,
  )
}

function readMarkdown(slug: string, locale: Locale, api: () => ApiDocument): string {
  if (slug === REFERENCE) return toReferenceMarkdown(api(), locale)
  const markdown = includeParts(
    readFileSync(path.join(ROOT, 'docs/guide', locale, `${slug}.md`), 'utf8'),
    ROOT,
  )
  return slug === CHANGELOG ? withLocalDates(markdown, locale) : markdown
}

/**
 * Tests start several apps in one process. Apps with equal pages share the pages and the search, because preparing them
 * takes a second.
 */
const sharedPages = new Map<string, GuidePage>()
const sharedSearches: { pages: readonly GuidePage[]; search: Search }[] = []

function sharePage(slug: string, locale: Locale, markdown: string): GuidePage {
  const key = `${locale} ${slug} ${markdown}`
  const known = sharedPages.get(key)
  if (known) return known
  const page = { slug, locale, markdown, ...parsePage(markdown, locale) }
  sharedPages.set(key, page)
  return page
}

function shareSearch(pages: readonly GuidePage[], locale: Locale): Search {
  const known = sharedSearches.find((one) => pages.every((page, n) => page === one.pages[n]))
  if (known) return known.search
  const search = createSearch(pages, locale)
  sharedSearches.push({ pages, search })
  return search
}

interface LocalePages {
  pageReaders: (() => GuidePage)[]
  pages: () => readonly GuidePage[]
  index: () => GuidePage
  search: () => Search
}

function createPages(locale: Locale, deployment: Deployment, api: () => ApiDocument): LocalePages {
  const toPage = (slug: string, written: string) =>
    sharePage(slug, locale, adaptToDeployment(written, locale, deployment))
  const pageReaders = SLUGS.map((slug) => memoize(() => toPage(slug, readMarkdown(slug, locale, api))))
  const pages = memoize(() => pageReaders.map((read) => read()))
  return {
    pageReaders,
    pages,
    index: memoize(() => toPage(INDEX, toIndexMarkdown(pages(), locale))),
    search: memoize(() => shareSearch(pages(), locale)),
  }
}

export function createLibrary(deployment: Deployment, api: () => ApiDocument): Library {
  const byLocale: Record<Locale, LocalePages> = {
    cnr: createPages('cnr', deployment, api),
    en: createPages('en', deployment, api),
  }
  return {
    pages: (locale) => byLocale[locale].pages(),
    find(locale, slug) {
      if (slug === INDEX) return byLocale[locale].index()
      return byLocale[locale].pages().find((page) => page.slug === slug) ?? null
    },
    search: (locale, text) => byLocale[locale].search()(text),
    async warm() {
      for (const locale of LOCALES) {
        const { pageReaders, search } = byLocale[locale]
        for (const read of [...pageReaders, search]) {
          read()
          await setImmediate()
        }
      }
    },
  }
}

/** A process that has just started needs its CPU for requests and callbacks. */
const WARM_AFTER_MS = 60_000

/** Pages are parsed after WARM_AFTER_MS, or at an earlier request. By then every route is in the OpenAPI document. */
export function openLibrary(app: Http, deployment: Deployment): Library {
  // The swagger package's type for the document covers every OpenAPI version. `JSON.parse` returns `any`, so the copy can get
  // our own, narrower type.
  const library = createLibrary(deployment, () => JSON.parse(JSON.stringify(app.swagger())) as ApiDocument)
  const stopping = new AbortController()
  app.addHook('onListen', async () => {
    void sleep(WARM_AFTER_MS, undefined, { signal: stopping.signal, ref: false })
      .then(() => library.warm())
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) app.log.error({ err: error }, 'the documentation cannot be read')
      })
  })
  app.addHook('onClose', async () => stopping.abort())
  return library
}

// All pages of the documentation: the guide from docs/guide, the reference from the API's own description, the changelog
// from CHANGELOG.md. Whoever shows, searches or quotes a page takes it from here.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Http } from '../http/server.ts'
import { fitDeployment } from './deployment.ts'
import type { Deployment } from './deployment.ts'
import { includeParts } from './include.ts'
import { toIndexMarkdown } from './index-markdown.ts'
import { parsePage } from './markdown.ts'
import type { GuidePage } from './markdown.ts'
import type { ApiDocument } from './openapi-document.ts'
import { INDEX, REFERENCE, SLUGS } from './pages.ts'
import { toReferenceMarkdown } from './reference-markdown.ts'
import { createSearch } from './search.ts'
import type { Hit, Search } from './search.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

export interface Library {
  /** In reading order. */
  pages(locale: Locale): readonly GuidePage[]
  find(locale: Locale, slug: string): GuidePage | null
  search(locale: Locale, text: string): Hit[]
  /** Reads everything that nobody has asked for yet, a page at a time, so that no request waits for more than that. */
  warm(): Promise<void>
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

function readMarkdown(slug: string, locale: Locale, api: () => ApiDocument): string {
  if (slug === REFERENCE) return toReferenceMarkdown(api(), locale)
  return includeParts(readFileSync(path.join(ROOT, 'docs/guide', locale, `${slug}.md`), 'utf8'), ROOT)
}

interface Shelf {
  parts: (() => GuidePage)[]
  pages: () => readonly GuidePage[]
  /** The list of all pages, which is one itself. */
  index: () => GuidePage
  search: () => Search
}

function createShelf(locale: Locale, here: Deployment, api: () => ApiDocument): Shelf {
  const toPage = (slug: string, written: string): GuidePage => {
    const markdown = fitDeployment(written, locale, here)
    return { slug, locale, markdown, ...parsePage(markdown, locale) }
  }
  const parts = SLUGS.map((slug) => once(() => toPage(slug, readMarkdown(slug, locale, api))))
  const pages = once(() => parts.map((part) => part()))
  return {
    parts,
    pages,
    index: once(() => toPage(INDEX, toIndexMarkdown(pages(), locale))),
    search: once(() => createSearch(pages(), locale)),
  }
}

export function createLibrary(here: Deployment, api: () => ApiDocument): Library {
  const shelves: Record<Locale, Shelf> = {
    cnr: createShelf('cnr', here, api),
    en: createShelf('en', here, api),
  }
  return {
    pages: (locale) => shelves[locale].pages(),
    find(locale, slug) {
      if (slug === INDEX) return shelves[locale].index()
      return shelves[locale].pages().find((page) => page.slug === slug) ?? null
    },
    search: (locale, text) => shelves[locale].search()(text),
    async warm() {
      for (const locale of LOCALES) {
        const { parts, search } = shelves[locale]
        for (const read of [...parts, search]) {
          read()
          await setImmediate()
        }
      }
    },
  }
}

/** A process that has just started has requests and callbacks to catch up with; reading all pages takes half a second of processor. */
const WARM_AFTER_MS = 10_000

/** Read some time after the app listens, or by the first request for a page; by then every route has described itself. */
export function openLibrary(app: Http, here: Deployment): Library {
  // As it goes over the wire: the library that writes it has a type of its own for every version there is.
  const library = createLibrary(here, () => JSON.parse(JSON.stringify(app.swagger())) as ApiDocument)
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

// Finds the section of the guide that answers a question. Sections are ranked on their own; a page is as good as its
// best section.
import MiniSearch from 'minisearch'
import type { Locale } from '@pazar/words'
import { toTerms, wordsOf } from './fold.ts'
import type { GuidePage, Section } from './markdown.ts'
import { CHANGELOG, REFERENCE } from './pages.ts'

export interface Hit {
  page: GuidePage
  section: Section
  score: number
  /** The terms of the text that matched, for showing where. */
  terms: ReadonlySet<string>
}

export type Search = (text: string) => Hit[]

/** A longer question is a pasted log; its beginning says enough, and every term costs a walk through the index. */
const QUESTION_WORDS_MAX = 60
const HITS_MAX = 20

interface Entry {
  id: number
  title: string
  heading: string
  keywords: string
  text: string
  code: string
}

/** What a word in each place is worth: a title names the task, code repeats field names on every page. */
const BOOST = { title: 3, heading: 3, keywords: 2, text: 1, code: 0.3 }

/** Pages that name everything answer little. */
const PAGE_WEIGHT: Readonly<Record<string, number>> = { [REFERENCE]: 0.4, [CHANGELOG]: 0.3 }

export function createSearch(pages: readonly GuidePage[], locale: Locale): Search {
  const places = pages
    .flatMap((page) => page.sections.map((section) => ({ page, section })))
    // A heading with nothing but further headings below it answers nothing.
    .filter(({ section }) => section.text !== '' || section.code !== '')
  // The same few thousand words stand on every page; each is taken apart once.
  const known = new Map<string, string[] | null>()
  const termsOf = (word: string) => {
    const terms = known.get(word) ?? toTerms(word, locale)
    known.set(word, terms)
    return terms
  }
  const index = new MiniSearch<Entry>({
    fields: ['title', 'heading', 'keywords', 'text', 'code'],
    tokenize: (text) => [...wordsOf(text)].map(({ word }) => word),
    processTerm: termsOf,
  })
  index.addAll(
    places.map(({ page, section }, id) => ({
      id,
      title: page.title,
      heading: section.heading,
      keywords: section.keywords,
      text: section.text,
      code: section.code,
    })),
  )
  return (text) => {
    const words = [...wordsOf(text)].slice(0, QUESTION_WORDS_MAX).map(({ word }) => word)
    const found = index.search(words.join(' '), {
      boost: BOOST,
      boostDocument: (id) => PAGE_WEIGHT[places[Number(id)]?.page.slug ?? ''] ?? 1,
      // A question's words are anybody's: remembering them all would be a leak.
      processTerm: (word) => toTerms(word, locale),
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    })
    return found.slice(0, HITS_MAX).map(({ id, score, terms }) => {
      const place = places[Number(id)]
      if (!place) throw new Error('The index names a section that there is not.')
      return { ...place, score, terms: new Set(terms) }
    })
  }
}

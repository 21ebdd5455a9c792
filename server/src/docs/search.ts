// Finds the section of the guide that answers a question. Sections are ranked on their own; a page is as good as its
// best section.
import MiniSearch from 'minisearch'
import type { Locale } from '@pazar/words'
import { toTerms, wordsOf } from './fold.ts'
import type { GuidePage, Section } from './markdown.ts'
import { CHANGELOG, REFERENCE } from './pages.ts'
import { createShare } from './share.ts'
import { findSynonyms, joinPhrases } from './synonyms.ts'

export interface Hit {
  page: GuidePage
  section: Section
  score: number
  /** The terms of the text that matched, for showing where. */
  terms: ReadonlySet<string>
  /** Which part of the question it speaks of, from 0 to 1. */
  share: number
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

/** Pages that name everything answer little, unless the question is about the API itself. */
const PAGE_WEIGHT: Readonly<Record<string, number>> = { [REFERENCE]: 0.4, [CHANGELOG]: 0.3 }
const OF_REFERENCE = new Set(['api', 'endpoint', 'rout', 'rut', 'openapi', 'field', 'polj'])

/** What another word for the same thing is worth, beside the one that was asked. */
const SYNONYM_WEIGHT = 0.5
/** A section that has few of the question's words is about something else, however often it has them. */
const COVERAGE_WEIGHT = 0.6

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
  const shareOf = createShare(
    places.map(({ section }) => section),
    termsOf,
    locale,
  )
  return (text) => {
    const words = [...wordsOf(joinPhrases(text, locale))].slice(0, QUESTION_WORDS_MAX).map(({ word }) => word)
    // A question's words are anybody's: remembering them all would be a leak.
    const asked = [...new Set(words.flatMap((word) => toTerms(word, locale) ?? []))]
    const others = findSynonyms(asked, locale)
    const isOfReference = asked.some((term) => OF_REFERENCE.has(term))
    const weightOf = (slug: string) => (isOfReference && slug === REFERENCE ? 1 : (PAGE_WEIGHT[slug] ?? 1))
    const found = index.search([...asked, ...others].join(' '), {
      boost: BOOST,
      boostDocument: (id) => weightOf(places[Number(id)]?.page.slug ?? ''),
      boostTerm: (_term, at) => (at < asked.length ? 1 : SYNONYM_WEIGHT),
      processTerm: (term) => term,
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    })
    const hits = found.map(({ id, score, terms, queryTerms }) => {
      const place = places[Number(id)]
      if (!place) throw new Error('The index names a section that there is not.')
      const share = shareOf({ asked, terms, queryTerms })
      return {
        ...place,
        score: score * (1 - COVERAGE_WEIGHT + COVERAGE_WEIGHT * share),
        terms: new Set(terms),
        share,
      }
    })
    return hits.toSorted((a, b) => b.score - a.score).slice(0, HITS_MAX)
  }
}

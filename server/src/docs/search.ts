// Finds the sections of the docs that answer a question, best first.
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
  /** The terms of the section that matched; the excerpt marks them. */
  terms: ReadonlySet<string>
  /** The share of the question that the section covers, from 0 to 1. */
  share: number
}

export type Search = (text: string) => Hit[]

/** A longer question is probably a pasted log. Its start is enough, because every word costs a search in the index. */
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

/** The weight of a match in each field. A title names the task; code repeats the same names on every page. */
const FIELD_WEIGHTS = { title: 3, heading: 3, keywords: 2, text: 1, code: 0.3 }

/** These pages mention nearly every word but explain few. A question about the API itself gives the reference full weight. */
const PAGE_WEIGHT: Readonly<Record<string, number>> = { [REFERENCE]: 0.4, [CHANGELOG]: 0.3 }
const REFERENCE_TERMS = new Set(['api', 'endpoint', 'rout', 'rut', 'openapi', 'field', 'polj'])

/** The weight of a synonym, compared to the word in the question. */
const SYNONYM_WEIGHT = 0.5
/** How much the share counts in the score: a section that repeats only one word of the question should not win. */
const COVERAGE_WEIGHT = 0.6

export function createSearch(pages: readonly GuidePage[], locale: Locale): Search {
  const entries = pages
    .flatMap((page) => page.sections.map((section) => ({ page, section })))
    // A heading that is directly followed by another heading has no text, so it is left out.
    .filter(({ section }) => section.text !== '' || section.code !== '')
  // The pages share a few thousand words. The terms of each are computed once.
  const cachedTerms = new Map<string, string[] | null>()
  const termsOf = (word: string) => {
    const terms = cachedTerms.get(word) ?? toTerms(word, locale)
    cachedTerms.set(word, terms)
    return terms
  }
  const index = new MiniSearch<Entry>({
    fields: ['title', 'heading', 'keywords', 'text', 'code'],
    tokenize: (text) => [...wordsOf(text)].map(({ word }) => word),
    processTerm: termsOf,
  })
  index.addAll(
    entries.map(({ page, section }, id) => ({
      id,
      title: page.title,
      heading: section.heading,
      keywords: section.keywords,
      text: section.text,
      code: section.code,
    })),
  )
  const shareOf = createShare(
    entries.map(({ section }) => section),
    termsOf,
    locale,
  )
  return (text) => {
    const words = [...wordsOf(joinPhrases(text, locale))].slice(0, QUESTION_WORDS_MAX).map(({ word }) => word)
    // These terms are not cached: questions may contain any words, so the cache would grow without bound.
    const queried = [...new Set(words.flatMap((word) => toTerms(word, locale) ?? []))]
    const synonyms = findSynonyms(queried, locale)
    const isAboutApi = queried.some((term) => REFERENCE_TERMS.has(term))
    const weightOf = (slug: string) => (isAboutApi && slug === REFERENCE ? 1 : (PAGE_WEIGHT[slug] ?? 1))
    const found = index.search([...queried, ...synonyms].join(' '), {
      boost: FIELD_WEIGHTS,
      boostDocument: (id) => weightOf(entries[Number(id)]?.page.slug ?? ''),
      boostTerm: (_term, at) => (at < queried.length ? 1 : SYNONYM_WEIGHT),
      processTerm: (term) => term,
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    })
    const hits = found.map(({ id, score, terms, queryTerms }) => {
      const entry = entries[Number(id)]
      if (!entry) throw new Error('The index names an unknown section.')
      const share = shareOf({ queried, terms, queryTerms })
      return {
        ...entry,
        score: score * (1 - COVERAGE_WEIGHT + COVERAGE_WEIGHT * share),
        terms: new Set(terms),
        share,
      }
    })
    return hits.toSorted((a, b) => b.score - a.score).slice(0, HITS_MAX)
  }
}

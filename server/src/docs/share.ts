// Computes which share of a question a section covers: how many words of the question are in the section, where rare words
// count more. The score of a search only ranks sections, and even the best section may not answer the question. The share
// shows whether it does.
import type { Locale } from '@pazar/words'
import { wordsOf } from './fold.ts'
import type { GuidePage, Section } from './markdown.ts'
import { joinPhrases } from './phrases.ts'

/** A number is usually the reader's own order or amount, so it has no weight. HTTP statuses from 300 to 599 have weight. */
const OWN_NUMBER = /^(?![345]\d\d$)\d+$/
/**
 * How many letters longer than the queried word a found word may be: "callbacks" matches "callback", but "application"
 * does not match "appl".
 */
const ENDING_MAX = 3
/** A word that is only similar counts half, because it may be a typo or a different word. */
const SIMILAR_WEIGHT = 0.5

export interface Match {
  queried: readonly string[]
  /** Terms of the section that matched. */
  terms: readonly string[]
  /** Terms of the question that matched exactly or as a similar word. */
  queryTerms: readonly string[]
}

function countSections(
  sections: readonly Section[],
  termsOf: (word: string) => string[] | null,
  locale: Locale,
) {
  const counts = new Map<string, number>()
  for (const { heading, questions, keywords, text } of sections) {
    const words = wordsOf(joinPhrases([heading, questions, keywords, text].join(' '), locale))
    for (const term of new Set(words.flatMap((word) => termsOf(word) ?? [])))
      counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}

function isSameWord(queried: string, found: string): boolean {
  return (
    found === queried ||
    (found.startsWith(queried) && queried.length > 3 && found.length - queried.length <= ENDING_MAX)
  )
}

/** A word that is in nearly every section has almost no weight. A word in at most one section has the most weight. */
export function createWeight(
  sections: readonly Section[],
  termsOf: (word: string) => string[] | null,
  locale: Locale,
): (term: string) => number {
  const counts = countSections(sections, termsOf, locale)
  return (term) =>
    OWN_NUMBER.test(term) ? 0 : Math.log(sections.length / Math.max(1, counts.get(term) ?? 0))
}

export function createShare(weightOf: (term: string) => number): (match: Match) => number {
  return ({ queried, terms, queryTerms }) => {
    const coverageOf = (term: string) => {
      if (terms.some((one) => isSameWord(term, one))) return 1
      return queryTerms.includes(term) && !terms.some((one) => one.startsWith(term)) ? SIMILAR_WEIGHT : 0
    }
    const total = queried.reduce((sum, term) => sum + weightOf(term), 0)
    const covered = queried.reduce((sum, term) => sum + weightOf(term) * coverageOf(term), 0)
    return total > 0 ? covered / total : 0
  }
}

/** Returns a function that computes which share of a question, from 0 to 1, the title of a page covers. */
export function createTitleShare(
  termsOf: (word: string) => string[] | null,
  weightOf: (term: string) => number,
): (queried: readonly string[]) => (page: GuidePage) => number {
  const toTotal = (terms: readonly string[]) => terms.reduce((sum, term) => sum + weightOf(term), 0)
  return (queried) => {
    const total = toTotal(queried)
    return ({ title }) => {
      const terms = new Set(wordsOf(title).flatMap((word) => termsOf(word) ?? []))
      return total > 0 ? toTotal(queried.filter((term) => terms.has(term))) / total : 0
    }
  }
}

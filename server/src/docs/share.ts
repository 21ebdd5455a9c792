// How much of a question a section speaks of. A good score only says that no other section fits better; this says
// whether the best one fits at all, so that a question the guide does not answer can be told from one it does.
import type { Locale } from '@pazar/words'
import { wordsOf } from './fold.ts'
import type { Section } from './markdown.ts'
import { findSynonyms } from './synonyms.ts'

/** A number in a question is the asker's own: his order, his amount. Nothing follows from its being in no section. */
const OWN_NUMBER = /^\d+$/
/** "callbacks" is the word "callback", "application" is not the word "apple": beyond this an ending is another word. */
const ENDING_MAX = 3
/** A word that is only similar may be a slip of the pen, or a word for something else. */
const SIMILAR = 0.5

/** The question's terms, and what a section was found by. */
export interface Match {
  asked: readonly string[]
  /** Terms of the section that matched. */
  terms: readonly string[]
  /** Terms of the question that did, be it as a similar word. */
  queryTerms: readonly string[]
}

function countSections(sections: readonly Section[], termsOf: (word: string) => string[] | null) {
  const counts = new Map<string, number>()
  for (const { heading, keywords, text } of sections) {
    const words = [...wordsOf([heading, keywords, text].join(' '))]
    for (const term of new Set(words.flatMap(({ word }) => termsOf(word) ?? [])))
      counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}

function isSameWord(asked: string, found: string): boolean {
  return (
    found === asked ||
    (found.startsWith(asked) && asked.length > 3 && found.length - asked.length <= ENDING_MAX)
  )
}

/** From 0 to 1. Words that stand in nearly every section say nothing; those that stand in none weigh most. */
export function createShare(
  sections: readonly Section[],
  termsOf: (word: string) => string[] | null,
  locale: Locale,
): (match: Match) => number {
  const counts = countSections(sections, termsOf)
  const weightOf = (term: string) =>
    OWN_NUMBER.test(term) ? 0 : Math.log(sections.length / Math.max(1, counts.get(term) ?? 0))
  return ({ asked, terms, queryTerms }) => {
    const metBy = (term: string) => {
      const names = [term, ...findSynonyms([term], locale)]
      if (names.some((name) => terms.some((one) => isSameWord(name, one)))) return 1
      const isSimilar = (name: string) =>
        queryTerms.includes(name) && !terms.some((one) => one.startsWith(name))
      return names.some(isSimilar) ? SIMILAR : 0
    }
    const total = asked.reduce((sum, term) => sum + weightOf(term), 0)
    const met = asked.reduce((sum, term) => sum + weightOf(term) * metBy(term), 0)
    return total > 0 ? met / total : 0
  }
}

// The search index sees all questions of a section as one text, in which the words of different questions can match by
// chance. So each listed question is also compared alone.
import type { Locale } from '@pazar/words'
import { wordsOf } from './fold.ts'
import type { Section } from './markdown.ts'
import { joinPhrases } from './phrases.ts'

const END = /(?<=\?)\s+/

/** Two questions that share only one word, even a rare one, probably do not ask the same thing. */
const SHARED_TERMS_MIN = 2

/**
 * A match has two shares: how much of the typed question is in the listed question, and how much of the listed question
 * is in the typed question. The first share counts more, because a listed question may name several cases.
 */
const TYPED_EXPONENT = 0.65

interface Listed {
  terms: ReadonlySet<string>
  weight: number
}

function toTotal(terms: Iterable<string>, weightOf: (term: string) => number): number {
  return [...terms].reduce((sum, term) => sum + weightOf(term), 0)
}

function questionsOf({ heading, questions }: Section): string[] {
  return [...(heading.endsWith('?') ? [heading] : []), ...questions.split(END)].filter((text) => text !== '')
}

/**
 * The returned function takes the terms of a typed question and returns a second function. The second function takes the
 * index of a section and returns how well its questions match: from 0 (none matches) to 1.
 */
export function createQuestionMatch(
  sections: readonly Section[],
  termsOf: (word: string) => string[] | null,
  weightOf: (term: string) => number,
  locale: Locale,
): (queried: readonly string[]) => (at: number) => number {
  const toListed = (text: string): Listed => {
    const terms = new Set(wordsOf(joinPhrases(text, locale)).flatMap((word) => termsOf(word) ?? []))
    return { terms, weight: toTotal(terms, weightOf) }
  }
  const listed = sections.map((section) => questionsOf(section).map(toListed))
  return (queried) => {
    const total = toTotal(queried, weightOf)
    if (total === 0) return () => 0
    return (at) =>
      (listed[at] ?? []).reduce((best, { terms, weight }) => {
        const shared = queried.filter((term) => terms.has(term))
        if (weight === 0 || shared.length < Math.min(SHARED_TERMS_MIN, queried.length)) return best
        const sum = toTotal(shared, weightOf)
        return Math.max(best, (sum / total) ** TYPED_EXPONENT * (sum / weight) ** (1 - TYPED_EXPONENT))
      }, 0)
  }
}

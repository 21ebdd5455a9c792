// Corrects typing errors in questions: "acess" becomes "access". Only a word that the documentation does not have is
// corrected, and only to a word that differs by one letter or by two swapped letters.
import type { Locale } from '@pazar/words'
import { toTerms, wordsOf } from './fold.ts'
import type { Section } from './markdown.ts'
import { joinPhrases } from './phrases.ts'
import { synonymTerms } from './synonyms.ts'

/**
 * How many letters a term needs to be corrected. Shorter terms are too similar to others. The Montenegrin minimum is higher:
 * long endings of Montenegrin words are cut off, so many terms are short.
 */
const CORRECTED_MIN: Readonly<Record<Locale, number>> = { en: 4, cnr: 5 }

/**
 * True if one letter is missing, added or different, or if two letters side by side are swapped. The first letter must be the
 * same. `a` and `b` are never equal.
 */
function isOneLetterApart(a: string, b: string): boolean {
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const restA = a.slice(start)
  const restB = b.slice(start)
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  )
}

/** The result is a function from a term to its correction: the most common similar term, or the term itself. */
export function createSpelling(sections: readonly Section[], locale: Locale): (term: string) => string {
  const min = CORRECTED_MIN[locale]
  const counts = new Map(synonymTerms(locale).map((term) => [term, 1]))
  for (const { heading, questions, keywords, text, code } of sections)
    for (const word of wordsOf(joinPhrases([heading, questions, keywords, text, code].join(' '), locale)))
      for (const term of toTerms(word, locale) ?? []) counts.set(term, (counts.get(term) ?? 0) + 1)
  return (term) => {
    if (term.length < min || counts.has(term)) return term
    const terms = [...counts]
    // "webh" may be the beginning of a word, so it is not corrected.
    if (terms.some(([known]) => known.startsWith(term))) return term
    const similar = terms.filter(([known]) => known.length >= min && isOneLetterApart(term, known))
    return similar.reduce((best, one) => (one[1] > best[1] ? one : best), [term, 0] as [string, number])[0]
  }
}

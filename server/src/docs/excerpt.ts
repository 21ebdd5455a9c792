// A short excerpt around a search hit, with the matching words marked.
import type { Locale } from '@pazar/words'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import { toTerms, wordsOf } from './fold.ts'
import type { Hit } from './search.ts'
import { toConcept } from './synonyms.ts'

const CHARACTERS_BEFORE_MATCH = 60
const EXCERPT_CHARACTERS = 220

export function toExcerpt({ section, terms, typed }: Hit, locale: Locale): Html {
  // A table in one line says little, so tables are left out unless the section has nothing else.
  const text = section.prose || section.text
  const wordsWith = (isMatch: (term: string) => boolean) =>
    [...wordsOf(text)].filter(({ word }) => toTerms(word, locale)?.some(isMatch) ?? false)
  const sameWords = wordsWith((term) => typed.includes(term))
  // Synonyms and similar words are marked only where the section has none of the reader's own words.
  const matches = sameWords.length > 0 ? sameWords : wordsWith((term) => terms.has(toConcept(term, locale)))
  const earliestStart = Math.max(0, (matches[0]?.at ?? 0) - CHARACTERS_BEFORE_MATCH)
  const start = earliestStart === 0 ? 0 : text.indexOf(' ', earliestStart) + 1
  const nextSpace = text.indexOf(' ', start + EXCERPT_CHARACTERS)
  const end = nextSpace < 0 ? text.length : nextSpace
  const parts: Html[] = []
  let position = start
  for (const { word, at: from } of matches) {
    if (from < position || from + word.length > end) continue
    parts.push(html`${text.slice(position, from)}<mark>${word}</mark>`)
    position = from + word.length
  }
  return html`${start > 0 ? '… ' : ''}${parts}${text.slice(position, end)}${end < text.length ? ' …' : ''}`
}

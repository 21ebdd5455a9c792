import type { Locale } from '@pazar/words'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import { toTerms, WORD } from './fold.ts'
import type { Hit } from './search.ts'
import { toConcept } from './synonyms.ts'

const CHARACTERS_BEFORE_MATCH = 60
const EXCERPT_CHARACTERS = 220

interface Match {
  text: string
  matches: { word: string; at: number }[]
}

/** Finds synonyms and similar words only if the text has no word of the question. */
function findMatches(text: string, { terms, typed }: Hit, locale: Locale): Match {
  const wordsWith = (isMatch: (term: string) => boolean) =>
    Array.from(text.matchAll(WORD), ({ 0: word, index: at }) => ({ word, at })).filter(
      ({ word }) => toTerms(word, locale)?.some(isMatch) ?? false,
    )
  const sameWords = wordsWith((term) => typed.includes(term))
  return {
    text,
    matches: sameWords.length > 0 ? sameWords : wordsWith((term) => terms.has(toConcept(term, locale))),
  }
}

export function toMarked(heading: string, hit: Hit, locale: Locale): Html {
  const { matches } = findMatches(heading, hit, locale)
  const parts = matches.map(({ word, at }, index) => {
    const before = matches[index - 1]
    return html`${heading.slice(before ? before.at + before.word.length : 0, at)}<mark>${word}</mark>`
  })
  const last = matches.at(-1)
  return html`${parts}${heading.slice(last ? last.at + last.word.length : 0)}`
}

function findInTable(hit: Hit, locale: Locale): Match | null {
  const inRows = hit.section.rows.map((row) => findMatches(row, hit, locale))
  const countOf = ({ matches }: Match) => new Set(matches.map(({ word }) => word)).size
  const best = inRows.reduce<Match | null>(
    (most, row) => (countOf(row) > (most ? countOf(most) : 0) ? row : most),
    null,
  )
  return best
}

export function toExcerpt(hit: Hit, locale: Locale): Html {
  const { section } = hit
  // A table row is hard to read in an excerpt, so it is shown only if the prose has none of the words or there is no prose.
  const inProse = findMatches(section.prose || section.rows[0] || section.text, hit, locale)
  const { text, matches } = inProse.matches.length > 0 ? inProse : (findInTable(hit, locale) ?? inProse)
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

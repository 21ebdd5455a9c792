import MiniSearch from 'minisearch'
import type { Locale } from '@pazar/words'
import { findFieldNames } from './field-names.ts'
import { fold, toTerms, wordsOf } from './fold.ts'
import type { GuidePage, Section } from './markdown.ts'
import { CHANGELOG, REFERENCE } from './pages.ts'
import { joinPhrases } from './phrases.ts'
import { createQuestionMatch } from './question-match.ts'
import { createShare, createTitleShare, createWeight } from './share.ts'
import { createSpelling } from './spelling.ts'
import { completeConcepts, toConcept } from './synonyms.ts'

export interface Hit {
  page: GuidePage
  section: Section
  score: number
  /** The terms of the section that matched, including synonyms. */
  terms: ReadonlySet<string>
  /** The terms of the question itself. The excerpt marks synonyms only if the section has none of these. */
  typed: readonly string[]
  share: number
  /** True if the question names a field or code of the API, and the section contains this name. */
  hasFieldName: boolean
}

export type Search = (text: string) => Hit[]

/** A longer question is probably a pasted log. Only its start is used, because every word costs a search. */
const QUESTION_WORDS_MAX = 60
export const HITS_MAX = 20

interface Entry {
  id: number
  title: string
  heading: string
  questions: string
  keywords: string
  text: string
  code: string
}

/** The weight of a match in each field. Code counts least, because it repeats the same names on every page. */
const FIELD_WEIGHTS = { title: 1.1, heading: 1.8, questions: 2.2, keywords: 1.1, text: 0.7, code: 0.15 }

/** `b`: how much less a match in a long text counts. With the default, sections with many questions rank too low. */
const LENGTH_WEIGHTS = { k: 1.2, b: 0.5, d: 0.5 }

/** These pages mention nearly every word but explain few. A question about the API itself gives the reference full weight. */
const PAGE_WEIGHT: Readonly<Record<string, number>> = { [REFERENCE]: 0.4, [CHANGELOG]: 0.3 }
const REFERENCE_TERMS = new Set(['api', 'endpoint', 'rout', 'rut', 'openapi', 'field', 'polj'])

/** The weight of two neighbouring words of the question that the section has in the same order. */
const PAIR_WEIGHT = 0.5
const QUESTION_WEIGHT = 1
/** The weight of the question's words that are in the page title. A question with "exam" is probably about the exam. */
const TITLE_WEIGHT = 0.3
/** A search for one word prefers headings with exactly this word. Another form of the word in a heading counts much less. */
const HEADING_WORD_WEIGHT = 1.6
const HEADING_FORM_WEIGHT = 0.2
/** In a search for one word of the guide: the weight of a section that has only a synonym of this word. */
const SYNONYM_WEIGHT = 0.4
/** A searched word is a word of the guide if at least this share of the found sections has the word itself. */
const OWN_WORD_SHARE_MIN = 1 / 3
/** A search for one word shows its best results up to this number. Further results need SCORE_SHARE_MIN of the best score. */
const HITS_MIN = 10
const SCORE_SHARE_MIN = 0.2
/** The weight of the share of the question that a section covers. A section that repeats one word should not win. */
const SHARE_WEIGHT = 0.8
/** The weight of the best sections of the page: a page about the topic is a better result than a passing mention. */
const PAGE_SCORE_WEIGHT = 0.35
/** At most this many sections of a page count, so that a long page does not win by its length. */
const PAGE_SECTIONS_MAX = 3

function createConcepts(locale: Locale): (word: string) => string[] | null {
  const cached = new Map<string, string[] | null>()
  return (word) => {
    const known = cached.get(word)
    if (known !== undefined) return known
    const concepts = toTerms(word, locale)?.map((term) => toConcept(term, locale)) ?? null
    cached.set(word, concepts)
    return concepts
  }
}

function pairsOf(terms: readonly string[]): string[] {
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`)
}

/** The fewer other words the heading has, the larger the bonus. */
function headingBonusOf(term: string | undefined, typed: string, heading: string, locale: Locale): number {
  const words = wordsOf(heading)
  const terms = words.flatMap((word) => toTerms(word, locale) ?? [])
  if (term === undefined || !terms.includes(term)) return 0
  const isSame = words.some((word) => fold(word) === fold(typed))
  return (isSame ? HEADING_WORD_WEIGHT : HEADING_FORM_WEIGHT) / terms.length
}

function sectionPairsOf(
  { heading, questions, keywords, text }: Section,
  conceptsOf: (word: string) => string[] | null,
  locale: Locale,
): Set<string> {
  return new Set(
    [heading, questions, keywords, text].flatMap((part) =>
      pairsOf(wordsOf(joinPhrases(part, locale)).flatMap((word) => conceptsOf(word) ?? [])),
    ),
  )
}

function ownTermsOf({ heading, text }: Section, locale: Locale): Set<string> {
  const words = wordsOf(joinPhrases(`${heading} ${text}`, locale))
  return new Set(words.flatMap((word) => toTerms(word, locale) ?? []))
}

function addPageScores(hits: readonly Hit[]): Hit[] {
  const best = hits.toSorted((a, b) => b.score - a.score)
  const scores = new Map<GuidePage, number[]>()
  for (const { page, score } of best) scores.set(page, [...(scores.get(page) ?? []), score])
  const pageScore = (page: GuidePage) =>
    (scores.get(page) ?? []).slice(0, PAGE_SECTIONS_MAX).reduce((sum, score) => sum + score, 0)
  return best
    .map((hit) => ({ ...hit, score: hit.score + PAGE_SCORE_WEIGHT * pageScore(hit.page) }))
    .toSorted((a, b) => b.score - a.score)
}

function rankForWord(
  hits: readonly Hit[],
  termsOf: ReadonlyMap<Section, ReadonlySet<string>>,
  term: string,
): Hit[] {
  const isOwn = hits.map(({ section }) => termsOf.get(section)?.has(term) ?? false)
  const isWordOfGuide = isOwn.filter(Boolean).length >= hits.length * OWN_WORD_SHARE_MIN
  const weighed = hits.map((hit, at) =>
    isOwn[at] || !isWordOfGuide ? hit : { ...hit, score: hit.score * SYNONYM_WEIGHT },
  )
  const best = addPageScores(weighed)
  const scoreMin = (best[0]?.score ?? 0) * SCORE_SHARE_MIN
  return best.filter(({ score }, at) => at < HITS_MIN || score >= scoreMin)
}

function createIndex(
  entries: readonly { page: GuidePage; section: Section }[],
  conceptsOf: (word: string) => string[] | null,
  locale: Locale,
): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: ['title', 'heading', 'questions', 'keywords', 'text', 'code'],
    tokenize: (text) => wordsOf(joinPhrases(text, locale)),
    processTerm: conceptsOf,
  })
  index.addAll(
    entries.map(({ page, section }, id) => ({
      id,
      title: page.title,
      heading: section.heading,
      questions: section.questions,
      keywords: section.keywords,
      text: section.text,
      code: section.code,
    })),
  )
  return index
}

export function createSearch(pages: readonly GuidePage[], locale: Locale): Search {
  const entries = pages
    .flatMap((page) => page.sections.map((section) => ({ page, section })))
    // A heading that is directly followed by another heading has no text, so it is left out.
    .filter(({ section }) => section.text !== '' || section.code !== '')
  const conceptsOf = createConcepts(locale)
  const index = createIndex(entries, conceptsOf, locale)
  const pairs = entries.map(({ section }) => sectionPairsOf(section, conceptsOf, locale))
  const ownTerms = new Map(entries.map(({ section }) => [section, ownTermsOf(section, locale)]))
  const sections = entries.map(({ section }) => section)
  const weightOf = createWeight(sections, conceptsOf, locale)
  const shareOf = createShare(weightOf)
  const compareTitles = createTitleShare(conceptsOf, weightOf)
  const fieldNames = findFieldNames(sections, conceptsOf)
  const correct = createSpelling(sections, locale)
  const compareQuestions = createQuestionMatch(sections, conceptsOf, weightOf, locale)
  return (text) => {
    const words = wordsOf(joinPhrases(text, locale)).slice(0, QUESTION_WORDS_MAX)
    // These terms are not cached: questions may contain any words, so the cache would grow without bound.
    const typed = [...new Set(words.flatMap((word) => toTerms(word, locale) ?? []).map(correct))]
    const [onlyTerm] = typed.length === 1 ? typed : []
    const completed = onlyTerm === undefined ? [] : completeConcepts(onlyTerm, locale)
    const queried = [...new Set([...typed.map((term) => toConcept(term, locale)), ...completed])]
    const isAboutApi = queried.some((term) => REFERENCE_TERMS.has(term))
    const pageWeightOf = (slug: string) => (isAboutApi && slug === REFERENCE ? 1 : (PAGE_WEIGHT[slug] ?? 1))
    const found = index.search(queried.join(' '), {
      boost: FIELD_WEIGHTS,
      bm25: LENGTH_WEIGHTS,
      boostDocument: (id) => pageWeightOf(entries[Number(id)]?.page.slug ?? ''),
      processTerm: (term) => term,
      tokenize: (terms) => terms.split(' '),
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    })
    const queriedPairs = pairsOf(queried)
    const questionMatchOf = compareQuestions(queried)
    const titleShareOf = compareTitles(queried)
    const hits = found.map(({ id, score, terms, queryTerms }) => {
      const entry = entries[Number(id)]
      const ownPairs = pairs[Number(id)]
      if (!entry || !ownPairs) throw new Error('The index names an unknown section.')
      const pairShare =
        queriedPairs.filter((pair) => ownPairs.has(pair)).length / Math.max(1, queriedPairs.length)
      const questionMatch = questionMatchOf(Number(id))
      const share = Math.max(questionMatch, shareOf({ queried, terms, queryTerms }))
      return {
        ...entry,
        // The index multiplies the score by the number of matching words. Here the share replaces this number, because the
        // share gives rare words more weight.
        score:
          (score / Math.max(1, queryTerms.length)) *
          (1 - SHARE_WEIGHT + SHARE_WEIGHT * share) *
          (1 + PAIR_WEIGHT * pairShare) *
          (1 + QUESTION_WEIGHT * questionMatch ** 2) *
          (1 + TITLE_WEIGHT * titleShareOf(entry.page)) *
          (1 + headingBonusOf(onlyTerm, text.trim(), entry.section.heading, locale)),
        terms: new Set(terms),
        typed,
        share,
        hasFieldName: queried.some((term) => fieldNames.has(term) && terms.includes(term)),
      }
    })
    const ranked = onlyTerm === undefined ? addPageScores(hits) : rankForWord(hits, ownTerms, onlyTerm)
    return ranked.slice(0, HITS_MAX)
  }
}

// POST /sdk/ai/prompt: answers a question about the integration from the documentation. If a model is configured, the
// model writes the answer. Without a model, or if the model fails, a section of the documentation is quoted.
import type { PromptAnswer, PromptBody } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import { catalogue } from '@pazar/words'
import type { AccountId } from '../accounts/account.ts'
import { CHANGELOG } from '../docs/pages.ts'
import type { Hit } from '../docs/search.ts'
import type { Project } from '../projects/project.ts'
import { requireProject } from '../projects/access.ts'
import type { AssistantDeps } from './deps.ts'
import { askModel, ModelError } from './model.ts'
import { quote } from './quote.ts'

/** Only this many of the best results are searched for the closest section (see CLOSE_MIN). */
const CLOSE_HITS_MAX = 3
const SOURCES_MAX = 3
/** A section with a far lower score than the best one is about something else. */
const SCORE_SHARE_MIN = 0.35
/**
 * The best section is the answer if it reaches both numbers of one pair. `share` is the share of the question that the
 * section covers, from 0 to 1. The numbers are measured with questions.test.ts.
 */
const ANSWER_MIN = [
  { share: 0.5, score: 20 },
  { share: 0.4, score: 60 },
]
/**
 * If no section is the answer, the closest section is quoted. It is the first one that reaches both numbers, or that
 * contains an API name from the question, such as `customId`.
 */
const CLOSE_MIN = { share: 0.3, score: 15 }

interface Bounds {
  share: number
  score: number
}

function isAtLeast(hit: Hit, min: Bounds): boolean {
  return hit.share >= min.share && hit.score >= min.score
}

/** A day of the changelog is long and contains most words by chance, so it can be a source but is never quoted. */
function isQuotable({ page }: Hit): boolean {
  return page.slug !== CHANGELOG
}

function pickHits(deps: AssistantDeps, locale: Locale, prompt: string): Hit[] {
  const hits = deps.library.search(locale, prompt)
  const best = hits.find(isQuotable)?.score ?? 0
  return hits.filter(({ score }) => score >= best * SCORE_SHARE_MIN)
}

function toSources(deps: AssistantDeps, locale: Locale, hits: readonly Hit[]): PromptAnswer['sources'] {
  const root = `${deps.config.baseUrl}/${locale}/docs`
  if (hits.length === 0) return [{ title: catalogue(locale).docs.title, url: root }]
  // Each page has one entry, which links to the page's best section.
  const best = hits.filter((hit, index) => hits.findIndex(({ page }) => page === hit.page) === index)
  return best.slice(0, SOURCES_MAX).map(({ page, section }) => ({
    title: section.anchor === null ? page.title : `${page.title} › ${section.heading}`,
    url: `${root}/${page.slug}${section.anchor === null ? '' : `#${section.anchor}`}`,
  }))
}

/** Null if no model is configured, or the model failed. */
async function findModelAnswer(
  deps: AssistantDeps,
  question: { prompt: string; locale: Locale; hits: readonly Hit[]; project: Project | null },
): Promise<string | null> {
  const { ai } = deps.config
  if (ai === null) return null
  try {
    return await askModel(ai, question)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    deps.log.warn({ why: error.message }, 'the model did not answer; the documentation is quoted instead')
    return null
  }
}

export async function answerPrompt(
  deps: AssistantDeps,
  accountId: AccountId,
  body: PromptBody & { locale: Locale },
): Promise<PromptAnswer> {
  const { prompt, locale, projectId } = body
  const project = projectId === undefined ? null : await requireProject(deps.db, accountId, projectId, 'read')
  const hits = pickHits(deps, locale, prompt)
  const quotableHits = hits.filter(isQuotable)
  const best = quotableHits[0]
  const isAnswer = best !== undefined && ANSWER_MIN.some((min) => isAtLeast(best, min))
  const closest = isAnswer
    ? best
    : (quotableHits.slice(0, CLOSE_HITS_MAX).find((hit) => isAtLeast(hit, CLOSE_MIN) || hit.hasFieldName) ??
      null)
  const sources = toSources(deps, locale, closest ? [closest, ...hits] : [])
  const modelAnswer = await findModelAnswer(deps, { prompt, locale, hits, project })
  if (modelAnswer !== null) return { answer: modelAnswer, sources, model: deps.config.ai?.model ?? null }
  return { answer: quote(closest, isAnswer, locale, project), sources, model: null }
}

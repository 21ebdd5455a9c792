// POST /sdk/ai/prompt: answers a question about the integration from the documentation and the settings of the project,
// without its secrets. If a model is set up, the model writes the answer, without tools; this file decides what the model
// reads and which sources are named.
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

/** Only one of this many best results can be quoted as the closest section. */
const CLOSE_HITS_MAX = 3
/** Pages named with an answer: enough for further reading, few enough to choose from. */
const SOURCES_MAX = 3
/** A section with a far lower score than the best one is about something else. */
const SCORE_SHARE_MIN = 0.35
/**
 * A section is the answer if it reaches both numbers of one of these pairs. `share` is the share of the question's words
 * that it has: with less, a part of the question is about something else. With a lower score, only common words match. The
 * numbers are measured with questions.test.ts: nearly all questions that the guide answers reach them, and no others do.
 */
const ANSWER_MIN = [
  { share: 0.5, score: 20 },
  { share: 0.4, score: 60 },
]
/**
 * A section that is not the answer but reaches these numbers is quoted as the closest one. Below them no page is named,
 * unless the question has an API name such as `customId`: if many sections have that name, each gets a low score.
 */
const CLOSE_MIN = { share: 0.3, score: 15 }

interface Bounds {
  share: number
  score: number
}

function isAtLeast(hit: Hit, min: Bounds): boolean {
  return hit.share >= min.share && hit.score >= min.score
}

/** A day of the changelog is long and contains most words by chance, so it is a source but never the answer. */
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
  // One entry per page, at its best section.
  const best = hits.filter((hit, index) => hits.findIndex(({ page }) => page === hit.page) === index)
  return best.slice(0, SOURCES_MAX).map(({ page, section }) => ({
    title: section.anchor === null ? page.title : `${page.title} › ${section.heading}`,
    url: `${root}/${page.slug}${section.anchor === null ? '' : `#${section.anchor}`}`,
  }))
}

/** Null if there is no model or it fails. Then the documentation is quoted, and the response has `model: null`. */
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

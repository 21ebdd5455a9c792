// POST /sdk/ai/prompt: a question about the integration, answered from the documentation, and from nothing else: no tool,
// no query but the project's public settings, no secret in reach. A model, where one is set up, words the answer; what it
// reads and which sources are named is decided here.
import type { PromptAnswer, PromptBody } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import { catalogue } from '@pazar/words'
import type { AccountId } from '../accounts/account.ts'
import type { Hit } from '../docs/search.ts'
import type { Project } from '../projects/project.ts'
import { requireProject } from '../projects/projects.ts'
import type { AssistantDeps } from './deps.ts'
import { askModel, ModelError } from './model.ts'
import { quote } from './quote.ts'

/** Pages named beside an answer: enough to read on, few enough to choose from. */
const SOURCES_MAX = 3
/** A section that shares far less with the question than the best one is about something else. */
const SCORE_SHARE_MIN = 0.35
/**
 * An answer speaks of more than half of what was asked, or it answers another question. Measured on the questions of
 * the test beside this: what the guide answers lies above it nearly always, what it does not answer below.
 */
const ANSWER_SHARE_MIN = 0.58
/** Less than this in common is chance: such a page is not worth naming. */
const NEAR_SHARE_MIN = 0.4

function pickHits(deps: AssistantDeps, locale: Locale, prompt: string): Hit[] {
  const hits = deps.library.search(locale, prompt)
  const best = hits[0]?.score ?? 0
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

/** An answer quoted from the documentation is still an answer, and `model: null` says who gave it. */
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
  ownerId: AccountId,
  body: PromptBody & { locale: Locale },
): Promise<PromptAnswer> {
  const { prompt, locale, projectId } = body
  const project = projectId === undefined ? null : await requireProject(deps.db, ownerId, projectId)
  const hits = pickHits(deps, locale, prompt)
  const answers = hits.filter(({ share }) => share >= ANSWER_SHARE_MIN)
  const near = answers.length > 0 ? answers : hits.filter(({ share }) => share >= NEAR_SHARE_MIN)
  const sources = toSources(deps, locale, near)
  const worded = await findModelAnswer(deps, { prompt, locale, hits, project })
  if (worded !== null) return { answer: worded, sources, model: deps.config.ai?.model ?? null }
  return { answer: quote(answers[0] ?? null, locale, project), sources, model: null }
}

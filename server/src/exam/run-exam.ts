// The integration exam: does this shop do the right thing with right and with forged callbacks? The service sends them to
// the project's test URL, or hands them out signed to an owner whose shop it cannot reach and judges what he got.
import type { ExamBody, ExamReport, ExamRequests } from '@pazar/contract'
import { catalogue } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { AccountId } from '../accounts/account.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { toExcerpt } from '../callbacks/excerpt.ts'
import { FETCH_LIMITS } from '../egress/public-fetch.ts'
import { invalidField } from '../lib/service-error.ts'
import type { Project } from '../projects/project.ts'
import { requireProject } from '../projects/projects.ts'
import { noteProved } from '../secrets/secrets-store.ts'
import { readSecret } from '../secrets/secrets.ts'
import type { ExamRequest } from './build-requests.ts'
import { buildRequests } from './build-requests.ts'
import type { Answers, ShopAnswer } from './judge.ts'
import { toReport } from './report.ts'
import { sendRequests } from './send-requests.ts'

type OwnAnswer = NonNullable<ExamBody['answers']>[number]

export async function runExam(
  deps: CallbackDeps,
  ownerId: AccountId,
  ask: { projectId: string; body: ExamBody; locale: Locale },
): Promise<ExamReport | ExamRequests> {
  const project = await requireProject(deps.db, ownerId, ask.projectId)
  const { answers, deliver, confirm, order = null } = ask.body
  if (answers) {
    return noted(deps, project, toReport(ask.locale, { target: null, answers: toAnswers(answers), order }))
  }
  if (deliver === 'caller') return toRequestList(ask.locale, await prepare(deps, project))
  const target = toTarget(project)
  if (target.live && confirm !== true) throw invalidField('confirm', 'confirm_live_url')
  const requests = await prepare(deps, project)
  const sent = await sendRequests(deps, target.url, requests)
  const first = requests[0]?.order ?? null
  return noted(deps, project, toReport(ask.locale, { target, answers: sent, order: first }))
}

/** Whoever wrote the live URL into both fields is asked too: what counts is where the requests go. */
function toTarget({ apiUrl, testApiUrl }: Project): { url: string; live: boolean } {
  const url = testApiUrl ?? apiUrl
  // Both are stored in their one form; rows from before today's rules may hold what no parser would read.
  return { url, live: url === apiUrl }
}

/** A shop that takes every right signature and refuses every wrong one has shown that it holds the secret. */
async function noted(deps: CallbackDeps, { id }: Project, report: ExamReport): Promise<ExamReport> {
  if (report.failed === 0) await noteProved(deps.db, id, 'test')
  return report
}

async function prepare(deps: CallbackDeps, { id }: Project): Promise<ExamRequest[]> {
  const testSecret = await readSecret(deps, deps.db, id, 'test')
  return buildRequests(deps.clock, { id, testSecret, currency: deps.config.currency })
}

function toRequestList(locale: Locale, requests: readonly ExamRequest[]): ExamRequests {
  const { exam, portal } = catalogue(locale)
  return {
    requests: requests.map(({ name, expects, headers, body }) => ({
      name,
      title: portal.exam.scenarios[name],
      expects,
      expected: exam.scenarios[name].expected,
      method: 'POST',
      headers,
      body,
    })),
  }
}

function toAnswers(own: readonly OwnAnswer[]): Answers {
  return new Map(own.map((answer) => [answer.name, toShopAnswer(answer)]))
}

function toShopAnswer({ statusCode, durationMs, error, body = '' }: OwnAnswer): ShopAnswer {
  const responseExcerpt = toExcerpt({ bytes: Buffer.from(body), isWhole: true }, [])
  const came = { statusCode, durationMs, error: null, responseExcerpt }
  // Nobody else would have waited for it.
  if (durationMs > FETCH_LIMITS.totalTimeoutMs) return { ...came, outcome: 'timeout', statusCode: null }
  if (statusCode === null) return { ...came, outcome: error ?? 'connect' }
  if (statusCode >= 200 && statusCode < 300) return { ...came, outcome: 'delivered' }
  return { ...came, outcome: statusCode >= 300 && statusCode < 400 ? 'redirect' : 'http_error' }
}

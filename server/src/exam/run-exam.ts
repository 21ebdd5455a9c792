// The integration exam: does the merchant's server accept valid callbacks and refuse forged ones? Usually the service
// sends the callbacks. With `deliver: 'caller'`, the caller sends them and reports the responses as `answers`.
import type { ExamBody, ExamReport, ExamRequests } from '@pazar/contract'
import { catalogue } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { AccountId } from '../accounts/account.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { toExcerpt } from '../callbacks/excerpt.ts'
import { toOutcomeKind } from '../egress/fetch-outcome.ts'
import { FETCH_LIMITS } from '../egress/public-fetch.ts'
import { invalidField } from '../lib/service-error.ts'
import type { Project } from '../projects/project.ts'
import { requireProject } from '../projects/access.ts'
import { hasInbox } from '../projects/own-urls.ts'
import { recordProved } from '../secrets/secrets-store.ts'
import { readSecret } from '../secrets/secrets.ts'
import type { ExamRequest } from './build-requests.ts'
import { buildRequests } from './build-requests.ts'
import type { Responses, MerchantResponse } from './judge.ts'
import { toReport } from './report.ts'
import { sendRequests } from './send-requests.ts'

type ReportedResponse = NonNullable<ExamBody['answers']>[number]

export async function runExam(
  deps: CallbackDeps,
  accountId: AccountId,
  requested: { projectId: string; body: ExamBody; locale: Locale },
): Promise<ExamReport | ExamRequests> {
  const project = await requireProject(deps.db, accountId, requested.projectId, 'operate')
  const { events } = project
  const { answers, deliver, confirm, order = null } = requested.body
  if (answers) {
    return recordIfPassed(
      deps,
      project,
      toReport(requested.locale, { target: null, events, responses: toResponses(answers), order }),
    )
  }
  if (deliver === 'caller') return toRequestList(requested.locale, await prepare(deps, project))
  if (project.testApiUrl === null && hasInbox(deps.config.baseUrl, project))
    throw invalidField('deliver', 'exam_without_server')
  const target = toTarget(project)
  if (target.live && confirm !== true) throw invalidField('confirm', 'confirm_live_url')
  const requests = await prepare(deps, project)
  const responses = await sendRequests(deps, target.url, requests)
  const firstOrder = requests[0]?.order ?? null
  return recordIfPassed(
    deps,
    project,
    toReport(requested.locale, { target, events, responses, order: firstOrder }),
  )
}

/**
 * `live` is true if the requests go to the live server: there is no `testApiUrl`, or it equals the live URL. The caller then
 * has to confirm.
 */
function toTarget({ apiUrl, testApiUrl }: Project): { url: string; live: boolean } {
  const url = testApiUrl ?? apiUrl
  // Both URLs are stored in normalized form, so the texts can be compared.
  return { url, live: url === apiUrl }
}

/** A server that accepts every valid signature and refuses every wrong one has proved that it knows the secret. */
async function recordIfPassed(deps: CallbackDeps, { id }: Project, report: ExamReport): Promise<ExamReport> {
  if (report.failed === 0) await recordProved(deps.db, id, 'test')
  return report
}

async function prepare(deps: CallbackDeps, { id, events }: Project): Promise<ExamRequest[]> {
  const testSecret = await readSecret(deps, deps.db, id, 'test')
  return buildRequests(deps.clock, { id, testSecret, currency: deps.config.currency, events })
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

function toResponses(reported: readonly ReportedResponse[]): Responses {
  return new Map(reported.map((response) => [response.name, toMerchantResponse(response)]))
}

function toMerchantResponse({
  statusCode,
  durationMs,
  error,
  body = '',
}: ReportedResponse): MerchantResponse {
  const responseExcerpt = toExcerpt({ bytes: Buffer.from(body), isWhole: true }, [])
  const facts = { statusCode, durationMs, error: null, responseExcerpt }
  // After this time, the service itself would have stopped waiting.
  if (durationMs > FETCH_LIMITS.totalTimeoutMs) return { ...facts, outcome: 'timeout', statusCode: null }
  if (statusCode === null) return { ...facts, outcome: error ?? 'connect' }
  return { ...facts, outcome: toOutcomeKind(statusCode) }
}

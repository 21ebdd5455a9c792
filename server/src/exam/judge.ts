// Judges the responses of the merchant's server: one verdict per scenario, and one on the response time. The rules are
// pure; report.ts adds the texts.
import type { CallbackEventName, ExamRequestName, ExamScenarioName } from '@pazar/contract'
import type { Cause, AttemptFacts } from '../deliveries/explain.ts'
import { findCause } from '../deliveries/explain.ts'
import { toScenarios } from './scenarios.ts'
import type { Scenario } from './scenarios.ts'

export interface MerchantResponse extends AttemptFacts {
  durationMs: number
}

/** One response for each request that was sent. */
export type Responses = ReadonlyMap<ExamRequestName, MerchantResponse>

export type Finding =
  | 'passed'
  /** Passed, and the merchant's server reports the order as paid. */
  | 'still_paid'
  /** Passed, and the merchant's server reports the order as unpaid. */
  | 'not_paid'
  /** Passed, as far as the service can see from outside. */
  | 'unseen'
  /** The fault that the scenario tests for. */
  | 'own_fault'
  /** The merchant's server reports the order as unpaid, although it was paid before. */
  | 'undone'
  /** A callback that is not about a payment marked the order as paid. */
  | 'taken_for_payment'
  | 'unknown_order'
  /** A valid callback made the merchant's server fail with 5xx. */
  | 'crashed'
  /** A forged callback made the merchant's server fail with 5xx: it was neither accepted nor refused. */
  | 'broke'
  /** No usable response. The texts of the delivery log explain the reason. */
  | 'not_delivered'
  /** The first valid callback was not accepted, so this scenario cannot be judged yet. */
  | 'good_first'
  | 'not_sent'
  | 'late'

export interface Verdict {
  name: ExamScenarioName
  finding: Finding
  response: MerchantResponse | null
  late?: readonly ExamRequestName[]
}

const PASSED: ReadonlySet<Finding> = new Set(['passed', 'still_paid', 'not_paid', 'unseen'])

export function isPassed({ finding }: Verdict): boolean {
  return PASSED.has(finding)
}

export function judge(responses: Responses, events: readonly CallbackEventName[]): Verdict[] {
  const scenarios = toScenarios(events)
  const isGoodAccepted = isAccepted(responses.get('good'))
  const verdicts = scenarios.map((scenario): Verdict => {
    const response = responses.get(scenario.name)
    if (!response) return { name: scenario.name, finding: 'not_sent', response: null }
    const finding =
      scenario.expects === 'accepted'
        ? findForValid(scenario, response, isGoodAccepted)
        : findForForged(response, isGoodAccepted)
    return { name: scenario.name, finding, response }
  })
  const isComplete = scenarios.every(({ name }) => responses.has(name))
  return [...verdicts, judgeTimes(responses, isComplete)]
}

function isAccepted(response: MerchantResponse | undefined): boolean {
  return response?.outcome === 'delivered'
}

function findForValid(
  { name, leavesOrder }: Scenario,
  response: MerchantResponse,
  isGoodAccepted: boolean,
): Finding {
  if (isAccepted(response)) return leavesOrder ? findPaid(response, leavesOrder) : 'passed'
  if (name === 'good') return findForGood(response)
  // If the first callback is not accepted, the fault is reported with that callback.
  if (!isGoodAccepted) return 'good_first'
  if (findCause(response) === 'server_error') return 'crashed'
  return response.outcome === 'http_error' ? 'own_fault' : 'not_delivered'
}

/** The service cannot see a merchant's orders. For this check, a server may respond with `paid`: true or false. */
function findPaid({ responseExcerpt }: MerchantResponse, leavesOrder: 'paid' | 'unpaid'): Finding {
  const paid = readPaid(responseExcerpt ?? '')
  if (paid === null) return 'unseen'
  if (leavesOrder === 'unpaid') return paid ? 'taken_for_payment' : 'not_paid'
  return paid ? 'still_paid' : 'undone'
}

function readPaid(text: string): boolean | null {
  try {
    const response: unknown = JSON.parse(text)
    if (typeof response !== 'object' || response === null || !('paid' in response)) return null
    return typeof response.paid === 'boolean' ? response.paid : null
  } catch {
    // Most servers respond with "ok" or with nothing, which says nothing about the order.
    return null
  }
}

const SIGNATURE_REFUSED: ReadonlySet<Cause | null> = new Set(['bad_request', 'unauthorized'])
const UNKNOWN_ORDER: ReadonlySet<Cause | null> = new Set(['not_found', 'not_ready', 'gone', 'other_status'])

function findForGood(response: MerchantResponse): Finding {
  const cause = findCause(response)
  if (SIGNATURE_REFUSED.has(cause)) return 'own_fault'
  if (cause === 'server_error') return 'crashed'
  return UNKNOWN_ORDER.has(cause) ? 'unknown_order' : 'not_delivered'
}

/** These two 4xx statuses request a retry, and do not refuse the callback. */
const RETRY_LATER: ReadonlySet<number> = new Set([408, 429])

function findForForged(response: MerchantResponse, isGoodAccepted: boolean): Finding {
  if (isAccepted(response)) return 'own_fault'
  // A server that refuses everything has not shown that it can recognise a forgery.
  if (!isGoodAccepted) return 'good_first'
  const status = response.statusCode ?? 0
  if (status >= 400 && status < 500 && !RETRY_LATER.has(status)) return 'passed'
  return status >= 500 ? 'broke' : 'not_delivered'
}

function judgeTimes(responses: Responses, isComplete: boolean): Verdict {
  const name = 'in_time'
  const all = [...responses]
  const late = all.filter(([, { outcome }]) => outcome === 'timeout').map(([request]) => request)
  if (late.length > 0) return { name, finding: 'late', response: null, late }
  if (!isComplete) return { name, finding: 'not_sent', response: null }
  // A server that does not respond at all is not reported as slow.
  const good = responses.get('good')
  if (good?.statusCode === null) return { name, finding: 'good_first', response: good }
  const [slowest] = all.map(([, response]) => response).toSorted((a, b) => b.durationMs - a.durationMs)
  return { name, finding: 'passed', response: slowest ?? null }
}

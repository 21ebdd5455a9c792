// What the shop's answers mean. Rules only: from what came back to a verdict per scenario, without words.
import type { ExamRequestName, ExamScenarioName } from '@pazar/contract'
import type { Cause, TriedFacts } from '../deliveries/explain.ts'
import { findCause } from '../deliveries/explain.ts'
import { SCENARIOS } from './scenarios.ts'
import type { Scenario } from './scenarios.ts'

export interface ShopAnswer extends TriedFacts {
  durationMs: number
}

/** Without those that were not sent. */
export type Answers = ReadonlyMap<ExamRequestName, ShopAnswer>

export type Finding =
  | 'passed'
  /** Passed, and the shop itself says that the order is paid. */
  | 'still_paid'
  /** Passed as far as can be seen from outside. */
  | 'unseen'
  /** The fault that the scenario looks for. */
  | 'own_fault'
  | 'undone'
  | 'unknown_order'
  /** A right callback that the shop's own code fell over. */
  | 'crashed'
  /** A forgery made the shop stumble: it was not accepted, but not refused either. */
  | 'broke'
  /** What would keep any callback from arriving; the delivery log has words for it. */
  | 'not_delivered'
  | 'good_first'
  | 'not_sent'
  | 'late'

export interface Verdict {
  name: ExamScenarioName
  finding: Finding
  answer: ShopAnswer | null
  /** For `late`: which requests. */
  late?: readonly ExamRequestName[]
}

const PASSED: ReadonlySet<Finding> = new Set(['passed', 'still_paid', 'unseen'])

export function isPassed({ finding }: Verdict): boolean {
  return PASSED.has(finding)
}

export function judge(answers: Answers): Verdict[] {
  const isGoodAccepted = isAccepted(answers.get('good'))
  const verdicts = SCENARIOS.map((scenario): Verdict => {
    const answer = answers.get(scenario.name)
    if (!answer) return { name: scenario.name, finding: 'not_sent', answer: null }
    const finding =
      scenario.expects === 'accepted'
        ? findForRight(scenario, answer, isGoodAccepted)
        : findForForged(answer, isGoodAccepted)
    return { name: scenario.name, finding, answer }
  })
  return [...verdicts, judgeTimes(answers)]
}

function isAccepted(answer: ShopAnswer | undefined): boolean {
  return answer?.outcome === 'delivered'
}

function findForRight({ name }: Scenario, answer: ShopAnswer, isGoodAccepted: boolean): Finding {
  if (isAccepted(answer)) return name === 'late_fail' ? findPaid(answer) : 'passed'
  if (name === 'good') return findForGood(answer)
  // The same fault keeps the right callback from being accepted: it is said once.
  if (!isGoodAccepted) return 'good_first'
  if (findCause(answer) === 'server_error') return 'crashed'
  return answer.outcome === 'http_error' ? 'own_fault' : 'not_delivered'
}

/** From outside nobody sees a shop's orders. A shop that wants to be examined on this answers `{"paid": true}`. */
function findPaid({ responseExcerpt }: ShopAnswer): Finding {
  const paid = readPaid(responseExcerpt ?? '')
  return paid === null ? 'unseen' : paid ? 'still_paid' : 'undone'
}

function readPaid(text: string): boolean | null {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer !== 'object' || answer === null || !('paid' in answer)) return null
    return typeof answer.paid === 'boolean' ? answer.paid : null
  } catch {
    // Most shops answer with a word or with nothing; then they have not said.
    return null
  }
}

/** Shops answer these to signatures they do not believe. */
const DISBELIEF: ReadonlySet<Cause | null> = new Set(['bad_request', 'unauthorized'])
/** And these to orders they do not find. */
const UNKNOWN_ORDER: ReadonlySet<Cause | null> = new Set(['not_found', 'not_ready', 'gone', 'other_status'])

function findForGood(answer: ShopAnswer): Finding {
  const cause = findCause(answer)
  if (DISBELIEF.has(cause)) return 'own_fault'
  if (cause === 'server_error') return 'crashed'
  return UNKNOWN_ORDER.has(cause) ? 'unknown_order' : 'not_delivered'
}

/** Of all 4xx these two mean "not now" rather than "no". */
const NOT_NOW: ReadonlySet<number> = new Set([408, 429])

function findForForged(answer: ShopAnswer, isGoodAccepted: boolean): Finding {
  if (isAccepted(answer)) return 'own_fault'
  // Whoever refuses everything has told nothing apart.
  if (!isGoodAccepted) return 'good_first'
  const status = answer.statusCode ?? 0
  if (status >= 400 && status < 500 && !NOT_NOW.has(status)) return 'passed'
  return status >= 500 ? 'broke' : 'not_delivered'
}

function judgeTimes(answers: Answers): Verdict {
  const name = 'in_time'
  const all = [...answers]
  const late = all.filter(([, { outcome }]) => outcome === 'timeout').map(([request]) => request)
  if (late.length > 0) return { name, finding: 'late', answer: null, late }
  if (answers.size < SCENARIOS.length) return { name, finding: 'not_sent', answer: null }
  // Whoever answers nothing is never late.
  const good = answers.get('good')
  if (good?.statusCode === null) return { name, finding: 'good_first', answer: good }
  const [slowest] = all.map(([, answer]) => answer).toSorted((a, b) => b.durationMs - a.durationMs)
  return { name, finding: 'passed', answer: slowest ?? null }
}

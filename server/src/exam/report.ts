import type { CallbackEventName, ExamReport } from '@pazar/contract'
import { catalogue, formatDuration } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { explain } from '../deliveries/explain.ts'
import { isPassed, judge } from './judge.ts'
import type { Responses, Verdict } from './judge.ts'

const RESPONSE_SHOWN_MAX = 300

/** `order`: the customId of the first callback. Null: the caller sent the requests and did not name the order. */
export function toReport(
  locale: Locale,
  exam: {
    target: ExamReport['target']
    events: readonly CallbackEventName[]
    responses: Responses
    order: string | null
  },
): ExamReport {
  const verdicts = judge(exam.responses, exam.events)
  const passed = verdicts.filter(isPassed).length
  return {
    target: exam.target,
    passed,
    failed: verdicts.length - passed,
    scenarios: verdicts.map((verdict) => ({
      name: verdict.name,
      title: catalogue(locale).portal.exam.scenarios[verdict.name],
      passed: isPassed(verdict),
      ...(verdict.finding === 'not_sent' && { sent: false }),
      expected: catalogue(locale).exam.scenarios[verdict.name].expected,
      got: describeResult(locale, verdict, exam),
      fix: isPassed(verdict) ? null : toFix(locale, verdict, exam.responses),
      // The cut may leave half of a surrogate pair, on which Python's print() fails.
      answer: verdict.response?.responseExcerpt?.slice(0, RESPONSE_SHOWN_MAX).toWellFormed() ?? null,
    })),
  }
}

function describeResult(
  locale: Locale,
  { name, finding, response, late = [] }: Verdict,
  { order, responses }: { order: string | null; responses: Responses },
): string {
  const { exam, portal } = catalogue(locale)
  const { got } = exam
  if (finding === 'late')
    return got.late({ titles: late.map((one) => portal.exam.scenarios[one]).join(', ') })
  if (response === null) return isUnreached(responses) ? got.notReached : got.notSent
  const facts = { status: response.statusCode ?? 0, duration: formatDuration(locale, response.durationMs) }
  if (name === 'in_time' && finding === 'passed') return got.slowest(facts)
  switch (finding) {
    case 'still_paid':
      return got.stillPaid(facts)
    case 'undone':
      return got.undone(facts)
    case 'not_paid':
      return got.notPaid(facts)
    case 'taken_for_payment':
      return got.takenForPayment(facts)
    case 'unseen':
      return name === 'refund_first' ? got.unseenUnpaid(facts) : got.unseen({ ...facts, order })
    case 'not_delivered':
      return explain(locale, response)?.cause ?? got.status(facts)
    case 'good_first':
      if (response.statusCode !== null) return got.alsoRefused(facts)
      return explain(locale, response)?.cause ?? got.notSent
    default:
      return got.status(facts)
  }
}

function isUnreached(responses: Responses): boolean {
  return [...responses.values()].every(({ statusCode }) => statusCode === null)
}

function toFix(locale: Locale, { name, finding, response }: Verdict, responses: Responses): string {
  const { scenarios, fixes } = catalogue(locale).exam
  switch (finding) {
    case 'undone':
      return name === 'late_fail' ? fixes.undone : scenarios[name].fix
    case 'unknown_order':
      return fixes.unknownOrder
    case 'crashed':
      return fixes.crashed({ fix: scenarios[name].fix })
    case 'broke':
      return fixes.broke
    case 'good_first':
      return fixes.goodFirst
    case 'not_sent':
      return responses.get('good')?.outcome === 'delivered' ? scenarios.in_time.fix : fixes.goodFirst
    case 'not_delivered':
      return (response && explain(locale, response)?.fix) ?? scenarios[name].fix
    default:
      return scenarios[name].fix
  }
}

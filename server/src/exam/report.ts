// The exam's verdicts in words: what was expected, what came, and what to do about it.
import type { ExamReport } from '@pazar/contract'
import { catalogue, formatDuration } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { explain } from '../deliveries/explain.ts'
import { isPassed, judge } from './judge.ts'
import type { Answers, Verdict } from './judge.ts'

/** A sentence or two of an answer; the rest is the merchant's own error page, which he has. */
const ANSWER_SHOWN_MAX = 300

/** `order`: where the merchant finds the order of the right callback; null when whoever sent it did not say. */
export function toReport(
  locale: Locale,
  exam: { target: ExamReport['target']; answers: Answers; order: string | null },
): ExamReport {
  const verdicts = judge(exam.answers)
  const passed = verdicts.filter(isPassed).length
  return {
    target: exam.target,
    passed,
    failed: verdicts.length - passed,
    scenarios: verdicts.map((verdict) => ({
      name: verdict.name,
      title: catalogue(locale).portal.exam.scenarios[verdict.name],
      passed: isPassed(verdict),
      expected: catalogue(locale).exam.scenarios[verdict.name].expected,
      got: toGot(locale, verdict, exam.order),
      fix: isPassed(verdict) ? null : toFix(locale, verdict, exam.answers),
      answer: verdict.answer?.responseExcerpt?.slice(0, ANSWER_SHOWN_MAX) ?? null,
    })),
  }
}

function toGot(locale: Locale, { name, finding, answer, late = [] }: Verdict, order: string | null): string {
  const { exam, portal } = catalogue(locale)
  const { got } = exam
  if (finding === 'late')
    return got.late({ titles: late.map((one) => portal.exam.scenarios[one]).join(', ') })
  if (answer === null) return got.notSent
  const facts = { status: answer.statusCode ?? 0, duration: formatDuration(locale, answer.durationMs) }
  if (name === 'in_time' && finding === 'passed') return got.slowest(facts)
  switch (finding) {
    case 'still_paid':
      return got.stillPaid(facts)
    case 'undone':
      return got.undone(facts)
    case 'unseen':
      return got.unseen({ ...facts, order })
    case 'not_delivered':
      return explain(locale, answer)?.cause ?? got.status(facts)
    case 'good_first':
      if (answer.statusCode !== null) return got.alsoRefused(facts)
      return explain(locale, answer)?.cause ?? got.notSent
    default:
      return got.status(facts)
  }
}

function toFix(locale: Locale, { name, finding, answer }: Verdict, answers: Answers): string {
  const { scenarios, fixes } = catalogue(locale).exam
  switch (finding) {
    case 'undone':
      return fixes.undone
    case 'unknown_order':
      return fixes.unknownOrder
    case 'crashed':
      return fixes.crashed({ fix: scenarios[name].fix })
    case 'broke':
      return fixes.broke
    case 'good_first':
      return fixes.goodFirst
    case 'not_sent':
      return answers.get('good')?.outcome === 'delivered' ? scenarios.in_time.fix : fixes.goodFirst
    case 'not_delivered':
      return (answer && explain(locale, answer)?.fix) ?? scenarios[name].fix
    default:
      return scenarios[name].fix
  }
}

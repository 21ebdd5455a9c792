import type { ExamReport, ProjectView } from '@pazar/contract'
import { toExamRequests } from '@pazar/contract/exam-requests'
import { setupWords } from '../../ui/language.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Notice } from '../../ui/notice.tsx'

type Scenario = ExamReport['scenarios'][number]

export function ScenarioList({ project }: { project: ProjectView }) {
  const { exam } = setupWords()
  // The last scenario is about the time of the responses and has no request.
  const names = [...toExamRequests(project.events), 'in_time'] as const
  const notes: Partial<Record<(typeof names)[number], string>> = exam.notes
  return (
    <Card title={exam.what}>
      <ul className="grid list-disc gap-1 pl-5 sm:grid-cols-2 xl:grid-cols-1 2xl:grid-cols-2">
        {names.map((name) => (
          <li key={name}>
            {exam.scenarios[name]}
            {notes[name] && <span className="block text-sm text-muted">{notes[name]}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const isUnsent = ({ sent }: Scenario) => sent === false

export function Report({ report }: { report: ExamReport }) {
  const failed = report.scenarios.filter((scenario) => !scenario.passed && !isUnsent(scenario))
  return (
    <div className="grid gap-6">
      <Summary report={report} />
      {failed.length > 0 && (
        <ul className="grid gap-3">
          {failed.map((scenario) => (
            <li key={scenario.name}>
              <FailedCard scenario={scenario} />
            </li>
          ))}
        </ul>
      )}
      <ShortList scenarios={report.scenarios.filter(({ passed }) => passed)} />
      <ShortList scenarios={report.scenarios.filter(isUnsent)} />
    </div>
  )
}

function Summary({ report: { passed, failed, scenarios } }: { report: ExamReport }) {
  const { exam } = setupWords()
  const unsent = scenarios.filter(isUnsent).length
  if (failed === 0)
    return (
      <Notice tone="ok" title={exam.passedAll}>
        {exam.passedAllText}
      </Notice>
    )
  // The first request got no response, so no other request was sent.
  if (unsent > 0 && unsent === scenarios.length - 1)
    return (
      <Notice tone="error" title={exam.stoppedTitle}>
        {exam.stoppedText(unsent)}
      </Notice>
    )
  return (
    <Notice tone="error" title={exam.failedSome(failed, passed + failed)}>
      {failed > 1 && exam.failedSomeText}
    </Notice>
  )
}

function FailedCard({ scenario: { title, expected, got, fix, answer } }: { scenario: Scenario }) {
  const { exam } = setupWords()
  return (
    <Card title={title} actions={<Badge tone="error" text={exam.failed} />}>
      <DescriptionList
        sentences
        items={[
          [exam.expected, expected],
          [exam.got, got],
          [exam.fix, <strong className="font-medium">{fix}</strong>],
        ]}
      />
      {answer && (
        <div className="grid gap-1.5">
          <p className="text-sm font-medium">{exam.answer}</p>
          <CodeBlock label={exam.answer} text={answer} />
        </div>
      )}
    </Card>
  )
}

/** Lists scenarios that passed, with their results, or scenarios that were not sent. */
function ShortList({ scenarios }: { scenarios: readonly Scenario[] }) {
  const { exam } = setupWords()
  if (scenarios.length === 0) return null
  return (
    <ul className="divide-y divide-line rounded-card border border-line bg-raised px-4 sm:px-6">
      {scenarios.map(({ name, title, got, passed }) => (
        <li key={name} className="flex items-center justify-between gap-4 py-3">
          <div className="min-w-0">
            <p className="font-medium">{title}</p>
            {passed && <p className="text-sm text-muted wrap-anywhere">{got}</p>}
          </div>
          <span className="shrink-0">
            <Badge tone={passed ? 'ok' : 'unknown'} text={passed ? exam.passed : exam.notSent} />
          </span>
        </li>
      ))}
    </ul>
  )
}

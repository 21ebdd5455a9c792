// What is examined, and after the exam what came of it: the failed ones in full, the passed ones in a line each.
import type { ExamReport } from '@pazar/contract'
import { words } from '../../app/language.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { FactsList } from '../../ui/facts-list.tsx'
import { Notice } from '../../ui/notice.tsx'

type Scenario = ExamReport['scenarios'][number]

export function ScenarioList() {
  const { exam } = words()
  return (
    <Card title={exam.what} className="max-w-3xl">
      <ul className="grid list-disc gap-1 pl-5 sm:grid-cols-2">
        {Object.entries(exam.scenarios).map(([name, title]) => (
          <li key={name}>{title}</li>
        ))}
      </ul>
    </Card>
  )
}

export function Report({ report }: { report: ExamReport }) {
  const { exam } = words()
  const total = report.passed + report.failed
  return (
    <div className="grid max-w-3xl gap-6">
      {report.failed === 0 ? (
        <Notice tone="ok" title={exam.passedAll}>
          {exam.passedAllText}
        </Notice>
      ) : (
        <Notice tone="error" title={exam.failedSome(report.failed, total)}>
          {exam.failedSomeText}
        </Notice>
      )}
      <ul className="grid gap-3">
        {report.scenarios.map((scenario) => (
          <li key={scenario.name}>
            <ScenarioCard scenario={scenario} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function ScenarioCard({ scenario }: { scenario: Scenario }) {
  const { exam } = words()
  const { passed, title, expected, got, fix, answer } = scenario
  const badge = passed ? <Badge tone="ok" text={exam.passed} /> : <Badge tone="error" text={exam.failed} />
  return (
    <Card title={title} actions={badge}>
      {passed ? (
        <p className="-mt-2 text-sm text-muted wrap-anywhere">{got}</p>
      ) : (
        <>
          <FactsList
            facts={[
              [exam.expected, expected],
              [exam.got, got],
              [exam.fix, <strong className="font-medium">{fix}</strong>],
            ]}
          />
          {answer && <CodeBlock label={exam.answer} text={answer} />}
        </>
      )}
    </Card>
  )
}

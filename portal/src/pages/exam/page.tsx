// The integration exam. Before the exam calls the live URL, the merchant has to confirm.
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ClipboardCheck } from 'lucide-react'
import type { ExamReport, ProjectView } from '@pazar/contract'
import { toFieldErrors } from '../../api/api-error.ts'
import { runExam } from '../../api/exam.ts'
import { usePermissions } from '../../api/members.ts'
import { hasInbox } from '../../api/service-pages.ts'
import { useProject } from '../../api/projects.ts'
import { queryClient } from '../../api/session.ts'
import { classNames } from '../../ui/class-names.ts'
import { locale, setupWords, words } from '../../ui/language.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useMode } from '../../parts/mode.ts'
import { useAction } from '../../parts/use-action.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { isLiveTarget } from './live-target.ts'
import { Report, ScenarioList } from './report.tsx'
import { Target } from './target.tsx'

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/exam' })
  const { data: project, error, refetch } = useProject(id)
  const { exam } = setupWords()
  return (
    <>
      <PageHead title={words().frame.exam} text={exam.intro} within={[project?.name]} />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!project && !error && <Skeleton rows={2} height="h-40" />}
      {project && <Exam key={project.id} project={project} />}
    </>
  )
}

/** Returns null if the live URL must be confirmed first, because the test URL was removed in another tab. */
async function requestReport(project: ProjectView): Promise<ExamReport | null> {
  try {
    return await runExam(project.id, isLiveTarget(project))
  } catch (error) {
    const reloading = queryClient.invalidateQueries({ queryKey: ['project', project.id] })
    // An error that asks for no confirmation is shown at once, because reloading the project may take long or fail too.
    if (!('confirm' in toFieldErrors(error))) throw error
    await reloading
    return null
  }
}

function Exam({ project }: { project: ProjectView }) {
  const { exam } = setupWords()
  const mode = useMode()
  const may = usePermissions(project.id)
  const [asking, setAsking] = useState(false)
  const [report, setReport] = useState<ExamReport | null>(null)
  const isLive = isLiveTarget(project)
  const hasNoServer = project.testApiUrl === null && hasInbox(project)
  const { run, busy, error } = useAction(async () => {
    setAsking(false)
    setReport(null)
    const received = await requestReport(project)
    setReport(received)
    setAsking(received === null)
  })
  const start = () => (isLive ? setAsking(true) : void run())
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      {/* After a run, a narrow screen shows the result first. A wide screen keeps the button beside the result. */}
      <Card className={classNames(report !== null && 'max-xl:order-1 xl:sticky xl:top-6')}>
        <Target project={project} isShort={report !== null} hasPassed={report?.failed === 0} />
        <p className="text-sm text-muted">{exam.orders}</p>
        <a
          href={`/${locale}/docs/${exam.ownMachinePath}`}
          className="w-fit text-sm text-accent underline underline-offset-4"
        >
          {exam.onOwnMachine}
        </a>
        <div>
          <Button
            kind="main"
            busy={busy}
            disabled={hasNoServer}
            icon={<ClipboardCheck aria-hidden className="size-4" />}
            onClick={start}
          >
            {report ? exam.runAgain : exam.run}
          </Button>
        </div>
      </Card>
      <div className="grid min-w-0 grid-cols-1 gap-6">
        {error !== null && <Failed error={error} {...(!hasNoServer && { onRetry: start })} />}
        {busy && (
          <Notice tone="info" title={exam.running}>
            {exam.runningText}
          </Notice>
        )}
        {report ? <Report report={report} /> : <ScenarioList project={project} />}
      </div>
      {asking && (
        <ConfirmDialog
          kind="second"
          title={exam.ask.title}
          submit={exam.ask.submit}
          onConfirm={() => void run()}
          onClose={() => setAsking(false)}
          safer={
            may('configure') && (
              <Link
                to="/projects/$id/settings"
                params={{ id: project.id }}
                search={{ mode }}
                className={buttonClass('main')}
              >
                {exam.toSettings}
              </Link>
            )
          }
        >
          <p>{exam.ask.text}</p>
          <code className="line-clamp-6 font-mono text-sm wrap-anywhere">{project.apiUrl}</code>
          <p>{exam.liveText}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

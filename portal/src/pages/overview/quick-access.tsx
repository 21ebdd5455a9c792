// What merchants use most often: the ID of the project, a test callback, the exam, and a pay link.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ProjectView } from '@pazar/contract'
import { call } from '../../api/call.ts'
import { usePermissions } from '../../api/members.ts'
import { TestCallback } from '../../parts/deliveries/test-callback.tsx'
import type { TestCallbackParts } from '../../parts/deliveries/test-callback.tsx'
import { Failed } from '../../parts/failed.tsx'
import { formatAmount } from '../../parts/format-amount.ts'
import { ICON_ONLY } from '../../parts/icon-only.ts'
import { useMode } from '../../parts/mode.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { words } from '../../ui/language.ts'

/** In the smallest unit of the currency. */
const SAMPLE_AMOUNT = '1500'

interface QuickAccessProps {
  project: ProjectView
  testCallback: TestCallbackParts
  isWide?: boolean
}

export function QuickAccess({ project, testCallback, isWide = false }: QuickAccessProps) {
  const { projects, link, payments } = words()
  const { overview, list } = projects
  const mode = useMode()
  const canOperate = usePermissions(project.id)('operate')
  // Nobody should pay for a sample with real money.
  const hasSample = mode === 'test' && project.archivedAt === null && canOperate
  const { data, error, refetch } = useQuery({
    queryKey: ['sample-link', project.id, mode, project.secretRotatedAt, project.testSecretRotatedAt],
    enabled: hasSample,
    queryFn: ({ signal }) => {
      // In test mode, the sample servers of the guide accept every order whose ID starts with "test-".
      const body = { amount: SAMPLE_AMOUNT, data: link.sampleData, mode, customId: `test-${Date.now()}` }
      return call<{ url: string }>(`/portal/api/projects/${project.id}/pay-link`, body, { signal })
    },
  })
  return (
    <Card title={overview.quick}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <div className={classNames('grid gap-x-8 gap-y-4', isWide && 'lg:grid-cols-2')}>
        <div className="grid content-start gap-4">
          <div>
            <p className="text-sm text-muted">{list.id}</p>
            <p className="-my-1.5 flex items-center gap-1">
              <code className="min-w-0 font-mono text-sm wrap-anywhere">{project.id}</code>
              <CopyButton {...ICON_ONLY} text={project.id} what={list.id} />
            </p>
          </div>
          {canOperate && (
            <div className="grid gap-2">
              <p className="text-sm text-muted">{overview.testCallback}</p>
              <TestCallback parts={testCallback} />
            </div>
          )}
          {mode === 'test' && canOperate && <ExamLink projectId={project.id} />}
        </div>
        {mode === 'live' && canOperate && (
          <div className="flex flex-wrap content-start gap-x-8 gap-y-4 max-sm:*:grow">
            <Shortcut name={link.title}>
              <Link
                to="/projects/$id/link"
                params={{ id: project.id }}
                search={{ mode }}
                className={buttonClass('second')}
              >
                {payments.emptyAction}
              </Link>
            </Shortcut>
            <ExamLink projectId={project.id} />
          </div>
        )}
        {hasSample && (
          <div className="grid content-start gap-2">
            <p className="text-sm text-muted">{overview.sampleLink(formatAmount(SAMPLE_AMOUNT))}</p>
            <p className="line-clamp-2 min-h-8 font-mono text-xs wrap-anywhere">{data?.url}</p>
            {data && (
              <div className="flex flex-wrap gap-2 max-sm:*:grow">
                <CopyButton small={false} text={data.url} label={link.copy} />
                <a
                  href={data.url}
                  target="_blank"
                  rel="noreferrer"
                  className={buttonClass('second')}
                  // An order can be paid only once, so the next click needs another order.
                  onClick={() => void refetch()}
                >
                  {overview.openLink}
                </a>
              </div>
            )}
          </div>
        )}
      </div>
    </Card>
  )
}

function Shortcut({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-start justify-items-start gap-2 max-sm:justify-items-stretch">
      <p className="text-sm text-muted">{name}</p>
      {children}
    </div>
  )
}

function ExamLink({ projectId }: { projectId: string }) {
  const { frame, projects } = words()
  const mode = useMode()
  return (
    <Shortcut name={frame.exam}>
      <Link
        to="/projects/$id/exam"
        params={{ id: projectId }}
        search={{ mode }}
        className={buttonClass('second')}
      >
        {projects.overview.stepActions.signature}
      </Link>
    </Shortcut>
  )
}

// The overview of a project: what needs attention, first steps, stats, quick access, and the latest transactions and
// deliveries.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ProjectView } from '@pazar/contract'
import { usePermissions } from '../../api/members.ts'
import { call } from '../../api/call.ts'
import { useDeliveries } from '../../api/deliveries.ts'
import { useProject } from '../../api/projects.ts'
import { useFirstSteps } from '../../api/stats.ts'
import { useTransactions } from '../../api/transactions.ts'
import { words } from '../../ui/language.ts'
import { toModeName, useMode } from '../../parts/mode.ts'
import { ICON_ONLY } from '../../parts/icon-only.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { useIsPhone } from '../../ui/use-phone.ts'
import { Failed } from '../../parts/failed.tsx'
import { DeliveryTable } from '../../parts/deliveries/delivery-table.tsx'
import { FailureCauses } from '../../parts/deliveries/failure-causes.tsx'
import { TestCallback } from '../../parts/deliveries/test-callback.tsx'
import { TransactionTable } from '../../parts/transactions/transaction-table.tsx'
import { Checklist, useHasSteps } from './checklist.tsx'
import { InReview } from './in-review.tsx'
import { OpenDisputes } from './open-disputes.tsx'
import { StatsSection } from './stats.tsx'
import { Warnings } from './warnings.tsx'

const LATEST_COUNT = 5
/** In minor units. */
const SAMPLE_AMOUNT = '1500'

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/' })
  const { data: project, error, refetch } = useProject(id)
  const mode = useMode()
  const isPhone = useIsPhone()
  // Only people who can take all the steps see them.
  const canConfigure = usePermissions(id)('configure')
  const hasSteps = useHasSteps(id) && canConfigure
  const { data: steps } = useFirstSteps(id)
  // Once live money comes in, the live stats come first, and the steps that are left take one line.
  const isStarting = hasSteps && !steps?.live
  return (
    <>
      <PageHead
        title={project?.name ?? words().projects.overview.title}
        text={words().projects.overview.purpose}
        within={[toModeName(mode)]}
      />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!project && !error && <Skeleton rows={3} height="h-40" />}
      {project && (
        <>
          <Warnings project={project} />
          <OpenDisputes projectId={project.id} />
          <InReview projectId={project.id} />
          <FailureCauses projectId={project.id} />
          {isStarting ? (
            <GettingStarted project={project} />
          ) : (
            hasSteps && <Checklist isFolded project={project} />
          )}
          <StatsSection projectId={project.id} isUnused={isStarting && steps?.payment === false} />
          {!isStarting && !isPhone && <QuickAccess project={project} isWide />}
          <LatestTransactions projectId={project.id} />
          <LatestDeliveries projectId={project.id} />
          {!isStarting && isPhone && <QuickAccess project={project} />}
        </>
      )}
    </>
  )
}

/** This section comes first until the first live payment. After that the stats come first. */
function GettingStarted({ project }: { project: ProjectView }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Checklist project={project} />
      <QuickAccess project={project} />
    </div>
  )
}

/** `isWide`: the card takes the whole width of the page. */
function QuickAccess({ project, isWide = false }: { project: ProjectView; isWide?: boolean }) {
  const { projects, link, payments } = words()
  const { overview, list } = projects
  const mode = useMode()
  const canOperate = usePermissions(project.id)('operate')
  // Nobody should be asked to pay for a sample with real money.
  const hasSample = mode === 'test' && project.archivedAt === null && canOperate
  const { data, error, refetch } = useQuery({
    queryKey: ['sample-link', project.id, mode, project.secretRotatedAt, project.testSecretRotatedAt],
    enabled: hasSample,
    queryFn: ({ signal }) => {
      // The sample endpoints accept every order whose ID starts with "test-".
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
          {canOperate && <TestCallbacks projectId={project.id} />}
        </div>
        {mode === 'live' && canOperate && (
          <div className="grid content-start gap-2 justify-items-start max-sm:justify-items-stretch">
            <p className="text-sm text-muted">{link.title}</p>
            <Link
              to="/projects/$id/link"
              params={{ id: project.id }}
              search={{ mode }}
              className={buttonClass('second')}
            >
              {payments.emptyAction}
            </Link>
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
                  // An order is paid once, so the next click needs a link for another order.
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

function TestCallbacks({ projectId }: { projectId: string }) {
  const mode = useMode()
  return (
    <div className="grid gap-2">
      <p className="text-sm text-muted">{words().projects.overview.testCallback}</p>
      <TestCallback projectId={projectId} kind="second">
        <Link
          to="/projects/$id/exam"
          params={{ id: projectId }}
          search={{ mode }}
          className={buttonClass('second')}
        >
          {words().exam.title}
        </Link>
      </TestCallback>
    </div>
  )
}

interface LatestProps {
  title: string
  /** The link to the page with all rows. */
  allLink: ReactNode
  children: ReactNode
}

function Latest({ title, allLink, children }: LatestProps) {
  return (
    <section className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-lg font-strong">{title}</h2>
        {allLink}
      </div>
      {children}
    </section>
  )
}

const ALL_LINK = 'inline-flex min-h-11 shrink-0 items-center text-accent underline underline-offset-4'

function LatestTransactions({ projectId }: { projectId: string }) {
  const { projects, payments } = words()
  const mode = useMode()
  const { data, error, refetch } = useTransactions({ projectId, mode, limit: LATEST_COUNT })
  const allLink = (
    <Link to="/projects/$id/transactions" params={{ id: projectId }} search={{ mode }} className={ALL_LINK}>
      {projects.overview.all}
      <span className="sr-only">: {payments.title}</span>
    </Link>
  )
  return (
    <Latest title={projects.overview.lastTransactions} allLink={allLink}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={LATEST_COUNT} height="h-11" />}
      {data?.items.length === 0 && <p className="text-muted">{payments.emptyText}</p>}
      {data && data.items.length > 0 && <TransactionTable items={data.items} />}
    </Latest>
  )
}

function LatestDeliveries({ projectId }: { projectId: string }) {
  const { projects, deliveries } = words()
  const mode = useMode()
  const { data, error, refetch } = useDeliveries(projectId, { mode }, LATEST_COUNT)
  const items = data?.pages[0]?.items ?? []
  const allLink = (
    <Link to="/projects/$id/deliveries" params={{ id: projectId }} search={{ mode }} className={ALL_LINK}>
      {projects.overview.all}
      <span className="sr-only">: {deliveries.title}</span>
    </Link>
  )
  return (
    <Latest title={projects.overview.lastDeliveries} allLink={allLink}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={LATEST_COUNT} height="h-11" />}
      {data && items.length === 0 && <p className="text-muted">{deliveries.emptyText}</p>}
      {items.length > 0 && <DeliveryTable items={items} />}
    </Latest>
  )
}

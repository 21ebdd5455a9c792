import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ProjectView } from '@pazar/contract'
import { usePermissions } from '../../api/members.ts'
import { useDeliveries } from '../../api/deliveries.ts'
import { useProject } from '../../api/projects.ts'
import { useFirstSteps } from '../../api/stats.ts'
import { useTransactions } from '../../api/transactions.ts'
import { words } from '../../ui/language.ts'
import { toModeName, useMode } from '../../parts/mode.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { DeliveryTable } from '../../parts/deliveries/delivery-table.tsx'
import { FailureCauses } from '../../parts/deliveries/failure-causes.tsx'
import { useTestCallback } from '../../parts/deliveries/test-callback.tsx'
import type { TestCallbackParts } from '../../parts/deliveries/test-callback.tsx'
import { TransactionTable } from '../../parts/transactions/transaction-table.tsx'
import { Checklist, useHasSteps } from './checklist.tsx'
import { InReview } from './in-review.tsx'
import { OpenDisputes } from './open-disputes.tsx'
import { QuickAccess } from './quick-access.tsx'
import { StatsSection } from './stats.tsx'
import { Warnings } from './warnings.tsx'

const LATEST_COUNT = 5

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/' })
  return <Overview key={id} id={id} />
}

function Overview({ id }: { id: string }) {
  const { data: project, error, refetch } = useProject(id)
  const mode = useMode()
  // The checklist of first steps is for people who write the merchant's code. An archived project shows no checklist.
  const canConfigure = usePermissions(id)('configure')
  const hasSteps = useHasSteps(id) && canConfigure && !project?.archivedAt
  const { data: steps } = useFirstSteps(id)
  // After the first live payment, the list of open steps is collapsed into one line.
  const isStarting = hasSteps && !steps?.live
  const testCallback = useTestCallback(id, 'second')
  const { overview } = words().projects
  return (
    <>
      <PageHead
        title={project?.name ?? overview.title}
        text={isStarting && steps?.payment === false ? overview.purposeNew : overview.purpose}
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
            <GettingStarted project={project} testCallback={testCallback} />
          ) : (
            hasSteps && <Checklist isFolded project={project} />
          )}
          <StatsSection projectId={project.id} isUnused={isStarting && steps?.payment === false} />
          <LatestTransactions projectId={project.id} />
          <LatestDeliveries projectId={project.id} />
          {!isStarting && <QuickAccess project={project} testCallback={testCallback} isWide />}
        </>
      )}
    </>
  )
}

interface GettingStartedProps {
  project: ProjectView
  testCallback: TestCallbackParts
}

function GettingStarted({ project, testCallback }: GettingStartedProps) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Checklist project={project} />
      <QuickAccess project={project} testCallback={testCallback} />
    </div>
  )
}

interface LatestProps {
  title: string
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

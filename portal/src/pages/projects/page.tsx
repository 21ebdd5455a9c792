import { Link } from '@tanstack/react-router'
import { ChevronRight, Plus } from 'lucide-react'
import type { ProjectsTodayView, ProjectView } from '@pazar/contract'
import { formatPercent } from '@pazar/words'
import { useToday } from '../../api/stats.ts'
import { useProjects } from '../../api/projects.ts'
import { locale, words } from '../../ui/language.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { NewProjectForm } from '../../parts/project-form/new-project-form.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Time } from '../../parts/time.tsx'
import { CallbackBadge } from '../../parts/transactions/state-badges.tsx'

export function Page() {
  const { list } = words().projects
  const { data, error, refetch } = useProjects()
  const active = data?.projects.filter((project) => project.archivedAt === null) ?? []
  const archived = data?.projects.filter((project) => project.archivedAt !== null) ?? []
  // A shared project counts only towards the limit of its owner.
  const used = active.filter(({ role }) => role === 'owner').length
  const isFull = data !== undefined && used >= data.limit
  const addLink = (
    <Link to="/projects/new" className={buttonClass('main')}>
      <Plus aria-hidden className="size-5" />
      {list.add}
    </Link>
  )
  return (
    <>
      <PageHead title={list.title} text={list.purpose}>
        {data && !isFull && active.length > 0 && addLink}
      </PageHead>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} height="h-24" />}
      {data && used > 0 && !isFull && <Meter used={used} limit={data.limit} />}
      {isFull && (
        <Notice tone="info" live={false}>
          {list.full}{' '}
          <Link to="/projects/new" className="underline underline-offset-4">
            {list.toArchive}
          </Link>
        </Notice>
      )}
      {data && active.length === 0 && (
        <Card className="max-w-2xl" title={list.emptyTitle} text={list.emptyText}>
          <NewProjectForm />
        </Card>
      )}
      <ProjectCards projects={active} />
      {archived.length > 0 && (
        <details className="grid gap-3">
          <summary className="min-h-11 content-center font-medium">{list.showArchived}</summary>
          <ProjectCards projects={archived} />
        </details>
      )}
    </>
  )
}

function Meter({ used, limit }: { used: number; limit: number }) {
  const label = words().projects.list.used(used, limit)
  return (
    <div className="flex items-center gap-3 text-sm text-muted">
      <meter min={0} max={limit} value={used} aria-label={label} className="sr-only" />
      <div aria-hidden className="flex gap-1">
        {Array.from({ length: limit }, (_, index) => (
          <span key={index} className={`h-2 w-6 rounded-full ${index < used ? 'bg-accent' : 'bg-line'}`} />
        ))}
      </div>
      <span aria-hidden>{label}</span>
    </div>
  )
}

function ProjectCards({ projects }: { projects: readonly ProjectView[] }) {
  const { projects: text, members } = words()
  const { list } = text
  return (
    <ul className="grid gap-3">
      {projects.map((project) => (
        <li
          key={project.id}
          className="relative grid gap-3 rounded-card border border-line bg-raised p-4 hover:border-control sm:px-6 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center lg:gap-8 lg:pr-14"
        >
          <div className="max-lg:pr-8">
            <div className="grid min-w-0 gap-1">
              <h2 className="text-base font-strong wrap-anywhere">
                <Link
                  to="/projects/$id"
                  params={{ id: project.id }}
                  className="after:absolute after:inset-0 after:rounded-card"
                >
                  {project.name}
                </Link>
                {project.role !== 'owner' && (
                  <span className="font-normal text-muted"> · {members.roles[project.role]}</span>
                )}
              </h2>
              <div className="flex flex-wrap items-center gap-x-4 text-sm text-muted">
                <p className="max-sm:hidden">
                  {project.archivedAt === null ? list.created : list.archived}{' '}
                  <Time at={project.archivedAt ?? project.createdAt} />
                </p>
                {/* Hidden on a phone, because the overview shows the ID too. */}
                <div className="relative flex min-w-0 items-center gap-x-2 max-sm:hidden">
                  <code className="font-mono text-xs wrap-anywhere">{project.id}</code>
                  <CopyButton kind="quiet" text={project.id} what={list.id} />
                </div>
              </div>
            </div>
            <ChevronRight
              aria-hidden
              className="absolute top-4 right-4 size-5 text-muted sm:right-6 lg:top-[calc(50%-0.625rem)]"
            />
          </div>
          {project.archivedAt === null && <Today projectId={project.id} />}
        </li>
      ))}
    </ul>
  )
}

/** Live payments of today. While loading and after an error, a dash takes the same space. */
function Today({ projectId }: { projectId: string }) {
  const { list } = words().projects
  const { data } = useToday()
  const day = data?.get(projectId)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-1 text-sm max-lg:border-t max-lg:border-line max-lg:pt-3 lg:flex-col lg:items-end">
      {day?.successRate === null ? (
        <p className="text-muted">{list.noneToday}</p>
      ) : (
        <p className="tabular-nums">
          <span className="text-muted">{list.today}:</span>{' '}
          <span className="font-strong">{day ? formatAmount(day.volume) : '–'}</span>
          {day && ` · ${list.rate(formatPercent(locale, day.successRate))}`}
        </p>
      )}
      {day?.lastCallback && <LastCallback callback={day.lastCallback} />}
    </div>
  )
}

/** Shows the time of the callback, because the callback may be older than today. */
function LastCallback({
  callback,
}: {
  callback: NonNullable<ProjectsTodayView['projects'][number]['lastCallback']>
}) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-muted">
      {words().projects.list.lastCallback} <CallbackBadge callback={callback} /> <Time at={callback.at} />
    </p>
  )
}

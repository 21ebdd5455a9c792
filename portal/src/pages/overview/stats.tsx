import { useSearch } from '@tanstack/react-router'
import { addDays } from '@pazar/words'
import { toDayStart } from '../../api/days.ts'
import { useProject } from '../../api/projects.ts'
import { useStats } from '../../api/stats.ts'
import type { Stats } from '../../api/stats.ts'
import { isInboxTarget } from '../../api/service-pages.ts'
import { useAccount } from '../../api/session.ts'
import { words } from '../../ui/language.ts'
import { ModeTag } from '../../parts/mode-tag.tsx'
import { useMode } from '../../parts/mode.ts'
import { parseRangeSearch } from '../../parts/search.ts'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Charts } from './charts.tsx'
import { StatsTables } from './stats-table.tsx'
import { KeyStats } from './key-stats.tsx'
import { toDays } from './range.ts'
import { RangeChoice } from './range-choice.tsx'

function isEmpty({ count, net, refunds, disputes, callbackMs }: Stats): boolean {
  return count === 0 && refunds === 0 && disputes === 0 && net === '0' && callbackMs.p50 === null
}

export interface StatsSectionProps {
  projectId: string
  /** The project has no payment yet. */
  isUnused: boolean
}

export function StatsSection({ projectId, isUnused }: StatsSectionProps) {
  const mode = useMode()
  const { timeZone } = useAccount()
  const days = toDays(parseRangeSearch(useSearch({ strict: false })), timeZone)
  const { data: project } = useProject(projectId)
  // If callbacks go to the project's inbox, no server responds to them. So there are no response times.
  const isInInbox = project !== undefined && isInboxTarget(project, mode)
  const range = {
    from: toDayStart(days.from, timeZone),
    to: toDayStart(addDays(days.to, 1), timeZone),
  }
  const { data, error, refetch, isPlaceholderData } = useStats(projectId, mode, range)
  if (isUnused && !error && (!data || isEmpty(data))) return null
  return (
    <section className="grid gap-4" aria-labelledby="stats">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <div className="flex flex-wrap items-center gap-3">
          <h2 id="stats" className="text-lg font-strong">
            {words().metrics.title}
          </h2>
          <ModeTag />
        </div>
        <RangeChoice shown={days} />
      </div>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={2} height="h-28" />}
      {data && (
        <div className={classNames('grid gap-4', isPlaceholderData && 'opacity-60')}>
          <KeyStats projectId={projectId} stats={data} days={days} isInInbox={isInInbox} />
          {isEmpty(data) ? (
            <p className="rounded-card border border-dashed border-control p-6 text-center text-sm text-muted">
              {words().metrics.charts.empty}
            </p>
          ) : (
            <div className="grid gap-4 rounded-card border border-line bg-raised p-4 sm:p-6">
              <Charts key={data.bucket} projectId={projectId} stats={data} isInInbox={isInInbox} />
              <StatsTables projectId={projectId} stats={data} />
            </div>
          )}
        </div>
      )}
    </section>
  )
}

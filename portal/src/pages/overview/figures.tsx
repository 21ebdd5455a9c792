// How the project fares: the chosen days in four numbers, as bars, and as a table.
import { useSearch } from '@tanstack/react-router'
import { addDays } from '@pazar/words'
import { toDayStart } from '../../api/days.ts'
import { useStats } from '../../api/figures.ts'
import type { Stats } from '../../api/figures.ts'
import { useAccount } from '../../api/session.ts'
import { words } from '../../app/language.ts'
import { useMode } from '../../app/mode.tsx'
import { parseRangeSearch } from '../../app/search.ts'
import { classNames } from '../../ui/class-names.ts'
import { Failed, Skeleton } from '../../ui/states.tsx'
import { Charts } from './charts.tsx'
import { FiguresTable } from './figures-table.tsx'
import { KeyFigures } from './key-figures.tsx'
import { toDays } from './range.ts'
import { RangeChoice } from './range-choice.tsx'

function isEmpty({ count, callbackMs }: Stats): boolean {
  return count === 0 && callbackMs.p50 === null
}

export function Figures({ projectId }: { projectId: string }) {
  const mode = useMode()
  const { timeZone } = useAccount()
  const days = toDays(parseRangeSearch(useSearch({ strict: false })), timeZone)
  const range = {
    from: toDayStart(days.from, timeZone),
    to: toDayStart(addDays(days.to, 1), timeZone),
  }
  const { data, error, refetch, isPlaceholderData } = useStats(projectId, mode, range)
  return (
    <section className="grid gap-4" aria-labelledby="figures">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="figures" className="text-lg font-strong">
          {words().figures.title}
        </h2>
        <RangeChoice key={`${days.from} ${days.to}`} shown={days} />
      </div>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={2} height="h-28" />}
      {data && (
        <div className={classNames('grid gap-4', isPlaceholderData && 'opacity-60')}>
          <KeyFigures projectId={projectId} stats={data} days={days} />
          {isEmpty(data) ? (
            <p className="text-muted">{words().figures.charts.empty}</p>
          ) : (
            <div className="grid gap-4 rounded-card border border-line bg-raised p-4 sm:p-6">
              <Charts key={data.bucket} projectId={projectId} stats={data} />
              <FiguresTable projectId={projectId} stats={data} />
            </div>
          )}
        </div>
      )}
    </section>
  )
}

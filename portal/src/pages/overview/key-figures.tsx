// The four numbers a merchant looks for first.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDuration, formatNumber, formatPercent } from '@pazar/words'
import type { Stats } from '../../api/figures.ts'
import { locale, words } from '../../app/language.ts'
import { useMode } from '../../app/mode.tsx'
import { showMoney } from '../../app/money.ts'
import type { Days } from './range.ts'

function KeyFigure({ name, value, more }: { name: string; value: string; more: ReactNode }) {
  return (
    <div className="grid content-start gap-1 rounded-card border border-line bg-raised p-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-xl font-strong tabular-nums wrap-anywhere">{value}</dd>
      <dd className="text-sm text-muted">{more}</dd>
    </div>
  )
}

export interface KeyFiguresProps {
  projectId: string
  stats: Stats
  days: Days
}

export function KeyFigures({ projectId, stats, days }: KeyFiguresProps) {
  const { figures, frame } = words()
  const mode = useMode()
  const { callbackMs, succeeded, failed, successRate } = stats
  const showFailed = (
    <Link
      to="/projects/$id/transactions"
      params={{ id: projectId }}
      search={{ mode, status: 'failed', ...days }}
      className="inline-flex min-h-6 items-center text-accent underline underline-offset-4"
    >
      {figures.showFailed}
    </Link>
  )
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(13rem,100%),1fr))] gap-3">
      <KeyFigure name={figures.volume} value={showMoney(stats.volume)} more={figures.begun(stats.count)} />
      <KeyFigure
        name={figures.rate}
        value={successRate === null ? '–' : formatPercent(locale, successRate)}
        more={successRate === null ? figures.noneEnded : figures.ofEnded(succeeded, succeeded + failed)}
      />
      <KeyFigure
        name={figures.answers}
        value={callbackMs.p50 === null ? '–' : formatDuration(locale, callbackMs.p50)}
        more={
          callbackMs.p95 === null ? figures.noAnswers : figures.within(formatDuration(locale, callbackMs.p95))
        }
      />
      <KeyFigure
        name={figures.failed}
        value={failed === 0 ? frame.none : formatNumber(locale, failed)}
        more={failed === 0 ? figures.noneFailed : showFailed}
      />
    </dl>
  )
}

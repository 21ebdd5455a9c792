// The numbers behind the charts as a table, newest last.
import { Link } from '@tanstack/react-router'
import { formatDuration, formatNumber, formatPercent } from '@pazar/words'
import type { Stats } from '../../api/stats.ts'
import { useAccount } from '../../api/session.ts'
import { locale, words } from '../../ui/language.ts'
import { useMode } from '../../parts/mode.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { Cell, HeadCell, ROW, Table } from '../../ui/table.tsx'
import { toBarName, toRate } from './range.ts'

export function StatsTable({ projectId, stats }: { projectId: string; stats: Stats }) {
  const { metrics } = words()
  const { table, charts } = metrics
  const mode = useMode()
  const { timeZone } = useAccount()
  const { bucket, series } = stats
  const when = bucket === 'hour' ? table.hour : table.day
  return (
    <details>
      <summary className="min-h-11 content-center font-medium">{table.show}</summary>
      <div className="mt-3">
        <Table label={metrics.title}>
          <thead>
            <tr>
              <HeadCell>{when}</HeadCell>
              <HeadCell right>{charts.volume}</HeadCell>
              <HeadCell right>{table.count}</HeadCell>
              <HeadCell right>{table.succeeded}</HeadCell>
              <HeadCell right>{table.failed}</HeadCell>
              <HeadCell right>{charts.rate}</HeadCell>
              <HeadCell right>{charts.answers}</HeadCell>
            </tr>
          </thead>
          <tbody>
            {series.map((bar) => {
              const { day, full } = toBarName(bar, bucket, timeZone)
              const rate = toRate(bar)
              return (
                <tr key={bar.at} className={ROW}>
                  <Cell label={when} narrow="whole" className="font-medium">
                    <Link
                      to="/projects/$id/transactions"
                      params={{ id: projectId }}
                      search={{ mode, from: day, to: day }}
                      className="tabular-nums after:absolute after:inset-0"
                    >
                      {full}
                    </Link>
                  </Cell>
                  <Number label={charts.volume} text={formatAmount(bar.volume)} />
                  <Number label={table.count} text={formatNumber(locale, bar.count)} />
                  <Number label={table.succeeded} text={formatNumber(locale, bar.succeeded)} />
                  <Number label={table.failed} text={formatNumber(locale, bar.failed)} />
                  <Number label={charts.rate} text={rate === null ? '–' : formatPercent(locale, rate)} />
                  <Number
                    label={charts.answers}
                    text={bar.callbackP50Ms === null ? '–' : formatDuration(locale, bar.callbackP50Ms)}
                  />
                </tr>
              )
            })}
          </tbody>
        </Table>
      </div>
    </details>
  )
}

/** On a phone a bare number says nothing, so its column name is shown beside it. */
function Number({ label, text }: { label: string; text: string }) {
  return (
    <Cell label={label} right narrow="whole" className="tabular-nums">
      <span className="flex justify-between gap-4 md:block">
        <span aria-hidden className="text-muted md:hidden">
          {label}
        </span>
        <span className="whitespace-nowrap">{text}</span>
      </span>
    </Cell>
  )
}

// The numbers of the charts, in two tables. A single table would be too wide for a tablet.
import { Link } from '@tanstack/react-router'
import { formatDuration, formatNumber, formatPercent } from '@pazar/words'
import type { Bar, Stats } from '../../api/stats.ts'
import { useAccount } from '../../api/session.ts'
import { locale, words } from '../../ui/language.ts'
import { useMode } from '../../parts/mode.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { negate } from '../../parts/negate.ts'
import { Cell, HeadCell, ROW, Table } from '../../ui/table.tsx'
import { toBarName, toRate } from './range.ts'

interface Column {
  name: string
  text: (bar: Bar) => string
}

function listAmounts(): Column[] {
  const { volume, refunded, disputed, net } = words().metrics
  return [
    { name: volume, text: (bar) => formatAmount(bar.volume) },
    { name: refunded, text: (bar) => formatAmount(negate(bar.refunded)) },
    { name: disputed, text: (bar) => formatAmount(negate(bar.disputed)) },
    { name: net, text: (bar) => formatAmount(bar.net) },
  ]
}

function listCounts(): Column[] {
  const { charts, table, failed } = words().metrics
  const toRateText = (bar: Bar) => {
    const rate = toRate(bar)
    return rate === null ? '–' : formatPercent(locale, rate)
  }
  const toDurationText = ({ callbackP50Ms: ms }: Bar) => (ms === null ? '–' : formatDuration(locale, ms))
  return [
    { name: table.count, text: (bar) => formatNumber(locale, bar.count) },
    { name: table.succeeded, text: (bar) => formatNumber(locale, bar.succeeded) },
    { name: failed, text: (bar) => formatNumber(locale, bar.failed) },
    { name: charts.rate, text: toRateText },
    { name: charts.responseTime, text: toDurationText },
  ]
}

interface StatsTableProps {
  projectId: string
  stats: Stats
}

export function StatsTables(props: StatsTableProps) {
  const { table } = words().metrics
  return (
    <details>
      <summary className="min-h-11 content-center font-medium">{table.show}</summary>
      <div className="mt-3 grid gap-4">
        <StatsTable {...props} label={table.amounts} columns={listAmounts()} />
        <StatsTable {...props} label={table.counts} columns={listCounts()} />
      </div>
    </details>
  )
}

function StatsTable({
  projectId,
  stats: { bucket, series },
  label,
  columns,
}: StatsTableProps & { label: string; columns: readonly Column[] }) {
  const { table } = words().metrics
  const mode = useMode()
  const { timeZone } = useAccount()
  const when = bucket === 'hour' ? table.hour : table.day
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-strong">{label}</h3>
      <Table label={label}>
        <thead>
          <tr>
            <HeadCell>{when}</HeadCell>
            {columns.map(({ name }) => (
              <HeadCell key={name} right>
                {name}
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map((bar) => {
            const { day, full } = toBarName(bar, bucket, timeZone)
            return (
              <tr key={bar.at} className={ROW}>
                <Cell label={when} narrow="whole" className="font-medium whitespace-nowrap">
                  <Link
                    to="/projects/$id/transactions"
                    params={{ id: projectId }}
                    search={{ mode, from: day, to: day }}
                    className="tabular-nums after:absolute after:inset-0"
                  >
                    {full}
                  </Link>
                </Cell>
                {columns.map(({ name, text }) => (
                  <NumberCell key={name} label={name} text={text(bar)} />
                ))}
              </tr>
            )
          })}
        </tbody>
      </Table>
    </section>
  )
}

function NumberCell({ label, text }: { label: string; text: string }) {
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

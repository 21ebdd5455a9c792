// Bar charts of the volume, the success rate and the callback times. Each bar links to the transactions of its day.
import { formatDuration, formatNumber, formatPercent } from '@pazar/words'
import type { Bar, Stats } from '../../api/stats.ts'
import { useAccount } from '../../api/session.ts'
import { locale, words } from '../../ui/language.ts'
import { useMode } from '../../parts/mode.ts'
import { formatAmount, formatAxisAmounts } from '../../parts/format-amount.ts'
import { BarChart } from '../../ui/chart.tsx'
import type { ChartBar } from '../../ui/chart-parts.tsx'
import { toShare, toScale } from '../../ui/chart-scale.ts'
import { toBarName, toNetParts, toRate } from './range.ts'

interface Measure {
  text: (bar: Bar) => string | null
  rows: (bar: Bar) => ChartBar['tip']['rows']
  parts: (bar: Bar) => ChartBar['parts']
}

const RATE_TICKS = [0, 0.25, 0.5, 0.75, 1]
/** Even a response within a millisecond gets a visible bar. */
const DURATION_SHARE_MIN = 0.02

function toTakenBack({ volume, net }: Bar): string {
  return String(BigInt(volume) - BigInt(net))
}

function toNetText(bar: Bar): string {
  const { volume, net } = bar
  const takenBack = toTakenBack(bar)
  if (takenBack === '0') return formatAmount(volume)
  const { netOf } = words().metrics.charts
  return netOf(formatAmount(volume), formatAmount(takenBack), formatAmount(net))
}

function toNetRows(bar: Bar): ChartBar['tip']['rows'] {
  const { charts } = words().metrics
  const volume = [charts.volume, formatAmount(bar.volume)] as const
  const takenBack = toTakenBack(bar)
  if (takenBack === '0') return [volume]
  return [volume, [charts.takenBack, formatAmount(takenBack)], [charts.net, formatAmount(bar.net)]]
}

interface ChartsProps {
  projectId: string
  stats: Stats
  /** Callbacks are stored in the inbox, so no server responds. */
  isInInbox: boolean
}

export function Charts({ projectId, stats, isInInbox }: ChartsProps) {
  const { charts } = words().metrics
  const mode = useMode()
  const { timeZone } = useAccount()
  const { series, bucket } = stats
  const toBars = ({ text, rows, parts }: Measure): ChartBar[] =>
    series.map((bar) => {
      const { day, short, full } = toBarName(bar, bucket, timeZone)
      return {
        key: bar.at,
        name: short,
        text: charts.bar(full, text(bar) ?? charts.nothing),
        tip: { title: full, rows: rows(bar) },
        parts: parts(bar),
        link: {
          to: '/projects/$id/transactions',
          params: { id: projectId },
          search: { mode, from: day, to: day },
        },
      }
    })
  const hasResponses = stats.callbackMs.p50 !== null || !isInInbox
  const props = { stats, toBars, shared: { hint: charts.hint, empty: charts.empty } }
  return (
    <div className="grid gap-x-8 gap-y-10 lg:grid-cols-2">
      <VolumeChart {...props} />
      <RateChart {...props} wide={!hasResponses} />
      {hasResponses && <ResponseChart {...props} />}
    </div>
  )
}

interface ChartProps {
  stats: Stats
  toBars: (measure: Measure) => ChartBar[]
  shared: { hint: string; empty: string }
}

function VolumeChart({ stats, toBars, shared }: ChartProps) {
  const { charts } = words().metrics
  const mode = useMode()
  const heights = stats.series.map(toNetParts).map(({ kept, takenBack }) => kept + takenBack)
  const { top, ticks } = toScale(heights.reduce((max, height) => (height > max ? height : max), 0n))
  const hasTakenBack = stats.series.some((bar) => bar.net !== bar.volume)
  return (
    <BarChart
      {...shared}
      wide
      title={charts.volume}
      summary={charts.totals[mode](formatAmount(stats.volume))}
      axis={formatAxisAmounts(ticks)}
      {...(hasTakenBack && { legend: [charts.net, charts.takenBack] as const })}
      bars={toBars({
        text: toNetText,
        rows: toNetRows,
        parts: (bar) => {
          const { kept, takenBack } = toNetParts(bar)
          return [{ share: toShare(kept, top) }, { share: toShare(takenBack, top), isSecond: true }]
        },
      })}
    />
  )
}

function RateChart({ stats, toBars, shared, wide }: ChartProps & { wide: boolean }) {
  const { metrics } = words()
  const { charts } = metrics
  const { succeeded, failed } = stats
  const toRateRows = (bar: Bar) => {
    const rate = toRate(bar)
    if (rate === null) return [[charts.rate, '–']] as const
    return [
      [charts.rate, formatPercent(locale, rate)],
      [charts.succeeded, formatNumber(locale, bar.succeeded)],
      [metrics.failed, formatNumber(locale, bar.failed)],
    ] as const
  }
  return (
    <BarChart
      {...shared}
      wide={wide}
      title={charts.rate}
      summary={succeeded + failed === 0 ? metrics.noneEnded : metrics.ofEnded(succeeded, succeeded + failed)}
      axis={RATE_TICKS.map((tick) => formatPercent(locale, tick))}
      legend={[charts.succeeded, metrics.failed]}
      bars={toBars({
        text: (bar) => {
          const rate = toRate(bar)
          return rate === null ? null : charts.rateOf(rate, bar.failed)
        },
        rows: toRateRows,
        parts: (bar) => {
          const rate = toRate(bar)
          return rate === null ? [] : [{ share: rate }, { share: 1 - rate, isSecond: true }]
        },
      })}
    />
  )
}

function ResponseChart({ stats, toBars, shared }: ChartProps) {
  const { series, callbackMs } = stats
  const { metrics } = words()
  const { charts } = metrics
  const slowest = Math.max(0, ...series.map((bar) => bar.callbackP50Ms ?? 0))
  const { top, ticks } = toScale(BigInt(Math.ceil(slowest)))
  const toText = (ms: number | null) => (ms === null ? '–' : formatDuration(locale, ms))
  return (
    <BarChart
      {...shared}
      title={charts.responseTime}
      summary={callbackMs.p95 === null ? metrics.noResponses : charts.within(toText(callbackMs.p95))}
      axis={ticks.map((tick) => formatDuration(locale, Number(tick)))}
      // The chart beside this chart has a legend. With the same space here, the bars of both charts start at the same height.
      hasLegendSpace={stats.succeeded + stats.failed > 0}
      bars={toBars({
        text: ({ callbackP50Ms: ms }) => (ms === null ? null : toText(ms)),
        rows: ({ callbackP50Ms: ms }) => [[charts.median, toText(ms)]],
        parts: ({ callbackP50Ms: ms }) =>
          ms === null ? [] : [{ share: Math.max(DURATION_SHARE_MIN, ms / Number(top)) }],
      })}
    />
  )
}

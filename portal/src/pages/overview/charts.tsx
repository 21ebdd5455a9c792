// Volume with what was taken back of it, success rate and callback times as bar charts; each bar links to the transactions
// of its day.
import { formatDuration } from '@pazar/words'
import type { Bar, Stats } from '../../api/stats.ts'
import { useAccount } from '../../api/session.ts'
import { locale, words } from '../../ui/language.ts'
import { useMode } from '../../parts/mode.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { BarChart } from '../../ui/chart.tsx'
import type { ChartBar } from '../../ui/chart.tsx'
import { toBarName, toNetParts, toRate } from './range.ts'

/** What a chart shows of each bar. */
interface Measure {
  text: (bar: Bar) => string | null
  parts: (bar: Bar) => ChartBar['parts']
}

/** To a ten-thousandth, which is less than a pixel; sums may exceed what a number holds exactly. */
function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000
}

function toNetText({ volume, net }: Bar): string {
  const takenBack = String(BigInt(volume) - BigInt(net))
  if (takenBack === '0') return formatAmount(volume)
  const { netOf } = words().metrics.charts
  return netOf(formatAmount(volume), formatAmount(takenBack), formatAmount(net))
}

export function Charts({ projectId, stats }: { projectId: string; stats: Stats }) {
  const { charts } = words().metrics
  const mode = useMode()
  const { timeZone } = useAccount()
  const { series, bucket } = stats
  const toBars = ({ text, parts }: Measure): ChartBar[] =>
    series.map((bar) => {
      const { day, short, full } = toBarName(bar, bucket, timeZone)
      return {
        key: bar.at,
        name: short,
        text: charts.bar(full, text(bar) ?? charts.nothing),
        parts: parts(bar),
        link: {
          to: '/projects/$id/transactions',
          params: { id: projectId },
          search: { mode, from: day, to: day },
        },
      }
    })
  const most = series.map(toNetParts).reduce((max, { kept, takenBack }) => {
    const whole = kept + takenBack
    return whole > max ? whole : max
  }, 0n)
  const hasTakenBack = series.some((bar) => bar.net !== bar.volume)
  const slowest = Math.max(0, ...series.map((bar) => bar.callbackP50Ms ?? 0))
  const shared = { hint: charts.hint, empty: charts.empty }
  return (
    <div className="grid gap-6 md:grid-cols-2 xl:grid-cols-3">
      <BarChart
        {...shared}
        title={charts.volume}
        top={charts.most(formatAmount(most.toString()))}
        {...(hasTakenBack && { legend: [charts.net, charts.takenBack] as const })}
        bars={toBars({
          text: toNetText,
          parts: (bar) => {
            const { kept, takenBack } = toNetParts(bar)
            return [{ share: shareOf(kept, most) }, { share: shareOf(takenBack, most), isSecond: true }]
          },
        })}
      />
      <BarChart
        {...shared}
        title={charts.rate}
        top={charts.whole}
        legend={[charts.succeeded, charts.failedPart]}
        bars={toBars({
          text: (bar) => {
            const rate = toRate(bar)
            return rate === null ? null : charts.rateOf(rate, bar.failed)
          },
          parts: (bar) => {
            const rate = toRate(bar)
            return rate === null ? [] : [{ share: rate }, { share: 1 - rate, isSecond: true }]
          },
        })}
      />
      <BarChart
        {...shared}
        title={charts.answers}
        top={charts.most(formatDuration(locale, slowest))}
        bars={toBars({
          text: ({ callbackP50Ms: ms }) => (ms === null ? null : formatDuration(locale, ms)),
          // Even a response within a millisecond gets a visible bar.
          parts: ({ callbackP50Ms: ms }) => (ms === null ? [] : [{ share: (ms + 1) / (slowest + 1) }]),
        })}
      />
    </div>
  )
}

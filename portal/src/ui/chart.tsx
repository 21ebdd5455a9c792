// A bar chart in plain SVG. The chart is one tab stop, and arrow keys move from bar to bar.
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { AxisNames, ChartTip, Gridlines, Hatch, Legend, Names, useHatchId } from './chart-parts.tsx'
import type { ChartBar } from './chart-parts.tsx'
import { classNames } from './class-names.ts'

export interface BarChartProps {
  title: string
  summary: string
  bars: readonly ChartBar[]
  /** The labels of the gridlines, from the bottom to the top. */
  axis: readonly string[]
  hint: string
  empty: string
  legend?: readonly [string, string]
  /** Leaves the space of a legend, because the chart beside this one has a legend. */
  hasLegendSpace?: boolean
  wide?: boolean
}

/** The smallest height of a part of a bar, as a share of the chart's height. A smaller part would be hard to see. */
const SHARE_MIN = 0.015
/** If there are at most this many bars, they are narrower, because a few wide bars would look like one area. */
const FEW_BARS_MAX = 8

export function BarChart(props: BarChartProps) {
  const { title, summary, bars, axis, hint, empty, legend, hasLegendSpace = false, wide = false } = props
  const isEmpty = bars.every(({ parts }) => parts.every(({ share }) => share === 0))
  const height = wide ? 'h-44 md:h-56' : 'h-44'
  return (
    <figure className={classNames('grid min-w-0 content-start gap-4', wide && 'lg:col-span-2')}>
      <figcaption className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div className="grid min-w-0 gap-0.5">
          <h3 className="font-medium">{title}</h3>
          <p className="text-sm text-muted tabular-nums wrap-anywhere">{summary}</p>
        </div>
        {legend && !isEmpty && (
          <div className={wide ? undefined : 'w-full'}>
            <Legend names={legend} />
          </div>
        )}
        {hasLegendSpace && <div className="h-4 w-full max-lg:hidden" />}
      </figcaption>
      {isEmpty ? (
        <p
          className={classNames(
            'grid place-items-center rounded-control border border-dashed border-control px-4 text-center text-sm text-muted',
            height,
          )}
        >
          {empty}
        </p>
      ) : (
        <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 pt-2">
          <AxisNames names={axis} />
          <Bars label={`${title}. ${hint}`} bars={bars} lines={axis.length} wide={wide} height={height} />
          <Names bars={bars} wide={wide} />
        </div>
      )}
    </figure>
  )
}

interface BarsProps {
  label: string
  bars: readonly ChartBar[]
  lines: number
  wide: boolean
  height: string
}

function Bars({ label, bars, lines, wide, height }: BarsProps) {
  const ref = useRef<SVGSVGElement>(null)
  const hatch = useHatchId()
  const [shown, setShown] = useState<number | null>(null)
  const [lastFocused, setLastFocused] = useState(bars.length - 1)
  const tabStop = Math.min(lastFocused, bars.length - 1)

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') setShown(null)
    const last = bars.length - 1
    const moves: Record<string, number> = {
      ArrowLeft: Math.max(0, tabStop - 1),
      ArrowRight: Math.min(last, tabStop + 1),
      Home: 0,
      End: last,
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    ref.current?.querySelectorAll('a')[next]?.focus()
  }
  const width = 100 / bars.length
  const filledShare = bars.length > FEW_BARS_MAX ? 0.76 : wide ? 0.4 : 0.6
  const shownBar = shown === null ? undefined : bars[shown]
  return (
    <svg
      ref={ref}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
      onMouseLeave={() => setShown(null)}
      className={classNames('w-full overflow-visible', height)}
    >
      <Hatch id={hatch} />
      <Gridlines count={lines} />
      {bars.map((bar, index) => (
        <Link
          key={bar.key}
          {...bar.link}
          aria-label={bar.text}
          tabIndex={index === tabStop ? 0 : -1}
          onFocus={() => {
            setLastFocused(index)
            setShown(index)
          }}
          onBlur={() => setShown(null)}
          onMouseEnter={() => setShown(index)}
          className="group"
        >
          {/* Catches the pointer over the full height, so that a low bar is easy to hit. */}
          <rect
            x={`${index * width}%`}
            width={`${width}%`}
            height="100%"
            className="fill-transparent group-hover:fill-ink/5 group-focus-visible:fill-ink/5"
          />
          {toPieces(bar).map(({ from, share, isSecond }) => (
            <rect
              key={from}
              x={`${(index + (1 - filledShare) / 2) * width}%`}
              width={`${filledShare * width}%`}
              y={`${(1 - from - share) * 100}%`}
              height={`${share * 100}%`}
              fill={isSecond ? `url(#${hatch})` : undefined}
              className={isSecond ? undefined : 'fill-accent forced-colors:fill-[CanvasText]'}
            />
          ))}
        </Link>
      ))}
      {shown !== null && shownBar && <ChartTip tip={shownBar.tip} index={shown} count={bars.length} />}
    </svg>
  )
}

/** The parts that are not zero. `from` is the height at which a part starts. */
function toPieces({ parts }: ChartBar) {
  let from = 0
  return parts.flatMap((part) => {
    if (part.share === 0) return []
    const share = Math.max(SHARE_MIN, part.share)
    const piece = { from: Math.min(from, 1 - share), share, isSecond: part.isSecond ?? false }
    from += share
    return [piece]
  })
}

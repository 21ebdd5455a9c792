// The parts of a chart other than the bars: labels, gridlines, tips and the legend.
import type { LinkProps } from '@tanstack/react-router'
import { useId } from 'react'
import { classNames } from './class-names.ts'

export interface ChartBar {
  key: string
  name: string
  /** For screen readers. */
  text: string
  /** Shown beside the bar while the bar has the pointer or the focus. */
  tip: { title: string; rows: readonly (readonly [name: string, value: string])[] }
  /** From the bottom up, each as a fraction of the full height. */
  parts: readonly { share: number; isSecond?: boolean }[]
  link: LinkProps
}

/** This many labels fit below a wide chart. */
const NAMES_MAX = 10
/** In pixels. The narrowest chart is twice as wide as a tip, so the tip stays on the screen. */
const TIP_WIDTH = 176
const TIP_GAP = 8

/** The labels extend half a line above and below the chart, so that each label is centred on its gridline. */
export function AxisNames({ names }: { names: readonly string[] }) {
  return (
    <div
      aria-hidden
      className="-my-2 flex flex-col-reverse justify-between text-right text-xs whitespace-nowrap text-muted tabular-nums"
    >
      {names.map((name, index) => (
        <span key={index}>{name}</span>
      ))}
    </div>
  )
}

export function Gridlines({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => {
    const y = `${(1 - index / (count - 1)) * 100}%`
    return (
      <line
        key={index}
        x2="100%"
        y1={y}
        y2={y}
        shapeRendering="crispEdges"
        className={classNames(
          'forced-colors:stroke-[GrayText]',
          index === 0 ? 'stroke-control' : 'stroke-line',
        )}
      />
    )
  })
}

/**
 * If there are many bars, only one of every `step` bars has a label. A small screen or chart shows half as many labels.
 */
export function Names({ bars, wide }: { bars: readonly ChartBar[]; wide: boolean }) {
  const step = Math.ceil(bars.length / NAMES_MAX)
  return (
    <svg aria-hidden className="col-start-2 h-6 w-full overflow-visible text-xs">
      {bars.map(({ key, name }, index) => {
        const isShownOnSmall = index % (2 * step) === 0
        if (index % step !== 0 || (!wide && !isShownOnSmall)) return null
        const x = `${((index + 0.5) / bars.length) * 100}%`
        return (
          <g key={key} className={classNames(!isShownOnSmall && 'max-md:hidden')}>
            <line x1={x} x2={x} y2="4" className="stroke-control forced-colors:stroke-[GrayText]" />
            <text
              x={x}
              y="18"
              textAnchor="middle"
              className="fill-muted tabular-nums forced-colors:fill-[CanvasText]"
            >
              {name}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

interface ChartTipProps {
  tip: ChartBar['tip']
  index: number
  count: number
}

/**
 * The tip is beside the bar, towards the middle of the chart. Screen readers read the label of the bar's link instead.
 */
export function ChartTip({ tip: { title, rows }, index, count }: ChartTipProps) {
  const isLeft = (index + 1) / count <= 0.5
  const x = `${((isLeft ? index + 1 : index) / count) * 100}%`
  return (
    <svg aria-hidden x={x} overflow="visible" className="pointer-events-none">
      <foreignObject
        x={isLeft ? TIP_GAP : -TIP_WIDTH - TIP_GAP}
        width={TIP_WIDTH}
        height="1"
        className="overflow-visible"
      >
        <div
          className={classNames(
            'grid w-fit max-w-full gap-1 rounded-control border border-line bg-raised px-3 py-2 text-xs text-ink shadow-overlay',
            !isLeft && 'ml-auto',
          )}
        >
          <p className="font-medium tabular-nums">{title}</p>
          {rows.map(([name, value]) => (
            <p key={name} className="flex flex-wrap justify-between gap-x-4">
              <span className="text-muted">{name}</span>
              <span className="tabular-nums">{value}</span>
            </p>
          ))}
        </div>
      </foreignObject>
    </svg>
  )
}

/** Returns an id that needs no escaping in `url(#…)`. */
export function useHatchId(): string {
  return `hatch${useId().replaceAll(/\W/g, '')}`
}

export function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="3" height="6" className="fill-muted forced-colors:fill-[CanvasText]" />
      </pattern>
    </defs>
  )
}

export function Legend({ names }: { names: readonly [string, string] }) {
  const hatch = useHatchId()
  return (
    <ul className="flex flex-wrap gap-x-4 text-xs text-muted">
      {names.map((name, index) => (
        <li key={name} className="flex items-center gap-1.5">
          <svg aria-hidden className="size-3">
            {index === 1 && <Hatch id={hatch} />}
            <rect
              width="100%"
              height="100%"
              fill={index === 1 ? `url(#${hatch})` : undefined}
              className={index === 1 ? undefined : 'fill-accent forced-colors:fill-[CanvasText]'}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

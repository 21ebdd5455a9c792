// A bar chart in plain SVG, sized in percent: no library, and every bar is a link. One tab stop, arrow keys from bar to
// bar. The second part of a bar differs by its pattern, not by colour alone.
import { Link } from '@tanstack/react-router'
import type { LinkProps } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { classNames } from './class-names.ts'

export interface ChartBar {
  key: string
  /** The label below the bar. */
  name: string
  /** The full text, for the line above the bars and for screen readers. */
  text: string
  /** From the bottom up, each as a fraction of the full height. */
  parts: readonly { share: number; isSecond?: boolean }[]
  link: LinkProps
}

export interface BarChartProps {
  title: string
  bars: readonly ChartBar[]
  /** Shown while no bar is focused or hovered: the value of the highest one. */
  top: string
  hint: string
  empty: string
  /** The names of the first and the second part. */
  legend?: readonly [string, string]
}

/**
 * Up to NAMES_MAX bars are labelled. Above NAMES_CLOSE_MAX only every other bar is, so that the labels do not touch. In
 * longer rows only the first and the last bar are labelled.
 */
const NAMES_MAX = 8
const NAMES_CLOSE_MAX = 4
/** Every bar above zero is visible. */
const SHARE_MIN = 0.015

export function BarChart({ title, bars, top, hint, empty, legend }: BarChartProps) {
  const [shown, setShown] = useState<number | null>(null)
  const isEmpty = bars.every(({ parts }) => parts.every(({ share }) => share === 0))
  const text = shown === null ? null : bars[shown]?.text
  return (
    <figure className="grid min-w-0 content-start gap-2">
      <figcaption className="grid gap-0.5">
        <h3 className="font-medium">{title}</h3>
        <p aria-hidden className="min-h-5 text-sm text-muted tabular-nums wrap-anywhere">
          {text ?? (isEmpty ? '' : top)}
        </p>
      </figcaption>
      {isEmpty ? (
        <p className="grid h-32 place-items-center rounded-control border border-dashed border-control px-4 text-center text-sm text-muted">
          {empty}
        </p>
      ) : (
        <Bars label={`${title}. ${hint}`} bars={bars} onShow={setShown} />
      )}
      {!isEmpty && <Names bars={bars} />}
      {legend && !isEmpty && <Legend names={legend} />}
    </figure>
  )
}

interface BarsProps {
  label: string
  bars: readonly ChartBar[]
  onShow: (index: number | null) => void
}

function Bars({ label, bars, onShow }: BarsProps) {
  const ref = useRef<SVGSVGElement>(null)
  const hatch = useHatchId()
  const [stop, setStop] = useState(bars.length - 1)
  const tabStop = Math.min(stop, bars.length - 1)

  function onKeyDown(event: KeyboardEvent): void {
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
  return (
    <svg
      ref={ref}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
      onMouseLeave={() => onShow(null)}
      className="h-32 w-full overflow-visible border-b border-control"
    >
      <Hatch id={hatch} />
      {bars.map((bar, index) => (
        <Link
          key={bar.key}
          {...bar.link}
          aria-label={bar.text}
          tabIndex={index === tabStop ? 0 : -1}
          onFocus={() => {
            setStop(index)
            onShow(index)
          }}
          onBlur={() => onShow(null)}
          onMouseEnter={() => onShow(index)}
          className="group"
        >
          {/* Catches the pointer over the full height, so that a low bar is as easy to hit as a high one. */}
          <rect
            x={`${index * width}%`}
            width={`${width}%`}
            height="100%"
            className="fill-transparent group-hover:fill-surface"
          />
          {toPieces(bar).map(({ from, share, isSecond }) => (
            <rect
              key={from}
              x={`${(index + 0.12) * width}%`}
              width={`${0.76 * width}%`}
              y={`${(1 - from - share) * 100}%`}
              height={`${share * 100}%`}
              fill={isSecond ? `url(#${hatch})` : undefined}
              className={isSecond ? undefined : 'fill-accent forced-colors:fill-[CanvasText]'}
            />
          ))}
        </Link>
      ))}
    </svg>
  )
}

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

/** An id that needs no escaping in `url(#…)`. */
function useHatchId(): string {
  return `hatch${useId().replaceAll(/\W/g, '')}`
}

function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="3" height="6" className="fill-muted forced-colors:fill-[CanvasText]" />
      </pattern>
    </defs>
  )
}

function Names({ bars }: { bars: readonly ChartBar[] }) {
  const all = bars.length <= NAMES_MAX
  const labelled = all ? bars : [bars[0], bars.at(-1)].filter((bar) => bar !== undefined)
  return (
    <div aria-hidden className="flex justify-between text-xs text-muted tabular-nums">
      {labelled.map(({ key, name }, index) => (
        <span
          key={key}
          className={classNames(
            'flex justify-center whitespace-nowrap',
            all && 'w-0 flex-1',
            all && bars.length > NAMES_CLOSE_MAX && index % 2 === 1 && 'invisible',
          )}
        >
          {name}
        </span>
      ))}
    </div>
  )
}

function Legend({ names }: { names: readonly [string, string] }) {
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

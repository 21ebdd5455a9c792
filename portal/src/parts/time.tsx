// `Time` is relative to now and shows the exact time on hover. `ExactTime` is always exact.
import { useEffect, useState } from 'react'
import { formatDateTime, formatExactDateTime, formatRelativeTime } from '@pazar/words'
import { useAccount } from '../api/session.ts'
import { locale } from '../ui/language.ts'
import { classNames } from '../ui/class-names.ts'

/** Texts such as "5 min ago" need no shorter interval. */
const REFRESH_MS = 30_000

function useNowMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

export interface TimeProps {
  at: string
  /** If true, the date and time are shown below the relative time. `wide` does the same, but not on a phone. */
  both?: boolean | 'wide'
}

/** For logs, in which people compare two entries. */
export function ExactTime({ at }: { at: string }) {
  const { timeZone } = useAccount()
  return (
    <time dateTime={at} className="tabular-nums">
      {formatExactDateTime(locale, new Date(at), timeZone)}
    </time>
  )
}

export function Time({ at, both = false }: TimeProps) {
  const { timeZone } = useAccount()
  const nowMs = useNowMs()
  const date = new Date(at)
  const relative = formatRelativeTime(locale, date, nowMs, timeZone)
  const fullText = formatDateTime(locale, date, timeZone)
  // For a time long ago, the relative text is already a date.
  const isDate = both !== false && fullText.startsWith(relative)
  return (
    <time
      dateTime={at}
      title={formatExactDateTime(locale, date, timeZone)}
      className={classNames('tabular-nums', both !== false && 'md:whitespace-nowrap')}
    >
      {isDate ? fullText : relative}
      {both !== false && !isDate && (
        <span
          className={classNames(
            'block text-xs whitespace-nowrap text-muted',
            both === 'wide' && 'max-md:hidden print:block',
          )}
        >
          {fullText}
        </span>
      )}
    </time>
  )
}

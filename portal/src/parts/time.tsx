// A time relative to now, with the exact one on hover and for machines.
import { useEffect, useState } from 'react'
import { formatDateTime, formatExactDateTime, formatRelativeTime } from '@pazar/words'
import { useAccount } from '../api/session.ts'
import { locale } from '../ui/language.ts'
import { classNames } from '../ui/class-names.ts'

/** Often enough for "5 min ago". */
const REFRESH_MS = 30_000

function useNowMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

export function Time({ at, both = false }: { at: string; both?: boolean }) {
  const { timeZone } = useAccount()
  const nowMs = useNowMs()
  const date = new Date(at)
  const relative = formatRelativeTime(locale, date, nowMs, timeZone)
  const full = formatDateTime(locale, date, timeZone)
  // A time long ago is shown as its date, which would otherwise appear twice.
  const isDate = both && full.startsWith(relative)
  return (
    <time
      dateTime={at}
      title={formatExactDateTime(locale, date, timeZone)}
      className={classNames('tabular-nums', both && 'md:whitespace-nowrap')}
    >
      {isDate ? full : relative}
      {both && !isDate && <span className="block text-xs whitespace-nowrap text-muted">{full}</span>}
    </time>
  )
}

// A moment as people say it, with the exact one on hover and for machines.
import { useEffect, useState } from 'react'
import { formatDateTime, formatExactDateTime, formatRelativeTime } from '@pazar/words'
import { useAccount } from '../api/session.ts'
import { locale } from '../app/language.ts'

/** "5 min ago" is worth a new look twice a minute, and no more often. */
const LOOK_AGAIN_MS = 30_000

function useNowMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

export function Time({ at, both = false }: { at: string; both?: boolean }) {
  const { timeZone } = useAccount()
  const nowMs = useNowMs()
  const date = new Date(at)
  return (
    <time dateTime={at} title={formatExactDateTime(locale, date, timeZone)} className="tabular-nums">
      {formatRelativeTime(locale, date, nowMs, timeZone)}
      {both && <span className="block text-xs text-muted">{formatDateTime(locale, date, timeZone)}</span>}
    </time>
  )
}

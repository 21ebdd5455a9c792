// What the query of each page may hold. The router hands pages the raw query beside the checked one, so every page reads
// its own through these again: what an address says is never trusted.
import type { Mode, TransactionState } from '@pazar/contract'

type Search = object

function valueOf(search: Search, name: string): unknown {
  return Object.entries(search).find(([key]) => key === name)?.[1]
}

export interface ModeSearch {
  mode?: Mode
}

export function parseModeSearch(search: Search): ModeSearch {
  const mode = valueOf(search, 'mode')
  return mode === 'test' || mode === 'live' ? { mode } : {}
}

/** The filters of the list pages; `row` is the one whose drawer is open. */
export interface ListSearch {
  q?: string
  status?: string
  outcome?: string
  /** Days of the account's zone, both included. */
  from?: string
  to?: string
  page?: number
  row?: string
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

function text(value: unknown, max: number): string | undefined {
  const written = typeof value === 'number' ? String(value) : value
  return typeof written === 'string' && written !== '' ? written.slice(0, max) : undefined
}

export function parseListSearch(search: Search): ListSearch {
  const from = text(valueOf(search, 'from'), 10)
  const to = text(valueOf(search, 'to'), 10)
  const page = Number(valueOf(search, 'page'))
  const parsed = {
    q: text(valueOf(search, 'q'), 128),
    status: text(valueOf(search, 'status'), 20),
    outcome: text(valueOf(search, 'outcome'), 20),
    from: from && DAY.test(from) ? from : undefined,
    to: to && DAY.test(to) ? to : undefined,
    page: Number.isInteger(page) && page > 1 && page <= 10_000 ? page : undefined,
    row: text(valueOf(search, 'row'), 64),
  }
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))
}

/** The stretch of time of a project's figures: so many days up to today, or from a first to a last day. */
export interface RangeSearch {
  days?: 30 | 90
  from?: string
  to?: string
}

export function parseRangeSearch(search: Search): RangeSearch {
  const { from, to } = parseListSearch(search)
  if (from && to) return { from, to }
  const days = Number(valueOf(search, 'days'))
  return days === 30 || days === 90 ? { days } : {}
}

const STATES: readonly TransactionState[] = [
  'processing',
  'requires_action',
  'succeeded',
  'failed',
  'expired',
]

export function parseState(status: string | undefined): TransactionState | undefined {
  return STATES.find((state) => state === status)
}

export interface NextSearch {
  next?: string
}

/** Where to go after signing in: a path of this very site. What begins with two slashes would be another one. */
export function parseNext(search: Search): NextSearch {
  const next = valueOf(search, 'next')
  if (typeof next !== 'string' || !/^\/(?:cnr|en)\/[^\\]*$/.test(next)) return {}
  return new URL(next, location.origin).origin === location.origin ? { next } : {}
}

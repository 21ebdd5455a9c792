// Parses the query of each page. The router adds the parsed values to the raw query, but does not remove raw values that
// were refused. So every page parses the query again.
import type { Mode, TransactionState } from '@pazar/contract'
import { findName } from './find-name.ts'

type Search = object

function readValue(search: Search, name: string): unknown {
  return Object.entries(search).find(([key]) => key === name)?.[1]
}

export interface ModeSearch {
  mode?: Mode
}

export function parseModeSearch(search: Search): ModeSearch {
  const mode = readValue(search, 'mode')
  return mode === 'test' || mode === 'live' ? { mode } : {}
}

/** `row` is the item whose drawer is open. */
export interface ListSearch {
  q?: string
  status?: string
  outcome?: string
  /** Days in the account's time zone. Both days are included. */
  from?: string
  to?: string
  page?: number
  row?: string
  /** If absent, the newest rows are first. */
  order?: 'oldest'
}

/** Does not match while only a part of the year is typed. */
const DAY = /^20\d{2}-\d{2}-\d{2}$/

/** Returns only days that exist, because a page would crash when it converts any other text to an instant. */
export function parseDay(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DAY.test(value)) return undefined
  const timeMs = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(value) ? value : undefined
}

function parseText(value: unknown, max = Infinity): string | undefined {
  const raw = typeof value === 'number' ? String(value) : value
  return typeof raw === 'string' && raw !== '' ? raw.slice(0, max) : undefined
}

export function parseListSearch(search: Search): ListSearch {
  const page = Number(readValue(search, 'page'))
  const parsed = {
    q: parseText(readValue(search, 'q'), 128),
    status: parseText(readValue(search, 'status'), 20),
    outcome: parseText(readValue(search, 'outcome'), 20),
    from: parseDay(readValue(search, 'from')),
    to: parseDay(readValue(search, 'to')),
    page: Number.isInteger(page) && page > 1 && page <= 10_000 ? page : undefined,
    row: parseText(readValue(search, 'row'), 64),
    order: readValue(search, 'order') === 'oldest' ? 'oldest' : undefined,
  }
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))
}

type Names = Readonly<Record<string, string>>

/** Leaves out a state or an outcome that the list does not offer, so that the page and its requests agree. */
export function keepOfferedFilters(
  { status, outcome, ...rest }: ListSearch,
  { states, outcomes = {} }: { states: Names; outcomes?: Names },
): ListSearch {
  return {
    ...rest,
    ...(status !== undefined && findName(states, status) !== undefined && { status }),
    ...(outcome !== undefined && findName(outcomes, outcome) !== undefined && { outcome }),
  }
}

/** Only for a search from `keepOfferedFilters`. */
export function isFiltered({ q, status, outcome, from, to }: ListSearch): boolean {
  return [q, status, outcome, from, to].some((filter) => filter !== undefined)
}

export interface StatusSearch {
  q?: string
}

/**
 * A customId is not cut, because its first part may be the customId of another order. The server refuses a customId that
 * is too long.
 */
export function parseStatusSearch(search: Search): StatusSearch {
  const q = parseText(readValue(search, 'q'))
  return q === undefined ? {} : { q }
}

export interface RangeSearch {
  days?: 30 | 90
  from?: string
  to?: string
}

export function parseRangeSearch(search: Search): RangeSearch {
  const { from, to } = parseListSearch(search)
  if (from && to && from <= to) return { from, to }
  const days = Number(readValue(search, 'days'))
  return days === 30 || days === 90 ? { days } : {}
}

const SETTINGS_TABS = ['general', 'checkout', 'history', 'danger'] as const
export type SettingsTab = (typeof SETTINGS_TABS)[number]

export interface SettingsSearch {
  tab?: SettingsTab
}

export function parseSettingsSearch(search: Search): SettingsSearch {
  const requested = readValue(search, 'tab')
  const tab = SETTINGS_TABS.find((one) => one === requested)
  return tab ? { tab } : {}
}

export interface MonthSearch {
  month?: string
  currency?: string
}

export function parseMonthSearch(search: Search): MonthSearch {
  const month = readValue(search, 'month')
  const currency = readValue(search, 'currency')
  return {
    ...(typeof month === 'string' && /^20\d{2}-(?:0[1-9]|1[0-2])$/.test(month) && { month }),
    ...(typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) && { currency }),
  }
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

const MONEY_BACK = ['refunded', 'disputed'] as const

/** Users choose `refunded` and `disputed` in the list of states, although a refunded or disputed payment stays successful. */
export function parseMoneyBack(status: string | undefined): (typeof MONEY_BACK)[number] | undefined {
  return MONEY_BACK.find((kind) => kind === status)
}

export interface NextSearch {
  next?: string
}

/** Accepts only a page of this site, with a language in its path. `URL.parse` reads the text as the browser's navigation does. */
export function parseNext(search: Search): NextSearch {
  const next = readValue(search, 'next')
  const url = typeof next === 'string' && next.startsWith('/') ? URL.parse(next, location.origin) : null
  if (url?.origin !== location.origin || !/^\/(?:cnr|en)\//.test(url.pathname)) return {}
  return { next: url.pathname + url.search + url.hash }
}

/** Every value stays a string, because an order may be called 1e5 or 00012345678901234567. */
export function parseQuery(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query))
}

export function writeQuery(search: Search): string {
  const definedEntries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
  const query = new URLSearchParams(definedEntries.map(([name, value]) => [name, String(value)])).toString()
  return query === '' ? '' : `?${query}`
}

/** A page puts the id into the URLs of its requests. A text that is no id could change these URLs. */
export function isProjectId(id: string): boolean {
  return /^[a-z][a-z0-9]{1,31}$/.test(id)
}

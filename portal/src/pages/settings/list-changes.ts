import { formatDateTime } from '@pazar/words'
import { findName } from '../../parts/find-name.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { shorten } from '../../parts/shorten.ts'
import { locale, words } from '../../ui/language.ts'

export interface Change {
  name: string
  /** Undefined if there was no earlier value. */
  was?: string
  now: string
  /** The whole id, if `now` is a shortened id. */
  full?: string
}

/** `EntryPayment` shows the first three fields. `projectId` is always the project whose history is shown. */
const SHOWN_ELSEWHERE = ['amount', 'currency', 'scale', 'projectId']
const IDS = ['transactionId', 'refundId', 'charge']
const ID_SHOWN_MAX = 16

export interface HistoryEntry {
  changes: Readonly<Record<string, unknown>>
  payment?: object | null
}

/** An entry with a link to its payment does not repeat the payment's id. */
export function listChanges({ changes, payment }: HistoryEntry, timeZone: string): Change[] {
  const hidden = payment ? [...SHOWN_ELSEWHERE, 'transactionId'] : SHOWN_ELSEWHERE
  return Object.entries(changes)
    .filter(([field, change]) => change !== null && !hidden.includes(field))
    .flatMap(([field, change]) =>
      isListChange(change) ? toSwitches(field, change) : [toChange(field, change, timeZone)],
    )
}

interface ListChange {
  from: readonly unknown[]
  to: readonly unknown[]
}

function isListChange(change: unknown): change is ListChange {
  return isFromTo(change) && Array.isArray(change.from) && Array.isArray(change.to)
}

/** Shows each difference alone, because two whole lists would be hard to compare. */
function toSwitches(field: string, { from, to }: ListChange): Change[] {
  const { on, off } = words().settings
  const codes = [...new Set([...from, ...to].map(String))]
  return codes
    .filter((code) => from.includes(code) !== to.includes(code))
    .map((code) => ({
      name: findName(findNames(field), code) ?? code,
      was: from.includes(code) ? on : off,
      now: to.includes(code) ? on : off,
    }))
}

function toChange(field: string, change: unknown, timeZone: string): Change {
  const names: Record<string, string> = words().settings.fields
  const name = names[field] ?? field
  if (isFromTo(change)) {
    const was = toValueText(field, change.from, timeZone)
    const now = toValueText(field, change.to, timeZone)
    if (isEmpty(change.from)) return { name, now: shorten(now) }
    // If only the middle of a long text has changed, both shortened texts are equal. Then the whole texts are shown.
    return shorten(was) === shorten(now) ? { name, was, now } : { name, was: shorten(was), now: shorten(now) }
  }
  const text = toValueText(field, change, timeZone)
  if (IDS.includes(field)) return { name, now: toShortId(text), full: text }
  return { name, now: shorten(text) }
}

function isFromTo(change: unknown): change is { from: unknown; to: unknown } {
  return typeof change === 'object' && change !== null && 'from' in change && 'to' in change
}

/** Shows mostly the end, because ids that were made at about the same time begin with the same characters. */
function toShortId(id: string): string {
  return id.length <= ID_SHOWN_MAX ? id : `${id.slice(0, 5)}…${id.slice(-8)}`
}

/** The names of the codes in this field. Empty for a field with free text: a project may be named `live`, for example. */
function findNames(field: string): Readonly<Record<string, string>> {
  const { members, account, settings, payments, frame } = words()
  const names: Record<string, Readonly<Record<string, string>>> = {
    role: members.roles,
    scope: account.tokens.scopes,
    events: settings.events.names,
    resolution: payments.review,
    mode: { live: frame.live, test: frame.test },
  }
  return names[field] ?? {}
}

function isEmpty(value: unknown): boolean {
  return value === null || value === ''
}

/**
 * The fields with the period of a resend. No other field is shown as a time, because a merchant may choose a name that looks
 * like a time.
 */
const TIMES = ['from', 'to']
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/

/** Date.parse alone would also accept `EUR:2`. */
function isTime(value: string): boolean {
  return ISO_TIME.test(value) && !Number.isNaN(Date.parse(value))
}

function toValueText(field: string, value: unknown, timeZone: string): string {
  const { settings } = words()
  if (isEmpty(value)) return settings.empty
  if (typeof value === 'boolean') return value ? settings.on : settings.off
  if (Array.isArray(value)) return value.map((one) => toValueText(field, one, timeZone)).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (field === 'dailyCap') return formatAmount(value)
  if (TIMES.includes(field) && isTime(value)) return formatDateTime(locale, new Date(value), timeZone)
  return findName(findNames(field), value) ?? value
}

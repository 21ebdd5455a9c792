// The delivery log as the people of a project read it: a page of callbacks, or one callback with all its attempts.
import {
  CALLBACK_ID_PATTERN,
  callbackStatus,
  customId,
  instant,
  mode,
  TRANSACTION_ID_PATTERN,
} from '@pazar/contract'
import type { DeliveryFilters, DeliveryQuery } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import type { AccountId } from '../accounts/account.ts'
import type { Queryable } from '../db/pool.ts'
import { toInstant } from '../lib/clock.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import { requireProject } from '../projects/access.ts'
import type { Delivery } from './delivery.ts'
import { toAttemptView, toCallbackView, toMaskedBody } from './delivery.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import type { LogCursor, LogEntry, LogFilter } from './log-store.ts'
import {
  findAttempts,
  findDelivery,
  findDeliveryOfTransaction,
  findLogPage,
  findLogPageByCustomId,
} from './log-store.ts'
import type { WalkedPage } from './log-walk-store.ts'
import { walkDelivered, walkLog } from './log-walk-store.ts'

function toFilter(projectId: string, filters: DeliveryFilters): LogFilter {
  const statuses = filters.status === undefined ? callbackStatus.options : [filters.status]
  return {
    projectId,
    modes: filters.mode === undefined ? mode.options : [filters.mode],
    // For the outcome `delivered`, callbacks that wait to be sent again or were cancelled are left out, even if their last
    // attempt was accepted.
    statuses: filters.outcome === 'delivered' ? statuses.filter((one) => one === 'delivered') : statuses,
    outcome: filters.outcome ?? null,
    from: filters.from === undefined ? null : toInstant(filters.from),
    to: filters.to === undefined ? null : toInstant(filters.to),
    isOldestFirst: filters.order === 'oldest',
  }
}

/** Finds a callback by its id or by the id of its transaction. Returns no entry if the callback does not match the filter. */
async function findOneEntry(db: Queryable, filter: LogFilter, id: string): Promise<LogEntry[]> {
  const entry = CALLBACK_ID_PATTERN.test(id)
    ? await findDelivery(db, filter.projectId, id)
    : await findDeliveryOfTransaction(db, filter.projectId, id)
  return entry && matches(filter, entry) ? [entry] : []
}

function matches(filter: LogFilter, { delivery, lastAttempt }: LogEntry): boolean {
  const { createdAt: at } = delivery
  return (
    filter.modes.includes(delivery.mode) &&
    filter.statuses.includes(delivery.status) &&
    (filter.outcome === null || filter.outcome === lastAttempt?.outcome) &&
    (filter.from === null || at >= filter.from) &&
    (filter.to === null || at < filter.to)
  )
}

/**
 * True if a search by customId has to compare each callback with the filter. The index of customIds lacks the outcome and
 * the time, and cannot distinguish new callbacks from delivered ones.
 */
function needsWalk(filter: LogFilter): boolean {
  const { outcome, from, to, statuses } = filter
  const isOneOf = statuses.includes('pending') !== statuses.includes('delivered')
  return outcome !== null || from !== null || to !== null || isOneOf
}

/** If the search finds a callback by an id, there is no next page. */
export async function findEntries(
  db: Queryable,
  projectId: string,
  filters: DeliveryFilters,
  place: { after: LogCursor | null; limit: number },
): Promise<WalkedPage> {
  const filter = toFilter(projectId, filters)
  const { q } = filters
  const toPage = async (found: Promise<LogEntry[]>) => ({ entries: await found, walkedTo: null })
  if (q === undefined) {
    const { statuses, outcome } = filter
    const isDeliveredOnly = statuses.includes('delivered') && !statuses.includes('pending')
    return isDeliveredOnly && (outcome ?? 'delivered') === 'delivered'
      ? walkDelivered(db, filter, place)
      : toPage(findLogPage(db, filter, place))
  }
  const id = q.trim().toLowerCase()
  if (place.after === null && (CALLBACK_ID_PATTERN.test(id) || TRANSACTION_ID_PATTERN.test(id))) {
    const entries = await findOneEntry(db, filter, id)
    if (entries.length > 0) return { entries, walkedTo: null }
    // A merchant's customId may have the format of our ids, so the text is searched as a customId too.
  }
  return needsWalk(filter)
    ? walkLog(db, filter, q, place)
    : toPage(findLogPageByCustomId(db, filter, q, place))
}

function toCursorText({ key, id }: LogCursor): string {
  return Buffer.from(JSON.stringify([key, id])).toString('base64url')
}

const TIME_KEY = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** A caller may invent a cursor. `TIME_KEY` alone would accept times that the database refuses, such as one in month 99. */
function isSortKey(key: string, isByTime: boolean): boolean {
  if (!isByTime) return customId.safeParse(key).success
  return TIME_KEY.test(key) && instant.safeParse(key).success
}

function parseCursor(text: string, isByTime: boolean): LogCursor {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    // The parser's message is of no use to a caller who invented the cursor.
    throw invalidField('cursor', 'invalid')
  }
  const [key, id] = Array.isArray(parts) ? (parts as unknown[]) : []
  const isValid =
    typeof key === 'string' &&
    typeof id === 'string' &&
    isSortKey(key, isByTime) &&
    CALLBACK_ID_PATTERN.test(id)
  if (!isValid) throw invalidField('cursor', 'invalid')
  return { key, id }
}

export async function listDeliveries(
  deps: CallbackDeps,
  accountId: AccountId,
  input: { projectId: string; query: DeliveryQuery; locale: Locale },
) {
  const { cursor, limit, lang: _lang, ...filters } = input.query
  const { id } = await requireProject(deps.db, accountId, input.projectId, 'read')
  const after = cursor === undefined ? null : parseCursor(cursor, filters.q === undefined)
  // Reads one more than requested, to know whether there is a next page.
  const { entries, walkedTo } = await findEntries(deps.db, id, filters, { after, limit: limit + 1 })
  const shown = entries.slice(0, limit)
  const next = entries.length > limit ? shown.at(-1)!.cursor : walkedTo
  return {
    items: shown.map(({ delivery, lastAttempt }) => ({
      ...toCallbackView(delivery, deps.installation),
      lastAttempt: lastAttempt && toAttemptView(input.locale, lastAttempt),
    })),
    nextCursor: next && toCursorText(next),
  }
}

export async function requireDelivery(db: Queryable, projectId: string, id: string): Promise<LogEntry> {
  const entry = await findDelivery(db, projectId, id)
  if (!entry) throw new ServiceError('not_found')
  return entry
}

/** `aheadMs`: how long before the payer's return the delivery was. Null: it was later, or there was no delivery. */
function toPayerReturn({ payerReturnedAt, deliveredAt }: Delivery) {
  if (payerReturnedAt === null) return null
  const isAhead = deliveredAt !== null && deliveredAt <= payerReturnedAt
  return {
    at: payerReturnedAt.toISOString(),
    aheadMs: isAhead ? payerReturnedAt.getTime() - deliveredAt.getTime() : null,
  }
}

export async function readDelivery(
  deps: CallbackDeps,
  accountId: AccountId,
  input: { projectId: string; callbackId: string; locale: Locale },
) {
  const project = await requireProject(deps.db, accountId, input.projectId, 'read')
  const { delivery } = await requireDelivery(deps.db, project.id, input.callbackId)
  const attempts = await findAttempts(deps.db, project.id, delivery.id)
  return {
    callback: toCallbackView(delivery, deps.installation),
    body: toMaskedBody(delivery),
    attempts: attempts.map((attempt) => toAttemptView(input.locale, attempt)),
    payerReturn: toPayerReturn(delivery),
  }
}

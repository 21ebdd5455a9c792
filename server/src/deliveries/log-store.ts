// Reads the delivery log page by page. Each page is read from an index and begins after the cursor.
// Why this is long: many queries that share their columns.
import type { AttemptOutcome, AttemptTrigger, CallbackEventName, CallbackStatus, Mode } from '@pazar/contract'
import type { Queryable, Statement } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { isResult } from '../callbacks/callback.ts'
import type { StoredFacts } from '../callbacks/event-facts.ts'
import { toFacts } from '../callbacks/event-facts.ts'
import { toDisputeId, toRefundId } from '../lib/id.ts'
import type { Attempt, Delivery } from './delivery.ts'

export interface LogFilter {
  projectId: string
  modes: readonly Mode[]
  statuses: readonly CallbackStatus[]
  outcome: AttemptOutcome | null
  from: Date | null
  to: Date | null
  isOldestFirst?: boolean
}

/** A page is sorted by `key`: the customId, or the time as a text, because a Date cannot hold microseconds. */
export interface LogCursor {
  key: string
  id: string
}

export interface LogEntry {
  delivery: Delivery
  lastAttempt: Attempt | null
  cursor: LogCursor
}

interface DeliveryRow {
  project_id: string
  id: string
  event: CallbackEventName
  transaction_id: string | null
  refund_id: string | null
  dispute_id: string | null
  mode: Mode
  result: 'success' | 'fail' | null
  status: CallbackStatus
  payload: StoredFacts
  attempts: number
  next_at: Date
  created_at: Date
  delivered_at: Date | null
  payer_returned_at: Date | null
}

interface AttemptRow {
  callback_id: string
  attempt: number
  trigger: AttemptTrigger
  url: string
  started_at: Date
  duration_ms: number | null
  outcome: AttemptOutcome
  status_code: number | null
  error: string | null
  response_excerpt: string | null
  attempt_next_at: Date | null
  reported_status: number | null
  reported_ms: number | null
  reported_at: Date | null
}

export type EntryRow = DeliveryRow & { [K in keyof AttemptRow]: AttemptRow[K] | null } & {
  time_key: string
  custom_id: string | null
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    projectId: row.project_id,
    event: row.event,
    transactionId: row.transaction_id,
    refundId: row.refund_id && toRefundId(row.refund_id),
    disputeId: row.dispute_id && toDisputeId(row.dispute_id),
    mode: row.mode,
    result: row.result,
    status: row.status,
    facts: toFacts(row),
    attempts: row.attempts,
    nextAt: row.next_at,
    createdAt: row.created_at,
    deliveredAt: row.delivered_at,
    payerReturnedAt: row.payer_returned_at,
  }
}

function toAttempt(row: AttemptRow): Attempt {
  return {
    callbackId: row.callback_id,
    attempt: row.attempt,
    trigger: row.trigger,
    url: row.url,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    outcome: row.outcome,
    statusCode: row.status_code,
    error: row.error,
    responseExcerpt: row.response_excerpt,
    reported: row.reported_at && { statusCode: row.reported_status, durationMs: row.reported_ms ?? 0 },
    nextAt: row.attempt_next_at,
  }
}

const DELIVERY_COLUMNS = `c.project_id, c.id, c.event, c.transaction_id, c.refund_id, c.dispute_id, c.mode, c.result, c.status,
  c.payload, c.attempts,  c.next_at, c.created_at, c.delivered_at, c.payer_returned_at`
/**
 * SQL: attempt `a` is the last recorded one of callback `c`. `attempts` of a claimed callback also counts the attempt in
 * flight, which is not recorded yet.
 */
export const IS_LAST = `a.project_id = c.project_id and a.callback_id = c.id
  and a.attempt = c.attempts - (c.claim is not null)::integer`
const ATTEMPT_COLUMNS = `a.callback_id, a.attempt, a.trigger, a.url, a.started_at, a.duration_ms, a.outcome, a.status_code,
  a.error, a.response_excerpt, a.next_at as attempt_next_at, a.reported_status, a.reported_ms,
  a.reported_at`
export const ENTRY_COLUMNS = `${DELIVERY_COLUMNS}, ${ATTEMPT_COLUMNS}`

const IN_RANGE = `c.created_at >= coalesce($4::timestamptz, '-infinity') and c.created_at < coalesce($5::timestamptz, 'infinity')`

export const TIME_KEY = `to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

export type Order = (alias: string) => string

const PAGE_COLUMNS = 'c.project_id, c.id, c.created_at, c.custom_id'

/** SQL: callbacks of mode `m` and status `s` in index order. */
export const toStoredRows = (
  matches: string,
  order: Order,
  limit: string,
) => `select ${PAGE_COLUMNS} from callbacks c
         where c.project_id = $1 and c.mode = m.mode and c.status = s.status and ${IN_RANGE} and ${matches}
         order by ${order('c')} ${limit}`
export const EACH_STATUS = 'from unnest($2::text[]) as m (mode) cross join unnest($3::text[]) as s (status)'

/** SQL: one page of the log. `candidates` selects PAGE_COLUMNS of the first rows of each mode and status. */
const toPageSql = (candidates: string, order: Order) =>
  `with page as materialized (
     select * from (
       ${candidates}) c
     order by ${order('c')} limit $6)
   select ${DELIVERY_COLUMNS}, ${ATTEMPT_COLUMNS}, c.custom_id, ${TIME_KEY} as time_key
   from page p cross join lateral (select * from callback_states c where c.project_id = p.project_id and c.id = p.id offset 0) c
   left join callback_attempts a on ${IS_LAST}
   order by ${order('c')}`

/**
 * SQL: the new callbacks of a page. A new callback is pending, but compact storage stores it as delivered
 * (new-callbacks-store.ts). A page that shows delivered callbacks finds the new ones too, so `new_callbacks` is read only for
 * a page that shows pending callbacks and no delivered ones. The index of `new_callbacks` lacks the id, so all rows with the
 * same time as the last row are read too (`with ties`).
 */
const toNewRows = (matches: string, direction: 'asc' | 'desc') =>
  `select c.* from unnest($2::text[]) as m (mode) cross join lateral (
         select c.project_id, c.id, c.created_at, null as custom_id from new_callbacks c
         where 'pending' = any ($3) and 'delivered' <> all ($3) and c.mode = m.mode and c.project_id = $1 and ${IN_RANGE}
           and ${matches}
         order by c.created_at ${direction} fetch first ($6) rows with ties) c`
const toParts = (matches: string, order: Order) =>
  `select c.* ${EACH_STATUS} cross join lateral (
         ${toStoredRows(matches, order, 'limit $6')}) c`
const toIndexPageSql = (matches: string, order: Order) => toPageSql(toParts(matches, order), order)
const toTimePageSql = (matches: string, order: Order, direction: 'asc' | 'desc') =>
  toPageSql(`${toParts(matches, order)} union all ${toNewRows(matches, direction)}`, order)

export const newestFirst: Order = (alias) => `${alias}.created_at desc, ${alias}.id desc`
// The first condition says where the index scan starts. The second excludes rows with the same time that were already shown.
// If (created_at, id) were compared as a row, the scan would start at the newest row.
export const AFTER_TIME = `c.created_at <= coalesce($7::timestamptz, 'infinity')
  and (c.created_at < coalesce($7::timestamptz, 'infinity') or c.id < $8::text)`

export const oldestFirst: Order = (alias) => `${alias}.created_at, ${alias}.id`
export const AFTER_TIME_OLDEST_FIRST = `c.created_at >= coalesce($7::timestamptz, '-infinity')
  and (c.created_at > coalesce($7::timestamptz, '-infinity') or c.id > $8::text)`

const BY_TIME = statement('deliveries.by_time', toTimePageSql(AFTER_TIME, newestFirst, 'desc'))
const BY_TIME_OLDEST = statement(
  'deliveries.by_time_oldest',
  toTimePageSql(AFTER_TIME_OLDEST_FIRST, oldestFirst, 'asc'),
)
// The second condition makes the planner use the index of failures.
const HAS_OUTCOME = `c.last_outcome = $9 and c.last_outcome <> 'delivered'`
const BY_OUTCOME = statement(
  'deliveries.by_outcome',
  toIndexPageSql(`${HAS_OUTCOME} and ${AFTER_TIME}`, newestFirst),
)
const BY_OUTCOME_OLDEST = statement(
  'deliveries.by_outcome_oldest',
  toIndexPageSql(`${HAS_OUTCOME} and ${AFTER_TIME_OLDEST_FIRST}`, oldestFirst),
)
// The scan starts at the searched prefix ($9), or at the last customId shown. Rows with the same customId are ordered by id.
export const AFTER_CUSTOM_ID = `c.custom_id collate "C" >= greatest($7::text collate "C", $9::text collate "C")
     and c.custom_id collate "C" < ($9::text || chr(1114111)) collate "C"
     and ($7::text is null or c.custom_id collate "C" > $7::text collate "C" or c.id < $8::text)`
const BY_CUSTOM_ID = statement(
  'deliveries.by_custom_id',
  toIndexPageSql(AFTER_CUSTOM_ID, (alias) => `${alias}.custom_id collate "C", ${alias}.id desc`),
)

export function toEntry(row: EntryRow, key: string): LogEntry {
  const hasAttempt = row.attempt !== null
  return {
    delivery: toDelivery(row),
    lastAttempt: hasAttempt ? toAttempt(row as AttemptRow) : null,
    cursor: { key, id: row.id },
  }
}

async function findPage(
  db: Queryable,
  query: Statement,
  filter: LogFilter,
  place: { after: LogCursor | null; limit: number },
  more: readonly unknown[] = [],
): Promise<EntryRow[]> {
  const { projectId, modes, statuses, from, to } = filter
  const { after, limit } = place
  return db.query<EntryRow>(query, [
    projectId,
    modes,
    statuses,
    from,
    to,
    limit,
    after?.key ?? null,
    after?.id ?? null,
    ...more,
  ])
}

/**
 * Sorted by time. For a page that shows delivered callbacks but no pending ones, use walkDelivered instead, which leaves out
 * new callbacks.
 */
export async function findLogPage(
  db: Queryable,
  filter: LogFilter,
  place: { after: LogCursor | null; limit: number },
): Promise<LogEntry[]> {
  const { outcome, isOldestFirst = false } = filter
  const rows =
    outcome === null || outcome === 'delivered'
      ? await findPage(db, isOldestFirst ? BY_TIME_OLDEST : BY_TIME, filter, place)
      : await findPage(db, isOldestFirst ? BY_OUTCOME_OLDEST : BY_OUTCOME, filter, place, [outcome])
  return rows.map((row) => toEntry(row, row.time_key))
}

/** Ordered by customId, then by id, newest first. Only for filters for which needsWalk (log.ts) is false. */
export async function findLogPageByCustomId(
  db: Queryable,
  filter: LogFilter,
  prefix: string,
  place: { after: LogCursor | null; limit: number },
): Promise<LogEntry[]> {
  const rows = await findPage(db, BY_CUSTOM_ID, filter, place, [prefix])
  return rows.map((row) => toEntry(row, row.custom_id ?? ''))
}

const toFindSql = (condition: string) =>
  `select ${DELIVERY_COLUMNS}, ${ATTEMPT_COLUMNS}, c.custom_id, '' as time_key from callback_states c
   left join callback_attempts a on ${IS_LAST}
   where c.project_id = $1 and ${condition}`
const FIND_BY_ID = statement('deliveries.find', toFindSql('c.id = $2'))
const FIND_BY_TRANSACTION = statement(
  'deliveries.find_by_transaction',
  `${toFindSql(`c.transaction_id = $2::uuid and ${isResult('c')}`)} order by c.revision desc limit 1`,
)

export async function findDelivery(db: Queryable, projectId: string, id: string): Promise<LogEntry | null> {
  const [row] = await db.query<EntryRow>(FIND_BY_ID, [projectId, id])
  return row ? toEntry(row, '') : null
}

export async function findDeliveryOfTransaction(
  db: Queryable,
  projectId: string,
  transactionId: string,
): Promise<LogEntry | null> {
  const [row] = await db.query<EntryRow>(FIND_BY_TRANSACTION, [projectId, transactionId])
  return row ? toEntry(row, '') : null
}

const LIST_OF_TRANSACTION = statement(
  'deliveries.list_of_transaction',
  `select ${DELIVERY_COLUMNS} from callback_states c where c.transaction_id = $1 and ${isResult('c')} order by c.revision`,
)

/** In the order of their revisions. */
export async function findDeliveriesOfTransaction(db: Queryable, transactionId: string): Promise<Delivery[]> {
  return (await db.query<DeliveryRow>(LIST_OF_TRANSACTION, [transactionId])).map(toDelivery)
}

/** Only the last attempts are shown: a callback that was sent again many times can have more. */
const ATTEMPTS_SHOWN_MAX = 200

const FIND_ATTEMPTS = statement(
  'deliveries.attempts',
  `select ${ATTEMPT_COLUMNS} from callback_attempts a where a.project_id = $1 and a.callback_id = $2
   order by a.attempt desc limit ${ATTEMPTS_SHOWN_MAX}`,
)

/** Oldest first. */
export async function findAttempts(db: Queryable, projectId: string, id: string): Promise<Attempt[]> {
  const rows = await db.query<AttemptRow>(FIND_ATTEMPTS, [projectId, id])
  return rows.map(toAttempt).toReversed()
}

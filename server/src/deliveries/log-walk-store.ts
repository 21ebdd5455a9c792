// Reads pages of the delivery log for which no index covers all filters. One kind of page is a search by customId with
// certain other filters (needsWalk in log.ts). The other kind shows delivered callbacks but no pending ones: new callbacks
// are stored as delivered but shown as pending, so they have to be left out. Callbacks are read in order, and each is
// compared with the filters. A page reads a limited number of callbacks, and returns where the next page continues.
import type { CallbackStatus } from '@pazar/contract'
import { isNew } from '../callbacks/new-callbacks-store.ts'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { EntryRow, LogCursor, LogEntry, LogFilter, Order } from './log-store.ts'
import {
  AFTER_CUSTOM_ID,
  AFTER_TIME,
  AFTER_TIME_OLDEST_FIRST,
  EACH_STATUS,
  ENTRY_COLUMNS,
  IS_LAST,
  newestFirst,
  oldestFirst,
  TIME_KEY,
  toEntry,
  toStoredRows,
} from './log-store.ts'

/** A page reads at most this many callbacks for each mode and status. */
const WALKED_MAX = 5_000

const BY_CUSTOM_ID_AND_MORE = statement(
  'deliveries.by_custom_id_and_more',
  `with walked as materialized (
     select c.* from unnest($2::text[]) as m (mode) cross join unnest($3::text[]) as s (status) cross join lateral (
       select c.custom_id collate "C" as custom_id, c.id, row_number() over (order by c.custom_id collate "C", c.id desc) as nth,
         c.created_at >= coalesce($4::timestamptz, '-infinity') and c.created_at < coalesce($5::timestamptz, 'infinity')
           and ($10::text is null or c.last_outcome = $10) and case when c.status in ('pending', 'delivered')
             then case when c.status = 'delivered' and not ${isNew('c')} then 'delivered' = any ($12::text[])
               else 'pending' = any ($12) and ($10 is null or c.status = 'pending') end
             else true end as is_match
       from callbacks c where c.project_id = $1 and c.mode = m.mode and c.status = s.status and ${AFTER_CUSTOM_ID}
       order by c.custom_id collate "C", c.id desc limit $11) c
   ), stop as materialized (
     -- The first place where the limit stopped a scan. Some callbacks after this place were perhaps not read.
     select custom_id, id from walked where nth = $11 order by custom_id, id desc limit 1
   ), page as materialized (
     select w.custom_id, w.id from walked w where w.is_match and not exists (
       select from stop s where w.custom_id > s.custom_id or (w.custom_id = s.custom_id and w.id < s.id))
     order by w.custom_id, w.id desc limit $6
   )
   select ${ENTRY_COLUMNS}, c.custom_id, '' as time_key, stop.custom_id as stop_custom_id, stop.id as stop_id
   from (select) as always left join stop on true left join page on true
   left join lateral (
     select * from callback_states c where c.project_id = $1 and c.id = page.id offset 0) c on true left join callback_attempts a on ${IS_LAST}
   order by c.custom_id collate "C", c.id desc`,
)

type WalkedRow = (EntryRow | { id: null }) & { stop_custom_id: string | null; stop_id: string | null }

export interface WalkedPage {
  entries: LogEntry[]
  /** If there are fewer entries than requested: where to continue, or null at the end of the log. */
  walkedTo: LogCursor | null
}

/** New callbacks are shown as pending, but stored as delivered. */
function toStoredStatuses(statuses: readonly CallbackStatus[]): readonly CallbackStatus[] {
  return statuses.includes('pending') && !statuses.includes('delivered')
    ? [...statuses, 'delivered']
    : statuses
}

export async function walkLog(
  db: Queryable,
  filter: LogFilter,
  prefix: string,
  { after, limit, walkedMax = WALKED_MAX }: { after: LogCursor | null; limit: number; walkedMax?: number },
): Promise<WalkedPage> {
  const { projectId, modes, statuses, from, to, outcome } = filter
  const rows = await db.query<WalkedRow>(BY_CUSTOM_ID_AND_MORE, [
    ...[projectId, modes, toStoredStatuses(statuses), from, to, limit],
    ...[after?.key ?? null, after?.id ?? null, prefix, outcome, walkedMax, statuses],
  ])
  const { stop_custom_id: key, stop_id: id } = rows[0]!
  return {
    entries: rows.flatMap((row) => (row.id === null ? [] : [toEntry(row, row.custom_id ?? '')])),
    walkedTo: key === null || id === null ? null : { key, id },
  }
}

/**
 * SQL: a page of delivered callbacks. Reads at most $9 callbacks for each mode and status. If this limit ends a scan that has
 * found less than a page, `stop` is the place where the scan ended. Of several such places, it is the first.
 */
const toDeliveredSql = (after: string, order: Order) =>
  `with found as materialized (
     select m.mode, s.status, c.* ${EACH_STATUS} cross join lateral (
       select c.* from (${toStoredRows(after, order, 'limit $9')}) c
       where not ${isNew('c')} order by ${order('c')} limit $6) c
   ), page as materialized (
     select * from found c order by ${order('c')} limit $6
   ), stop as materialized (
     select ${TIME_KEY} as key, c.id ${EACH_STATUS} cross join lateral (
       ${toStoredRows(after, order, 'limit 1 offset $9::integer - 1')}) c
     where (select count(*) from found f where f.mode = m.mode and f.status = s.status) < $6 order by ${order('c')} limit 1
   )
   select ${ENTRY_COLUMNS}, c.custom_id, ${TIME_KEY} as time_key, stop.key as stop_key, stop.id as stop_id
   from (select) as always left join stop on true left join page p on true left join lateral (
     select * from callback_states c where c.project_id = p.project_id and c.id = p.id offset 0) c on true
   left join callback_attempts a on ${IS_LAST}
   order by ${order('c')}`

const DELIVERED = statement('deliveries.delivered', toDeliveredSql(AFTER_TIME, newestFirst))
const DELIVERED_OLDEST = statement(
  'deliveries.delivered_oldest',
  toDeliveredSql(AFTER_TIME_OLDEST_FIRST, oldestFirst),
)

type DeliveredRow = (EntryRow | { id: null }) & { stop_key: string | null; stop_id: string | null }

export async function walkDelivered(
  db: Queryable,
  filter: LogFilter,
  { after, limit, walkedMax = WALKED_MAX }: { after: LogCursor | null; limit: number; walkedMax?: number },
): Promise<WalkedPage> {
  const { projectId, modes, statuses, from, to, isOldestFirst = false } = filter
  const values = [
    projectId,
    modes,
    statuses,
    from,
    to,
    limit,
    after?.key ?? null,
    after?.id ?? null,
    walkedMax,
  ]
  const rows = await db.query<DeliveredRow>(isOldestFirst ? DELIVERED_OLDEST : DELIVERED, values)
  const { stop_key: key, stop_id: id } = rows[0]!
  const stop = key === null || id === null ? null : { key, id }
  const isBeforeStop = ({ cursor }: LogEntry) =>
    stop === null || (isOldestFirst ? isUpTo(cursor, stop) : isUpTo(stop, cursor))
  const entries = rows.flatMap((row) => (row.id === null ? [] : [toEntry(row, row.time_key)]))
  return { entries: entries.filter(isBeforeStop), walkedTo: stop }
}

/**
 * Whether `one` and `other` are the same place, or `one` comes first in the order from old to new. The keys are times,
 * written as texts of equal length.
 */
const isUpTo = (one: LogCursor, other: LogCursor) =>
  one.key < other.key || (one.key === other.key && one.id <= other.id)

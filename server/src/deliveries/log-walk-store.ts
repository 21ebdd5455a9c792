// Reads the delivery log by customId with a further filter on outcome or time. No index has both, so callbacks are read in
// the order of their customIds and compared one by one. A page reads a limited number of them, and returns where the next
// page continues.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { EntryRow, LogCursor, LogEntry, LogFilter } from './log-store.ts'
import { AFTER_CUSTOM_ID, ENTRY_COLUMNS, IS_LAST, toEntry } from './log-store.ts'

/** The most callbacks that a page reads for each mode and status. Reading that many takes a few hundredths of a second. */
const WALKED_MAX = 5_000

const BY_CUSTOM_ID_AND_MORE = statement(
  'deliveries.by_custom_id_and_more',
  `with walked as materialized (
     select c.* from unnest($2::text[]) as m (mode) cross join unnest($3::text[]) as s (status) cross join lateral (
       select c.custom_id collate "C" as custom_id, c.id, row_number() over (order by c.custom_id collate "C", c.id desc) as nth,
         c.created_at >= coalesce($4::timestamptz, '-infinity') and c.created_at < coalesce($5::timestamptz, 'infinity')
           and ($10::text is null or c.last_outcome = $10) as is_match
       from callbacks c where c.project_id = $1 and c.mode = m.mode and c.status = s.status and ${AFTER_CUSTOM_ID}
       order by c.custom_id collate "C", c.id desc limit $11) c
   ), stop as materialized (
     -- The first place where the limit stopped a scan. Callbacks after it could be missing from the page.
     select custom_id, id from walked where nth = $11 order by custom_id, id desc limit 1
   ), page as materialized (
     select w.custom_id, w.id from walked w where w.is_match and not exists (
       select from stop s where w.custom_id > s.custom_id or (w.custom_id = s.custom_id and w.id < s.id))
     order by w.custom_id, w.id desc limit $6
   )
   select ${ENTRY_COLUMNS}, c.custom_id, '' as time_key, stop.custom_id as stop_custom_id, stop.id as stop_id
   from (select) as always left join stop on true left join page on true
   left join callbacks c on c.project_id = $1 and c.id = page.id left join callback_attempts a on ${IS_LAST}
   order by c.custom_id collate "C", c.id desc`,
)

type WalkedRow = (EntryRow | { id: null }) & { stop_custom_id: string | null; stop_id: string | null }

export interface WalkedPage {
  entries: LogEntry[]
  /** Where to continue if there are fewer entries than requested. Null at the end of the log. */
  walkedTo: LogCursor | null
}

export async function walkLog(
  db: Queryable,
  filter: LogFilter,
  prefix: string,
  { after, limit, walkedMax = WALKED_MAX }: { after: LogCursor | null; limit: number; walkedMax?: number },
): Promise<WalkedPage> {
  const { projectId, modes, statuses, from, to, outcome } = filter
  const rows = await db.query<WalkedRow>(BY_CUSTOM_ID_AND_MORE, [
    ...[projectId, modes, statuses, from, to, limit],
    ...[after?.key ?? null, after?.id ?? null, prefix, outcome, walkedMax],
  ])
  const { stop_custom_id: key, stop_id: id } = rows[0]!
  return {
    entries: rows.flatMap((row) => (row.id === null ? [] : [toEntry(row, row.custom_id ?? '')])),
    walkedTo: key === null || id === null ? null : { key, id },
  }
}

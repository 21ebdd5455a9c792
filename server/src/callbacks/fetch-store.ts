// Reads the due callbacks of the lanes that this process owns (a lane is one project in one mode). The same statement
// lists these callbacks in the rows of the lanes. If the process dies, the next owner of a lane knows from the list which
// callbacks the merchant may have received.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { ClaimedRow, OutgoingCallback } from './outgoing-callback.ts'
import { toFacts } from './event-facts.ts'
import type { Lane } from './lanes.ts'

/** SQL: the URL for callbacks of project `p` in this mode while no event stream is open. */
export const toTargetUrl = (mode: string) =>
  `case ${mode} when 'test' then coalesce(p.test_api_url, p.api_url) else p.api_url end`
/** SQL: the host of that URL. Stored URLs are normalized, so the host is the part after the second slash. */
export const toHost = (mode: string) => `split_part(${toTargetUrl(mode)}, '/', 3)`

/** SQL. `l` is the lane or callback, `p` its project and `s` its secret. */
export const TARGET_COLUMNS = `s.sealed, s.version, ${toHost('l.mode')} as host, case
    when l.mode = 'live' then p.api_url
    when p.test_api_url is not null then p.test_api_url
    when not exists (select from event_streams e where e.project_id = p.id and e.expires_at > now()) then p.api_url
  end as url`
export const WITH_TARGET =
  'join projects p on p.id = l.project_id join project_secrets s on s.project_id = l.project_id and s.mode = l.mode'

const FETCH = statement(
  'callbacks.fetch',
  `with requested as materialized (
     select n, project_id, mode, fence, slots, string_to_array(unrecorded, ' ') as unrecorded,
       string_to_array(entries, ' ') as entries, string_to_array(held, ' ') as held, new_since
     from unnest($2::text[], $3::text[], $4::bigint[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
       with ordinality as r (project_id, mode, fence, slots, unrecorded, entries, held, new_since, n)
     -- The commit does not wait for the disk. If a crash of the database loses the list, its callbacks are sent again.
     where (select set_config('synchronous_commit', 'off', true)) = 'off'
   ), due as materialized (
     select r.n, c.* from requested r cross join lateral (
       (select c.id, c.event, c.payload, c.trigger, c.attempts, c.round_from, c.not_ready, false as is_new, c.next_at from callbacks c
        where c.status = 'pending' and c.project_id = r.project_id and c.mode = r.mode and c.next_at <= now()
          and c.id <> all (r.unrecorded) and c.id || ':' || c.attempts <> all (r.held)
        order by c.next_at limit r.slots)
       union all
       (select c.id, c.event, c.payload, c.trigger, 0, c.round_from, c.not_ready, true, n.created_at from (
          -- New callbacks are always due. If the clock was turned back, their time may be later than now.
          select id, created_at from new_callbacks n where n.mode = r.mode and n.project_id = r.project_id
            and n.created_at >= r.new_since and n.id <> all (r.unrecorded) and n.id || ':0' <> all (r.held)
          order by n.created_at limit r.slots) n
        cross join lateral (select * from callbacks c where c.project_id = r.project_id and c.id = n.id offset 0) c)
       order by next_at limit r.slots) c
   ), picked as materialized (
     select n, array_agg(concat_ws(':', id, attempts, trigger)) as entries from due group by n
   ), own as materialized (
     -- Statements of this folder lock several lanes in this order, so that they cannot deadlock with each other.
     select r.n, l.project_id, l.mode, r.entries || k.entries as entries
     from picked k join requested r on r.n = k.n join callback_lanes l on l.project_id = r.project_id and l.mode = r.mode
     where l.owner = $1::uuid and l.fence = r.fence
     order by l.project_id, l.mode for update of l
   ), listed as (
     update callback_lanes l set sending = o.entries from own o where l.project_id = o.project_id and l.mode = o.mode
     returning o.n, l.project_id, l.mode
   ), targets as materialized (
     select l.n, ${TARGET_COLUMNS} from listed l ${WITH_TARGET}
   )
   -- Returns one row for the target of each lane, and one row for each callback.
   select n::integer, null as id, null as event, null as payload, null as trigger, null as attempts, null as round_from, null as not_ready, null as is_new, null as next_at,
     sealed, version, host, url from targets
   union all
   select n::integer, id, event, payload, trigger, attempts, round_from, not_ready, is_new, next_at, null, null, null, null
   from due where n = any (array(select n from targets))`,
)

export interface FetchRequest extends Lane {
  /** Raised each time the lane gets an owner. A fetch with an older value returns nothing. */
  fence: string
  slots: number
  /** The ids of callbacks that this process has sent and not recorded yet. */
  unrecordedIds: readonly string[]
  /** The callbacks of `unrecordedIds` as `id:attempts:trigger`, the form of the column `sending` of the lane. */
  entries: readonly string[]
  /** Callbacks that an earlier owner of the lane may have sent, as `id:attempts`. They are left out for a while. */
  held: readonly string[]
  isProbe: boolean
  /** New callbacks from before this time are not read (new-since.ts). Null: all are read. */
  newSince?: Date | null
}

export interface FetchedCallback extends OutgoingCallback {
  /** For a new callback, this is the time when it was stored. */
  dueAt: Date
}

type Target = { id: null; sealed: Buffer; version: number; host: string; url: string | null }
type FetchedRow = { n: number } & (
  | Target
  | (Pick<ClaimedRow, 'id' | 'event' | 'payload' | 'trigger' | 'attempts' | 'round_from' | 'not_ready'> & {
      is_new: boolean
      next_at: Date
    })
)

export async function fetchDue(
  db: Queryable,
  processId: string,
  requests: readonly FetchRequest[],
): Promise<FetchedCallback[]> {
  const rows = await db.query<FetchedRow>(FETCH, [
    processId,
    requests.map((one) => one.projectId),
    requests.map((one) => one.mode),
    requests.map((one) => one.fence),
    requests.map((one) => one.slots),
    requests.map((one) => one.unrecordedIds.join(' ')),
    requests.map((one) => one.entries.join(' ')),
    requests.map((one) => one.held.join(' ')),
    requests.map((one) => one.newSince?.toISOString() ?? '-infinity'),
  ])
  const targets = new Map(rows.flatMap((row) => (row.id === null ? [[row.n, row] as const] : [])))
  return rows.flatMap((row) => {
    if (row.id === null) return []
    const { projectId, mode, isProbe } = requests[row.n - 1]!
    const { sealed, version, host, url } = targets.get(row.n)!
    const attempt = row.attempts + 1
    return [
      {
        projectId,
        mode,
        id: row.id,
        event: row.event,
        facts: toFacts({ ...row, mode }),
        trigger: row.trigger,
        attempt,
        nth: attempt - row.round_from,
        withoutStep: row.not_ready,
        claim: null,
        isNew: row.is_new,
        url,
        host,
        sealed,
        secretVersion: version,
        isProbe,
        dueAt: row.next_at,
      },
    ]
  })
}

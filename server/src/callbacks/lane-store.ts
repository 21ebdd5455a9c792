// Stores which process serves which lane (one project in one mode). A process renews its lease, and takes lanes that have
// something due and no living owner. lane-owner.ts decides which processes are dead.
import type { Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { systemClock } from '../lib/clock.ts'
import { toHost } from './fetch-store.ts'
import type { SeenProcess } from './lane-owner.ts'
import { OVERDUE_SEC, PROCESS_LEASE_SEC } from './lane-owner.ts'
import type { Lane } from './lanes.ts'

const LEASE = `interval '${PROCESS_LEASE_SEC} seconds'`
/** A lease that still lasts longer than this was written before the database's clock was turned back. */
const LEASE_MAX = `interval '${2 * PROCESS_LEASE_SEC} seconds'`

const BEAT = statement(
  'lanes.beat',
  `with renewed as (
     insert into delivery_processes (id, session, lease_until, is_leaving, reads_compact)
     select $1::uuid, (select a.application_name from pg_stat_activity a where a.application_name = $2 limit 1), now() + ${LEASE}, $3,
       true
     on conflict (id) do update set session = excluded.session, lease_until = excluded.lease_until,
       is_leaving = excluded.is_leaving
     returning *
   ), forgotten as (
     delete from delivery_processes where lease_until < now() - interval '1 hour' and id <> $1::uuid
   )
   select p.id::text, p.lease_until::text as lease, p.lease_until not between now() and now() + ${LEASE_MAX} as "isExpired",
     p.is_leaving as "takesNoLanes",
     p.session is null or exists (
       select from pg_stat_activity a where a.application_name = p.session) as "hasSession", null::float8 as "nowMs"
   from delivery_processes p where p.id <> $1::uuid
   union all select id::text, lease_until::text, false, is_leaving, session is not null,
     extract(epoch from clock_timestamp())::float8 * 1000 from renewed`,
)

export interface Renewal {
  isSeen: boolean
  others: SeenProcess[]
  /** The smallest possible difference between the clocks of this machine and of the database. */
  clocksApartMs: number
}

export async function renewProcess(
  db: Queryable,
  processId: string,
  sessionName: string,
  takesNoLanes = false,
): Promise<Renewal> {
  const requestedMs = systemClock.nowMs()
  const seen = await db.query<SeenProcess & { nowMs: number }>(BEAT, [processId, sessionName, takesNoLanes])
  const own = seen.find(({ id }) => id === processId)!
  return {
    isSeen: own.hasSession,
    others: seen.filter((one) => one !== own),
    clocksApartMs: Math.max(0, requestedMs - own.nowMs, own.nowMs - systemClock.nowMs()),
  }
}

const LEAVE = statement('lanes.leave', 'delete from delivery_processes where id = $1')

export async function removeProcess(db: Queryable, processId: string): Promise<void> {
  await db.query(LEAVE, [processId])
}

const HAS_EARLIER = statement(
  'lanes.has_earlier_release',
  'select from delivery_processes where not reads_compact and lease_until > now() limit 1',
)

/** Whether a living process is of a release that cannot read compact callbacks (migration 0085). */
export async function hasEarlierRelease(db: Queryable): Promise<boolean> {
  return (await db.query(HAS_EARLIER)).length > 0
}

export interface StoredLane extends Lane {
  /** Raised each time the lane gets an owner. */
  fence: string
  /** The host and port of the lane's callback URL. */
  host: string
  /** The callbacks that earlier owners may have sent, as the lane's row lists them. */
  held: string[]
  /** When the row was read, by the database's clock. */
  readAtMs: number
  failuresInRow: number
  probeInMs: number
  ramp: number | null
}

/** SQL: columns of lane `l` and its project `p`. */
const LANE_COLUMNS = `l.project_id, l.mode, l.fence::text, l.held, l.failures_in_row, l.ramp,
  extract(epoch from now())::float8 * 1000 as now_ms, extract(epoch from l.probe_at - now())::float8 * 1000 as probe_in_ms, ${toHost('l.mode')} as host`

interface LaneRow {
  project_id: string
  mode: Mode
  fence: string
  held: string[]
  now_ms: number
  failures_in_row: number
  ramp: number | null
  probe_in_ms: number
  host: string
}

function toLane(row: LaneRow): StoredLane {
  return {
    projectId: row.project_id,
    mode: row.mode,
    fence: row.fence,
    host: row.host,
    held: row.held,
    readAtMs: row.now_ms,
    failuresInRow: row.failures_in_row,
    probeInMs: row.probe_in_ms,
    ramp: row.ramp,
  }
}

const OWNED = statement(
  'lanes.owned',
  `select ${LANE_COLUMNS} from callback_lanes l join projects p on p.id = l.project_id where l.owner = $1::uuid`,
)

export async function findOwnedLanes(db: Queryable, processId: string): Promise<StoredLane[]> {
  return (await db.query<LaneRow>(OWNED, [processId])).map(toLane)
}

/** One run of `lanes.take` visits this many lanes at most, besides lanes named by wake-ups. The next run continues from there. */
export const LANES_MAX = 128

const IS_FREE = `(l.owner is null or l.owner = any ($4::uuid[])
  or not exists (select from delivery_processes p where p.id = l.owner))`

const OVERDUE = `now() - interval '${OVERDUE_SEC} seconds'`

/**
 * SQL: finds the next lane, after the given lane, in which a callback waits. The first search finds pending callbacks. The
 * second search finds new callbacks of later projects, one mode at a time, because the index of `new_callbacks` begins with
 * the mode. It skips the given project, because otherwise it would read all new callbacks of the given lane. The third
 * search finds new callbacks of the given project's test lane, if the given lane is the live lane.
 */
const toNextLane = (projectId: string, mode: string) => `select * from (
       (select c.project_id, c.mode, 1 as nth from callbacks c where c.status = 'pending'
          and (c.project_id, c.mode) > (${projectId}, ${mode}) order by c.project_id, c.mode limit 1)
       union all select w.project_id, w.mode, 1 from (values ('live'), ('test')) as m (mode) cross join lateral (
         select n.project_id, n.mode from new_callbacks n where n.mode = m.mode and n.project_id > ${projectId}
         order by n.mode, n.project_id limit 1) w
       union all (select n.project_id, n.mode, 1 from new_callbacks n
          where n.mode = 'test' and n.project_id = ${projectId} and ${mode} < 'test' limit 1)
     ) as following order by project_id, mode limit 1`

const TAKE = statement(
  'lanes.take',
  `with recursive visited (project_id, mode, nth) as (
     (${toNextLane('$2', '$3')})
     union all
     select s.project_id, s.mode, v.nth + 1 from visited v cross join lateral (${toNextLane('v.project_id', 'v.mode')}) s
     where v.nth < ${LANES_MAX}
   ), free as materialized (
     select v.project_id, v.mode from (
       select project_id, mode from visited union select * from unnest($6::text[], $7::text[])) v
     left join callback_lanes l on l.project_id = v.project_id and l.mode = v.mode
     cross join lateral (
       (select c.next_at from callbacks c where c.status = 'pending' and c.project_id = v.project_id
          and c.mode = v.mode and c.next_at <= now() order by c.next_at limit 1)
       union all (select n.created_at from new_callbacks n where n.mode = v.mode and n.project_id = v.project_id
          order by n.created_at limit 1)
       order by next_at limit 1) due
     -- A new callback with a time in the future was stored before the database's clock was turned back. It is overdue too.
     where ${IS_FREE} and ((due.next_at not between ${OVERDUE} and now() and coalesce(l.freed_at not between ${OVERDUE} and now(), true)) or $1 = (
       -- The preferred process, as in lane-owner.ts.
       select a.id from unnest($5::text[]) as a(id)
       order by encode(sha256(convert_to(concat_ws(' ', a.id, v.project_id, v.mode), 'UTF8')), 'hex') collate "C" desc limit 1))
   ), taken as (
     insert into callback_lanes as l (project_id, mode, owner, fence)
     select project_id, mode, $1::uuid, 1 from free order by project_id, mode
     on conflict (project_id, mode) do update set owner = excluded.owner, fence = l.fence + 1, sending = '{}',
       held = l.held || array(select e || ':' || (extract(epoch from now()) * 1000)::bigint from unnest(l.sending) e)
     where ${IS_FREE}
     returning l.*
   )
   select ended.at as ended_at, ${LANE_COLUMNS}
   from (select (select project_id || ' ' || mode from visited where nth = ${LANES_MAX}) as at) ended
   left join (taken l join projects p on p.id = l.project_id) on true`,
)

export interface TakenLanes {
  lanes: StoredLane[]
  /** The last visited lane, if LANES_MAX lanes were visited. Null: no lane is left to visit. */
  endedAt: Lane | null
}

export interface TakeOptions {
  after: Lane | null
  dead: readonly string[]
  alive: readonly string[] // Includes this process.
  named?: readonly Lane[]
}

/** Visits the lanes after `after` and the lanes `named` by wake-ups, and takes those that are due and have no living owner. */
export async function takeLanes(
  db: Queryable,
  processId: string,
  { after, dead, alive, named = [] }: TakeOptions,
): Promise<TakenLanes> {
  const rows = await db.query<(LaneRow | { project_id: null }) & { ended_at: string | null }>(TAKE, [
    processId,
    after?.projectId ?? '',
    after?.mode ?? '',
    dead,
    alive,
    named.map((lane) => lane.projectId),
    named.map((lane) => lane.mode),
  ])
  const [projectId, mode] = rows[0]!.ended_at?.split(' ') ?? []
  return {
    lanes: rows.flatMap((row) => (row.project_id === null ? [] : [toLane(row)])),
    endedAt: projectId === undefined ? null : { projectId, mode: mode === 'live' ? 'live' : 'test' },
  }
}

const GIVE_BACK = statement(
  'lanes.give_back',
  `with own as materialized (
     -- Statements of this folder lock several lanes in this order, so that they cannot deadlock with each other.
     select l.project_id, l.mode, string_to_array(w.sending, ' ') as sending
     from unnest($2::text[], $3::text[], $4::bigint[], $5::text[]) as w (project_id, mode, fence, sending)
     join callback_lanes l on l.project_id = w.project_id and l.mode = w.mode
     where l.owner = $1::uuid and l.fence = w.fence
     order by l.project_id, l.mode for update of l
   )
   update callback_lanes l set owner = null, freed_at = now(), sending = o.sending
   from own o where l.project_id = o.project_id and l.mode = o.mode`,
)

/** `sending`: callbacks in flight or not recorded yet. The next owner holds them back for a while. */
export async function giveBackLanes(
  db: Queryable,
  processId: string,
  lanes: readonly (Lane & { fence: string; sending: readonly string[] })[],
): Promise<void> {
  await db.query(GIVE_BACK, [
    processId,
    lanes.map((lane) => lane.projectId),
    lanes.map((lane) => lane.mode),
    lanes.map((lane) => lane.fence),
    lanes.map((lane) => lane.sending.join(' ')),
  ])
}

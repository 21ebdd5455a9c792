// Lanes that keep failing: one callback at a time is sent as a probe, and the others wait in the queue without losing an
// attempt. The first 2xx ends this (record-store): all waiting callbacks are brought forward, and are sent as fast as the
// merchant accepts them.
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { mayStart } from './callback.ts'
import { CLAIMED_COLUMNS, LEASE, WITH_TARGET } from './claim-store.ts'
import type { Claimed, ClaimedRow } from './claimed.ts'
import { toClaimed } from './claimed.ts'
import type { Lane } from './lanes.ts'
import type { RecoveredLane } from './record-store.ts'
import { FAILURES_TRIP, PROBE_GAP_SEC } from './lanes.ts'
import { ATTEMPTS_MAX } from './retry.ts'

const GAP = `interval '${PROBE_GAP_SEC} seconds'`
/** Rows queued per call and lane; a longer queue takes a few calls, once. */
const QUEUED_PER_CALL_MAX = 512

const PROBE = statement(
  'callbacks.probe',
  `with lane as (
     -- The process that has locked the lane's row decides alone; another one skips it.
     select h.project_id, h.mode, h.probe_at <= now() as may_probe, greatest(h.line_until, now()) as line_until
     from callback_lanes h join unnest($1::text[], $2::text[]) as w (project_id, mode)
       on h.project_id = w.project_id and h.mode = w.mode
     where h.failures_in_row >= ${FAILURES_TRIP} for update of h skip locked
   ), due as (
     select l.project_id, l.mode, l.line_until, l.may_probe and c.rank = 1 as is_probe,
       c.rank - l.may_probe::integer as place, c.id
     from lane l cross join lateral (
       select id, row_number() over (order by next_at) as rank from (
         select id, next_at from callbacks c where c.status = 'pending' and c.project_id = l.project_id
           and c.mode = l.mode and c.next_at <= now() order by c.next_at limit ${QUEUED_PER_CALL_MAX}) waiting) c
   ), taken as (
     update callbacks c set status = 'sending', attempts = c.attempts + 1, claim = $3, lease_until = now() + ${LEASE}
     from due d where d.is_probe and c.project_id = d.project_id and c.id = d.id and ${mayStart('claim', 'c.status')}
     returning c.*
   ), spaced as (
     update callbacks c set next_at = d.line_until + d.place * ${GAP}
     from due d where not d.is_probe and c.project_id = d.project_id and c.id = d.id and c.status = 'pending'
     returning c.project_id, c.mode
   ), moved as (
     update callback_lanes h set line_until = l.line_until + ${GAP} *
         (select count(*) from spaced u where u.project_id = l.project_id and u.mode = l.mode),
       -- No other probe is sent until this one is recorded or its lease expires.
       probe_at = case when exists (select from taken k where k.project_id = l.project_id and k.mode = l.mode)
         then now() + ${LEASE} else h.probe_at end
     from lane l where h.project_id = l.project_id and h.mode = l.mode
   )
   select ${CLAIMED_COLUMNS} from taken c ${WITH_TARGET}`,
)

export async function claimProbes(db: Queryable, lanes: readonly Lane[]): Promise<Claimed[]> {
  const projectIds = lanes.map((lane) => lane.projectId)
  const modes = lanes.map((lane) => lane.mode)
  const rows = await db.query<ClaimedRow>(PROBE, [projectIds, modes, randomUUID()])
  return rows.map((row) => toClaimed(row, true))
}

/** Small, so that no payment of the merchant waits for this statement. */
const HASTEN_BATCH = 500

/** A merchant that recovers again and again gets at most this many attempts; after that only the schedule applies. */
const HASTENED_ATTEMPTS_MAX = 2 * ATTEMPTS_MAX.live

const HASTEN = statement(
  'callbacks.hasten',
  // The attempt is in addition to the schedule: the last step used is given back, if there was one.
  `update callbacks c set next_at = now(), round_from = c.round_from + (c.attempts - c.round_from > c.not_ready)::integer
   where c.ctid = any (array(
     select c.ctid from callbacks c where c.project_id = $1 and c.mode = $2 and c.status = 'pending' and c.next_at > now()
       and c.attempts < ${HASTENED_ATTEMPTS_MAX} and not exists (
         select from callback_attempts a where a.project_id = c.project_id and a.callback_id = c.id
           and a.attempt = c.attempts and a.started_at >= $3::timestamptz)
     limit ${HASTEN_BATCH} for update of c skip locked)) returning 1`,
)

/** The merchant responds again: callbacks planned for later become due now, except those attempted since the recovery. */
export async function hastenLane(db: Queryable, lane: RecoveredLane): Promise<number> {
  let hastened = 0
  for (;;) {
    const { length } = await db.query(HASTEN, [lane.projectId, lane.mode, lane.recoveredAt])
    hastened += length
    if (length < HASTEN_BATCH) return hastened
  }
}

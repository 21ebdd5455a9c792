// For each background loop, the time at which a process last reported it as running, by the database's clock.
import type { Queryable } from './pool.ts'
import { statement } from './pool.ts'

const SAVE = statement(
  'heartbeats.save',
  `insert into loop_heartbeats (loop, beat_at) select loop, now() from unnest($1::text[]) as beat(loop) order by loop
   on conflict (loop) do update set beat_at = excluded.beat_at`,
)

export async function saveHeartbeats(db: Queryable, loops: readonly string[]): Promise<void> {
  await db.query(SAVE, [loops])
}

const LIST_SINCE = statement(
  'heartbeats.list_since',
  `select loop from loop_heartbeats where beat_at > now() - make_interval(secs => $1)`,
)

export async function listActiveLoops(db: Queryable, withinSec: number): Promise<string[]> {
  return (await db.query<{ loop: string }>(LIST_SINCE, [withinSec])).map(({ loop }) => loop)
}

/**
 * Heartbeats that are less than this in the future are ignored. If the clock was turned back by less than this, callbacks
 * are delayed so little that nobody notices.
 */
const AHEAD_MIN = "interval '5 seconds'"

const HAS_FUTURE = statement(
  'heartbeats.has_future',
  `select from loop_heartbeats where beat_at > now() + ${AHEAD_MIN} limit 1`,
)

/** True if the database's clock was turned back since the last heartbeat. */
export async function hasFutureHeartbeat(db: Queryable): Promise<boolean> {
  return (await db.query(HAS_FUTURE)).length > 0
}

const DELETE_FUTURE = statement(
  'heartbeats.delete_future',
  `delete from loop_heartbeats where beat_at > now() + ${AHEAD_MIN}`,
)

/** The heartbeats of loops that still run are saved again afterwards. */
export async function deleteFutureHeartbeats(db: Queryable): Promise<void> {
  await db.query(DELETE_FUTURE)
}

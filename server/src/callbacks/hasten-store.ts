// When a merchant responds again after an outage, callbacks planned for later are brought forward.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Lane } from './lanes.ts'
import { ATTEMPTS_MAX } from './retry.ts'

/** The batch is small, so that each statement takes little time. */
const HASTEN_BATCH = 500

/**
 * A callback with this many attempts is no longer brought forward. Otherwise a merchant whose server recovers again and again
 * would get the same callback without end.
 */
const HASTENED_ATTEMPTS_MAX = 2 * ATTEMPTS_MAX.live

const HASTEN = statement(
  'callbacks.hasten',
  // Bringing a callback forward must not use up a step of its retry schedule. So if the callback has used a step in its
  // current round of attempts (retry.ts), it gets one step back: `round_from` grows by one.
  `update callbacks c set next_at = now(), round_from = c.round_from + (c.attempts - c.round_from > c.not_ready)::integer
   where c.ctid = any (array(
     select c.ctid from callbacks c where c.project_id = $1 and c.mode = $2 and c.status = 'pending' and c.next_at > now()
       and c.attempts < ${HASTENED_ATTEMPTS_MAX} and not exists (
         select from callback_attempts a where a.project_id = c.project_id and a.callback_id = c.id
           and a.attempt = c.attempts and a.started_at >= $3::timestamptz)
     limit ${HASTEN_BATCH} for update of c skip locked)) returning 1`,
)

/**
 * Brings the callbacks of the lane forward, except those attempted since the lane recovered. Returns how many it brought
 * forward.
 */
export async function hastenLane(db: Queryable, lane: Lane & { recoveredAt: string }): Promise<number> {
  let hastened = 0
  for (;;) {
    const { length } = await db.query(HASTEN, [lane.projectId, lane.mode, lane.recoveredAt])
    hastened += length
    if (length < HASTEN_BATCH) return hastened
  }
}

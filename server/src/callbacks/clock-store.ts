// Repairs times that were stored while the database's clock was ahead. After the clock is corrected, they would delay
// callbacks and probes.
import type { Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { PROBE_GAP_SEC } from './lanes.ts'
import { toLongestDelaysSec, WITHOUT_STEP_SEC_MAX } from './retry.ts'

/** The batch is small, so that no lock is held for long. */
const BATCH = 500

/** SQL: the longest delay that the schedule of this mode allows for callback `c`; 0 if it has used no step yet. */
const toDelayMax = (mode: Mode) =>
  `coalesce((array[${toLongestDelaysSec(mode).join()}]::float8[])[c.attempts - c.round_from - c.not_ready], 0)`

const SEND_NOW = statement(
  'callbacks.send_now',
  // `attempts >= 0` is always true. With this condition the planner uses the index of due callbacks.
  `update callbacks c set next_at = now() where c.ctid = any (array(
     select c.ctid from callbacks c where c.status = 'pending' and c.attempts >= 0 and c.next_at > now()
       and c.next_at > now() + make_interval(secs => greatest(case when c.not_ready > 0 then ${WITHOUT_STEP_SEC_MAX} else 0 end,
         case c.mode when 'live' then ${toDelayMax('live')} else ${toDelayMax('test')} end))
     limit ${BATCH} for update of c skip locked)) returning 1`,
)

const PROBE_NOW = statement(
  'lanes.probe_now',
  `update callback_lanes l set probe_at = now()
   from (select project_id, mode from callback_lanes where probe_at > now() + interval '${PROBE_GAP_SEC} seconds'
         order by project_id, mode for update skip locked) late
   where l.project_id = late.project_id and l.mode = late.mode`,
)

/**
 * Makes callbacks and probes due now if they are planned for later than the schedule allows. This function reads all waiting
 * callbacks, so it must run only after the database's clock was turned back. Returns how many callbacks became due.
 */
export async function sendPlannedTooLate(db: Queryable): Promise<number> {
  await db.query(PROBE_NOW)
  let count = 0
  for (;;) {
    const { length } = await db.query(SEND_NOW)
    count += length
    if (length < BATCH) return count
  }
}

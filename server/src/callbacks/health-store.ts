// The health of lanes (see lanes.ts). Failures in a row trip the circuit breaker of a lane. After a success, a
// tripped lane starts again with few concurrent requests.
import type { Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Lane } from './lanes.ts'
import { BREAKER_FAILURES, UNRESERVED_SLOTS, PROBE_GAP_SEC, RAMP_FROM } from './lanes.ts'

/** The counts of one batch of attempts in a lane. */
export interface Tally extends Lane {
  good: number
  bad: number
  /** Failures after the last success, or all failures if there was no success. */
  failures: number
  hasProbe: boolean
  /** Callbacks delivered late: after a failed attempt, or after more than a minute. */
  late: number
  /** Live callbacks that were given up. */
  exhausted: number
}

export interface LaneHealth extends Lane {
  failuresInRow: number
  probeInMs: number
  /** The limit of concurrent requests while the lane recovers. Null: no such limit. */
  ramp: number | null
  /** When the merchant responded again after an outage, as a timestamp of the database in its text format; else null. */
  recoveredAt: string | null
}

/**
 * How long failures must last before a success ends a reported outage. If the circuit breaker has tripped, any success
 * ends the outage.
 */
const FAILING_MIN = "interval '2 minutes'"

const RECORD_HEALTH = statement(
  'callbacks.record_health',
  `with affected as materialized (
     select t.*, t.good > 0 as has_good, l.failures_in_row >= ${BREAKER_FAILURES}
       or (l.down_since is not null and l.failing_since < now() - ${FAILING_MIN}) as was_down
     from unnest($1::text[], $2::text[], $3::integer[], $4::integer[], $5::integer[], $6::boolean[], $7::integer[],
       $8::integer[]) as t (project_id, mode, good, bad, failures, has_probe, late, exhausted)
     left join callback_lanes l on l.project_id = t.project_id and l.mode = t.mode
   ), lanes as (
     insert into callback_lanes as l (project_id, mode, failures_in_row, failing_since, last_failure_at, exhausted_untold,
       given_up)
     select project_id, mode, failures, case when failures > 0 then now() end, case when failures > 0 then now() end,
       exhausted, exhausted from affected order by project_id, mode
     on conflict (project_id, mode) do update set
       (failures_in_row, failing_since, healed_at, probe_at, ramp, caught_up, given_up) = (
         select case when a.has_good then a.failures else l.failures_in_row + a.failures end,
           case when not a.has_good then coalesce(l.failing_since, excluded.failing_since)
             when a.failures > 0 then now() end,
           case when a.has_good and l.down_since is not null then coalesce(l.healed_at, now())
             when a.failures = 0 then l.healed_at end,
           -- Outcomes of attempts that were sent before the trip do not change the time of the next probe.
           case when a.has_probe or l.failures_in_row < ${BREAKER_FAILURES}
             then now() + interval '${PROBE_GAP_SEC} seconds' else l.probe_at end,
           case when l.failures_in_row >= ${BREAKER_FAILURES} then case when a.has_good then ${RAMP_FROM} else l.ramp end
             when l.ramp is null then null
             -- The limit is halved only if more than a fifth of the attempts failed. Fewer failures do not mean overload.
             when a.bad * 4 > a.good then greatest(1, l.ramp / 2)
             else nullif(least(l.ramp + a.good, ${UNRESERVED_SLOTS}), ${UNRESERVED_SLOTS}) end,
           l.caught_up + a.late,
           -- The count starts again with each outage.
           case when l.failing_since is null and l.down_since is null then 0 else l.given_up end + a.exhausted
         from affected a where a.project_id = l.project_id and a.mode = l.mode),
       last_failure_at = coalesce(excluded.last_failure_at, l.last_failure_at),
       exhausted_untold = l.exhausted_untold + excluded.exhausted_untold
     returning *
   )
   select l.project_id, l.mode, l.failures_in_row, l.ramp, extract(epoch from l.probe_at - now())::float8 * 1000 as probe_in_ms,
     case when a.has_good and a.was_down then now()::text end as recovered_at
   from lanes l join affected a on a.project_id = l.project_id and a.mode = l.mode`,
)

interface HealthRow {
  project_id: string
  mode: Mode
  failures_in_row: number
  ramp: number | null
  probe_in_ms: number
  recovered_at: string | null
}

export async function recordHealth(db: Queryable, tallies: readonly Tally[]): Promise<LaneHealth[]> {
  if (tallies.length === 0) return []
  const rows = await db.query<HealthRow>(RECORD_HEALTH, [
    tallies.map((one) => one.projectId),
    tallies.map((one) => one.mode),
    tallies.map((one) => one.good),
    tallies.map((one) => one.bad),
    tallies.map((one) => one.failures),
    tallies.map((one) => one.hasProbe),
    tallies.map((one) => one.late),
    tallies.map((one) => one.exhausted),
  ])
  return rows.map((row) => ({
    projectId: row.project_id,
    mode: row.mode,
    failuresInRow: row.failures_in_row,
    ramp: row.ramp,
    probeInMs: row.probe_in_ms,
    recoveredAt: row.recovered_at,
  }))
}

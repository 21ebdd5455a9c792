// Records the outcomes of a batch of attempts in one statement: each callback's new state, its attempt in the log, the
// health of its lane, and the notification to other processes. Fenced by the claim: a process that lost it changes nothing.
import type { AttemptOutcome, Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { ATTEMPTS_CHANNEL } from './attempts-channel.ts'
import { mayStart } from './callback.ts'
import { IS_ROUND_REQUESTED } from './claim-store.ts'
import type { Fence } from './claimed.ts'
import type { Lane } from './lanes.ts'
import { FAILURES_TRIP, LONE_SLOTS, PROBE_GAP_SEC, RAMP_FROM } from './lanes.ts'
import type { Next } from './retry.ts'

export interface AttemptRecord extends Fence {
  url: string
  remoteIp: string | null
  /** On the monotonic clock of this process; the database converts it to its own clock. */
  startedMs: number
  durationMs: number
  outcome: AttemptOutcome
  statusCode: number | null
  error: string | null
  excerpt: string | null
  bodySha256: Buffer | null
  next: Next
  /** Whether it counts for the merchant's health; our own faults and test callbacks do not. */
  counts: boolean
}

/** Rows per statement: a statement costs about as much as twenty rows, so with more rows its cost hardly matters. */
export const RECORD_BATCH_MAX = 256
/** A notification holds at most 8,000 bytes, and each row takes about 80. */
const ROWS_PER_NOTIFICATION = 64

/** Longer than a restart takes. A single success between failures must not end an outage. */
const DOWN_FOR = "interval '2 minutes'"

/** A person requested another round while it was in flight; after a delivery none is needed. */
const STARTS_NEW_ROUND = `${mayStart('record', 'c.status')} and ${IS_ROUND_REQUESTED} and d.outcome <> 'delivered'`

const RECORD = statement(
  'callbacks.record',
  `with done as (
     select * from unnest($1::text[], $2::text[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::text[],
       $8::float8[], $9::integer[], $10::text[], $11::integer[], $12::text[], $13::text[], $14::integer[], $15::bytea[],
       $16::text[], $17::float8[], $18::boolean[], $19::boolean[], $20::boolean[])
     with ordinality as d (project_id, id, claim, attempt, trigger, url, remote_ip, age_sec, duration_ms, outcome,
       status_code, error, excerpt, secret_version, body_sha256, next_status, delay_sec, is_not_ready, counts, is_probe, place)
   ), moved as (
     update callbacks c set claim = null, lease_until = null, last_outcome = d.outcome,
       -- If it was cancelled in flight, it stays cancelled. If it was delivered before a resend, it stays delivered.
       status = case when not ${mayStart('record', 'c.status')} then c.status when ${STARTS_NEW_ROUND} then 'pending'
         when c.delivered_at is not null then 'delivered' else d.next_status end,
       delivered_at = case when ${mayStart('record', 'c.status')} and d.next_status = 'delivered' then coalesce(c.delivered_at, now())
         else c.delivered_at end,
       next_at = case when ${STARTS_NEW_ROUND} then now() when d.delay_sec is null then c.next_at
         else now() + make_interval(secs => d.delay_sec) end,
       not_ready = case when ${STARTS_NEW_ROUND} then 0 else c.not_ready + d.is_not_ready::integer end,
       trigger = case when ${STARTS_NEW_ROUND} then 'manual' when c.trigger = 'manual' then 'auto' else c.trigger end
     from done d where c.project_id = d.project_id and c.id = d.id and c.claim = d.claim
     returning d.*, c.mode, c.status, c.next_at,
       c.delivered_at = now() and (d.attempt > 1 or c.created_at < now() - interval '1 minute') as is_late
   ), logged as (
     insert into callback_attempts (project_id, callback_id, attempt, trigger, url, remote_ip, started_at, duration_ms,
       outcome, status_code, error, response_excerpt, secret_version, body_sha256, next_at)
     select project_id, id, attempt, trigger, url, remote_ip, now() - make_interval(secs => age_sec), duration_ms, outcome,
       status_code, error, excerpt, secret_version, body_sha256, case status when 'pending' then next_at end
     from moved
   ), tally as (
     select project_id, mode, bool_or(is_probe) as has_probe,
       count(*) filter (where counts and outcome = 'delivered') as good,
       count(*) filter (where counts and outcome <> 'delivered') as bad,
       count(*) filter (where counts and outcome <> 'delivered' and place > coalesce(last_good, 0)) as failures,
       count(*) filter (where is_late) as late,
       -- Every callback that is given up counts, also after our own faults.
       count(*) filter (where status = 'exhausted' and mode = 'live') as exhausted
     from (select m.*, max(place) filter (where counts and outcome = 'delivered')
             over (partition by project_id, mode) as last_good
           from moved m) in_order
     group by project_id, mode
   ), affected as (
     -- Lanes without failures before and now are not written.
     select t.*, t.good > 0 as has_good, l.failures_in_row >= ${FAILURES_TRIP}
       or (l.down_since is not null and l.failing_since < now() - ${DOWN_FOR}) as was_down
     from tally t left join callback_lanes l on l.project_id = t.project_id and l.mode = t.mode
     where t.failures > 0 or t.exhausted > 0 or l.failures_in_row > 0 or l.ramp is not null or l.down_since is not null
   ), lanes as (
     insert into callback_lanes as l (project_id, mode, failures_in_row, failing_since, last_failure_at, exhausted_untold,
       given_up)
     select project_id, mode, failures, case when failures > 0 then now() end, case when failures > 0 then now() end,
       exhausted, exhausted from affected order by project_id, mode
     on conflict (project_id, mode) do update set
       (failures_in_row, failing_since, healed_at, line_until, probe_at, ramp, caught_up, given_up) = (
         select case when a.has_good then a.failures else l.failures_in_row + a.failures end,
           case when not a.has_good then coalesce(l.failing_since, excluded.failing_since)
             when a.failures > 0 then now() end,
           case when a.has_good and l.down_since is not null then coalesce(l.healed_at, now())
             when a.failures = 0 then l.healed_at end,
           case when a.has_good then now() else l.line_until end,
           -- Outcomes of attempts from before the trip do not allow a second probe.
           case when a.has_probe or l.failures_in_row < ${FAILURES_TRIP}
             then now() + interval '${PROBE_GAP_SEC} seconds' else l.probe_at end,
           case when l.failures_in_row >= ${FAILURES_TRIP} then case when a.has_good then ${RAMP_FROM} else l.ramp end
             when l.ramp is null then null
             -- A few failures are no sign of too high concurrency.
             when a.bad * 4 > a.good then greatest(1, l.ramp / 2)
             else nullif(least(l.ramp + a.good, ${LONE_SLOTS}), ${LONE_SLOTS}) end,
           l.caught_up + a.late,
           -- Callbacks given up in earlier outages have been reported then.
           case when l.failing_since is null and l.down_since is null then 0 else l.given_up end + a.exhausted
         from affected a where a.project_id = l.project_id and a.mode = l.mode),
       last_failure_at = coalesce(excluded.last_failure_at, l.last_failure_at),
       exhausted_untold = l.exhausted_untold + excluded.exhausted_untold
   ), notified as materialized (
     select count(pg_notify('${ATTEMPTS_CHANNEL}', payload)) from (
       select string_agg(concat_ws(' ', project_id, id, attempt, status), ',') as payload
       from moved group by place / ${ROWS_PER_NOTIFICATION}) notifications
   )
   select m.project_id, m.id, m.mode, m.status, case when a.has_good and a.was_down then now()::text end as healed_at
   from moved m left join affected a on a.project_id = m.project_id and a.mode = m.mode
   cross join notified`,
)

export interface Recorded extends Lane {
  id: string
  status: string
}

export interface RecoveredLane extends Lane {
  /** By the database's clock, in its text format. */
  recoveredAt: string
}

export interface RecordedBatch {
  /** The callbacks whose claim was still valid. */
  recorded: Recorded[]
  /** Lanes that responded again after an outage. */
  recovered: RecoveredLane[]
}

interface RecordedRow {
  project_id: string
  id: string
  mode: Mode
  status: string
  healed_at: string | null
}

export async function recordAttempts(db: Queryable, done: readonly AttemptRecord[]): Promise<RecordedBatch> {
  const nowMs = performance.now()
  const column = <T>(pick: (one: AttemptRecord) => T): T[] => done.map(pick)
  const rows = await db.query<RecordedRow>(RECORD, [
    column((one) => one.projectId),
    column((one) => one.id),
    column((one) => one.claim),
    column((one) => one.attempt),
    column((one) => one.trigger),
    column((one) => one.url),
    column((one) => one.remoteIp),
    column((one) => (nowMs - one.startedMs) / 1000),
    column((one) => one.durationMs),
    column((one) => one.outcome),
    column((one) => one.statusCode),
    column((one) => one.error),
    column((one) => one.excerpt),
    column((one) => one.secretVersion),
    column((one) => one.bodySha256),
    column((one) => one.next.status),
    column((one) => (one.next.status === 'pending' ? one.next.delaySec : null)),
    column((one) => one.next.status === 'pending' && one.next.isNotReady),
    column((one) => one.counts),
    column((one) => one.isProbe),
  ])
  const recovered = rows.flatMap((row) =>
    row.healed_at === null ? [] : [{ ...toLane(row), recoveredAt: row.healed_at }],
  )
  return {
    recorded: rows.map((row) => ({ ...toLane(row), id: row.id, status: row.status })),
    recovered: [...new Map(recovered.map((lane) => [`${lane.projectId} ${lane.mode}`, lane])).values()],
  }
}

function toLane(row: RecordedRow): Lane {
  return { projectId: row.project_id, mode: row.mode }
}

// Claims a batch of due callbacks in one statement. Any number of processes may do this at once: rows locked by another
// process are skipped, and a claim is fenced by its own uuid. Only the database's clock counts.
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { mayStart } from './callback.ts'
import type { Claimed, ClaimedRow } from './claimed.ts'
import { toClaimed } from './claimed.ts'
import type { Held, Lane } from './lanes.ts'
import { FAILURES_TRIP, HOST_SLOTS, LANE_SLOTS, LEASE_SEC, POOL_SLOTS, SLOTS_RESERVED } from './lanes.ts'
import { ATTEMPTS_MAX } from './retry.ts'

/** The URL for a lane's callbacks when no stream is open. URLs are stored in normalized form. */
const toTargetUrl = (mode: string) =>
  `case ${mode} when 'test' then coalesce(p.test_api_url, p.api_url) else p.api_url end`
const toHost = (mode: string) => `split_part(${toTargetUrl(mode)}, '/', 3)`

/** The columns that every claim returns: of callback `c`, its project `p` and its current secret `s`. */
export const CLAIMED_COLUMNS = `c.project_id, c.mode, c.id, c.event, c.payload, c.trigger, c.attempts, c.round_from, c.not_ready,
  c.claim, s.sealed, s.version, case
    when c.mode = 'live' then p.api_url
    when p.test_api_url is not null then p.test_api_url
    when not exists (select from event_streams e where e.project_id = p.id and e.expires_at > now()) then p.api_url
  end as url, ${toHost('c.mode')} as host`
export const WITH_TARGET =
  'join projects p on p.id = c.project_id join project_secrets s on s.project_id = c.project_id and s.mode = c.mode'

export const LEASE = `interval '${LEASE_SEC} seconds'`

/**
 * For a row `c` in flight: a person requested a new round meanwhile (resend-store), which starts when this attempt ends.
 * Otherwise the attempt in flight belongs to the current round.
 */
export const IS_ROUND_REQUESTED = 'c.round_from >= c.attempts'

/** Due rows that fit into one poll; when there are more, the lanes are visited one by one. */
const OLDEST_MAX = 256
/** Lanes per poll; the next poll continues after the last one. */
const LANES_MAX = 128
/** Expired leases are rare: the process that held them died. */
const RECOVER_MAX = 128

const CLAIM = statement(
  'callbacks.claim',
  `with recursive
   ran_out as (
     select project_id, id, trigger, lease_until from callbacks where ${mayStart('recover')} and lease_until < now()
       and $10::boolean
     order by lease_until limit ${RECOVER_MAX} for update skip locked
   ), requeued as (
     -- The attempt of a lost worker counts: it may have reached the merchant.
     update callbacks c set claim = null, lease_until = null, last_outcome = 'interrupted',
       trigger = case when ${IS_ROUND_REQUESTED} then 'manual' when c.trigger = 'manual' then 'auto' else c.trigger end,
       status = case
         when ${IS_ROUND_REQUESTED} then 'pending'
         when c.delivered_at is not null then 'delivered'
         when c.trigger in ('test', 'exam') or c.attempts - c.round_from - c.not_ready >=
           case c.mode when 'live' then ${ATTEMPTS_MAX.live} else ${ATTEMPTS_MAX.test} end then 'exhausted'
         else 'pending' end
     from ran_out r where c.project_id = r.project_id and c.id = r.id
     returning c.project_id, c.id, c.mode, c.attempts, c.status, r.trigger, r.lease_until
   ), cut_off as (
     insert into callback_attempts (project_id, callback_id, attempt, trigger, url, started_at, outcome, next_at)
     select r.project_id, r.id, r.attempts, r.trigger, ${toTargetUrl('r.mode')}, r.lease_until - ${LEASE}, 'interrupted',
       case r.status when 'pending' then now() end
     from requeued r join projects p on p.id = r.project_id
     on conflict do nothing
   ), given_up as (
     insert into callback_lanes as l (project_id, mode, exhausted_untold, given_up)
     select project_id, mode, count(*), count(*) from requeued where status = 'exhausted' and mode = 'live'
     group by project_id, mode order by project_id, mode
     on conflict (project_id, mode) do update set
       exhausted_untold = l.exhausted_untold + excluded.exhausted_untold, given_up = l.given_up + excluded.given_up
   ), oldest as materialized (
     -- The condition on attempts is always true; it makes the planner use the index of due callbacks.
     select project_id, mode, id, next_at from callbacks where status = 'pending' and attempts >= 0 and next_at <= now()
     order by next_at limit ${OLDEST_MAX}
   ), visited (project_id, mode, lap, nth) as (
     -- Visits the lanes one index step at a time, from where the last poll ended, and at most once around.
     select $3::text, $4::text, 0, 0 where (select count(*) from oldest) = ${OLDEST_MAX}
     union all
     select ahead.project_id, ahead.mode, ahead.lap, w.nth + 1 from visited w cross join lateral (
       (select c.project_id, c.mode, w.lap from callbacks c
        where c.status = 'pending' and (c.project_id, c.mode) > (w.project_id, w.mode)
        order by c.project_id, c.mode limit 1)
       union all
       (select c.project_id, c.mode, 1 from callbacks c where c.status = 'pending' and w.lap = 0
        order by c.project_id, c.mode limit 1)
       order by lap limit 1) ahead
     where w.nth < ${LANES_MAX} and (ahead.lap = 0 or (ahead.project_id, ahead.mode) <= ($3, $4))
   ), lanes as materialized (
     -- The facts of a lane are read once, not for each of its rows.
     select s.*, dense_rank() over (order by s.project_id, s.mode) as lane, (s.project_id, s.mode) <= ($3, $4) as is_behind,
       s.mode = 'test' as is_test, s.mode = 'live' and t.host = any ($7::text[]) as is_slow,
       dense_rank() over (order by t.host collate "C") as host, coalesce(($6::jsonb ->> t.host)::integer, 0) as host_held,
       coalesce(($5::jsonb ->> (s.project_id || ' ' || s.mode))::integer, 0) as held,
       h.ramp, coalesce(h.failures_in_row, 0) >= ${FAILURES_TRIP} as is_tripped
     from (
       select project_id, mode, sum(old)::integer as old, bool_or(is_visited) as is_visited from (
         select project_id, mode, 1 as old, false as is_visited from (
           select project_id, mode from oldest
           order by next_at limit case when exists (select from visited) then $1 else ${OLDEST_MAX} end) o
         union all
         select project_id, mode, 0, true from visited where nth > 0) seen
       group by project_id, mode) s
     join projects p on p.id = s.project_id
     cross join lateral (select ${toHost('s.mode')} as host) t
     left join callback_lanes h on h.project_id = s.project_id and h.mode = s.mode
   ), due as (
     -- The oldest rows overall are the oldest of their lanes, so the first rows of each lane are enough.
     select l.*, c.id, c.next_at, c.rank from lanes l cross join lateral (
       select id, next_at, row_number() over (order by next_at) as rank from (
         select id, next_at from callbacks c where c.status = 'pending' and c.project_id = l.project_id
           and c.mode = l.mode and c.next_at <= now() order by c.next_at
         -- With many lanes, each gets its share over a few polls: reading all of it every time would cost too much.
         limit greatest(l.old, case when l.is_visited then
           least(${LANE_SLOTS.live}, greatest(2, 2 * $1 / (select count(*) from visited))) end)) first_ones) c
     where not l.is_tripped
   ), shared_out as (
     select d.*, d.rank + d.held > case d.mode when 'live' then ${LANE_SLOTS.live} else ${LANE_SLOTS.test} end
         or row_number() over (partition by d.host order by d.rank, d.next_at) + d.host_held > ${HOST_SLOTS}
         -- A lane that was not visited yet gets its share when it is.
         or (not d.is_visited and exists (select from visited)) as is_extra
     from due d where d.ramp is null or d.rank + d.held <= d.ramp
   ), in_turn as (
     -- First the share of every lane, one row per lane in turn; then the rest by age.
     select s.*, row_number() over turn as nth, count(*) filter (where is_test) over turn as tests,
       count(*) filter (where is_slow) over turn as slows
     from shared_out s
     window turn as (order by is_extra, case when not is_extra then rank end, case when not is_extra then is_behind end,
       case when not is_extra then lane end, next_at, id rows unbounded preceding)
   ), numbered as (
     -- Rows of a kind that has no slots left are skipped, and the others move up.
     select *, nth - greatest(0, tests - $8) - greatest(0, slows - $9) as place from in_turn
     where not (is_test and tests > $8) and not (is_slow and slows > $9)
   ), picked as (
     select project_id, mode, id, place, is_extra from numbered
     where place <= $1 - case when is_extra then ${SLOTS_RESERVED} else 0 end
   ), held as materialized (
     select c.place_on_disk, k.place from picked k cross join lateral (
       select c.ctid as place_on_disk from callbacks c where c.project_id = k.project_id and c.id = k.id
         and c.status = 'pending' and c.next_at <= now()
       for update skip locked) c
   ), taken as (
     update callbacks c set status = 'sending', attempts = c.attempts + 1, claim = $2, lease_until = now() + ${LEASE}
     from held h where c.ctid = h.place_on_disk and ${mayStart('claim', 'c.status')}
     returning c.*, h.place
   )
   select ${CLAIMED_COLUMNS}, summary.*
   from (
     select (select count(*) from due) > (select count(*) from taken)
         or (exists (select from visited) and exists (select from taken)) as has_more,
       exists (select from requeued) as has_recovered,
       (select count(*) from picked) > (select count(*) from taken) as is_contended,
       exists (select from visited where nth = ${LANES_MAX}) as is_cut_short,
       coalesce(
         -- Every visited lane got its share: the next poll continues where this one stopped ...
         (select project_id || ' ' || mode from visited where nth = ${LANES_MAX}
            and not exists (select from numbered where not is_extra and rank = 1 and place > $1)),
         -- ... or else after the last lane that got its share.
         (select project_id || ' ' || mode from picked where not is_extra order by place desc limit 1)) as ended_at,
       array(select l.project_id || ' ' || l.mode from lanes l where l.is_tripped and exists (
         select from callbacks c where c.status = 'pending' and c.project_id = l.project_id and c.mode = l.mode
           and c.next_at <= now())) as tripped
   ) summary
   left join (taken c ${WITH_TARGET}) on true
   order by c.place`,
)

type ClaimRow = (ClaimedRow | { id: null }) & {
  has_more: boolean
  has_recovered: boolean
  is_contended: boolean
  is_cut_short: boolean
  ended_at: string | null
  tripped: string[]
}

export interface Claim {
  claimed: Claimed[]
  /** The next poll starts after this lane. */
  endedAt: Lane | null
  /** More was due than was claimed: poll again as soon as a slot is free. */
  hasMore: boolean
  /** Callbacks with expired leases are due again: poll again now. */
  hasRecovered: boolean
  /** Another process had locked some of the rows. */
  isContended: boolean
  /** There are more lanes than one poll visits. */
  isCutShort: boolean
  /** Lanes with due rows that may only be probed. */
  tripped: Lane[]
}

/**
 * `inFlight` is what this process is sending; `slowHosts` responded slowly of late. A caller that gets no response can
 * release what may have been claimed by its `claim`. Without `mayRecover`, expired leases are ignored.
 */
export async function claimCallbacks(
  db: Queryable,
  free: number,
  after: Lane | null,
  inFlight: readonly Held[],
  slowHosts: readonly string[] = [],
  claim: string = randomUUID(),
  mayRecover = true,
): Promise<Claim> {
  const slow = new Set(slowHosts)
  const countOf = (isOf: (lane: Held) => boolean) =>
    inFlight.reduce((sum, lane) => sum + (isOf(lane) ? lane.held : 0), 0)
  const rows = await db.query<ClaimRow>(CLAIM, [
    free,
    claim,
    after?.projectId ?? '',
    after?.mode ?? '',
    sumHeld(inFlight, ({ projectId, mode }) => `${projectId} ${mode}`),
    sumHeld(inFlight, ({ host }) => host),
    slowHosts,
    Math.max(0, POOL_SLOTS.test - countOf((lane) => lane.mode === 'test')),
    Math.max(0, POOL_SLOTS.slow - countOf((lane) => lane.mode === 'live' && slow.has(lane.host))),
    mayRecover,
  ])
  // There is always at least one row: the summary is joined to every claim, and returned alone without one.
  const summary = rows[0]!
  return {
    claimed: rows.flatMap((row) => (row.id === null ? [] : [toClaimed(row)])),
    endedAt: summary.ended_at === null ? after : toLane(summary.ended_at),
    hasMore: summary.has_more,
    hasRecovered: summary.has_recovered,
    isContended: summary.is_contended,
    isCutShort: summary.is_cut_short,
    tripped: summary.tripped.map(toLane),
  }
}

/** As a JSON object, in which the database finds a name faster than a row in a list. */
function sumHeld(inFlight: readonly Held[], nameOf: (lane: Held) => string): string {
  const sums = new Map<string, number>()
  for (const lane of inFlight) sums.set(nameOf(lane), (sums.get(nameOf(lane)) ?? 0) + lane.held)
  return JSON.stringify(Object.fromEntries(sums))
}

function toLane(text: string): Lane {
  const [projectId = '', mode] = text.split(' ')
  return { projectId, mode: mode === 'live' ? 'live' : 'test' }
}

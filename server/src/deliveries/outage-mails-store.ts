// Finds the outages, recoveries and given-up callbacks that merchants must be notified of, and records the
// notifications. Only live mode is reported, because in test mode developers read the log anyway. A lane is
// one project in one mode.
import type { Locale } from '@pazar/words'
import type { AccountId } from '../accounts/account.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { mayStart } from '../callbacks/callback.ts'
import { storeOldPending } from '../callbacks/new-callbacks-store.ts'
import type { Attempt } from './delivery.ts'

export interface LaneToNotify {
  projectId: string
  projectName: string
  owner: { id: AccountId; email: string; locale: Locale; timeZone: string }
  /** The owner has closed their account, which deleted their address. */
  isOwnerAccountClosed: boolean
  isFailing: boolean
  failingSince: Date | null
  /** How many callbacks were given up since the last mail about given-up callbacks. 0 if no such mail is due. */
  exhausted: number
  /** How many waiting callbacks were delivered, and how many were given up. Null if there is no recovery to report. */
  recovered: { caughtUp: number; givenUp: number } | null
}

/** An outage is reported after this time, which is longer than a restart of a merchant's server. */
const FAILING_FOR = "interval '2 minutes'"
/** An outage is reported after this many failures, because a single lost packet is not an outage. */
const FAILURES_NOTIFIED_MIN = 3
/** A single success is not a recovery yet. */
const RECOVERED_FOR = "interval '1 minute'"
const MAIL_GAP = "interval '1 day'"
/** After a recovery mail, a new outage within MAIL_GAP of the last outage mail is reported only if it lasts this long. */
const FAILING_AGAIN_FOR = "interval '1 hour'"

// If all callbacks were given up, nothing is attempted any more, and the number of failures does not change. So another
// mail is sent only if there was a failure after the last mail.
const IS_FAILING = `l.failures_in_row >= ${FAILURES_NOTIFIED_MIN} and l.failing_since < now() - case
  when l.told_at is null or l.told_at < now() - ${MAIL_GAP} then ${FAILING_FOR}
  when l.down_since is null then ${FAILING_AGAIN_FOR} end
  and coalesce(l.last_failure_at > l.told_at, true)`
const HAS_EXHAUSTED = `l.exhausted_untold > 0 and coalesce(l.exhausted_told_at < now() - ${MAIL_GAP}, true)`
// The recovery mail counts callbacks from before the recovery. The mail waits until these callbacks were sent or are planned
// for later.
const HAS_RECOVERED = `l.healed_at < now() - ${RECOVERED_FOR} and l.failures_in_row = 0 and not exists (
  select from callbacks c where c.project_id = l.project_id and c.mode = l.mode and c.status = 'pending'
    and c.next_at < now() + ${RECOVERED_FOR} and c.created_at < l.healed_at)
  and not exists (select from new_callbacks n where n.mode = l.mode and n.project_id = l.project_id and n.created_at < l.healed_at)`

const NEXT = statement(
  'lanes.next_to_notify',
  `select l.project_id, p.name, a.id as account_id, a.email, a.closed_at is not null as is_closed, a.locale, a.time_zone, l.failing_since, l.exhausted_untold,
     l.caught_up, l.given_up, coalesce(${IS_FAILING}, false) as is_failing,
     ${HAS_EXHAUSTED} as has_exhausted, coalesce(${HAS_RECOVERED}, false) as has_recovered
   from callback_lanes l join projects p on p.id = l.project_id join accounts a on a.id = p.owner_id
   where l.mode = 'live' and (l.failures_in_row > 0 or l.healed_at is not null or l.exhausted_untold > 0)
     and ((${IS_FAILING}) or (${HAS_EXHAUSTED}) or (${HAS_RECOVERED}))
   limit 1 for update of l skip locked`,
)

interface NextRow {
  project_id: string
  name: string
  account_id: AccountId
  email: string
  is_closed: boolean
  locale: Locale
  time_zone: string
  failing_since: Date | null
  exhausted_untold: number
  caught_up: number
  given_up: number
  is_failing: boolean
  has_exhausted: boolean
  has_recovered: boolean
}

/** Skips lanes that another process is handling. */
export async function findLaneToNotify(tx: Tx): Promise<LaneToNotify | null> {
  const [row] = await tx.query<NextRow>(NEXT)
  if (!row) return null
  return {
    projectId: row.project_id,
    projectName: row.name,
    owner: { id: row.account_id, email: row.email, locale: row.locale, timeZone: row.time_zone },
    isOwnerAccountClosed: row.is_closed,
    isFailing: row.is_failing,
    failingSince: row.failing_since,
    exhausted: row.has_exhausted ? row.exhausted_untold : 0,
    recovered: row.has_recovered ? { caughtUp: row.caught_up, givenUp: row.given_up } : null,
  }
}

const NOTIFIED_FAILING = statement(
  'lanes.notified_failing',
  `update callback_lanes set told_at = now(), down_since = coalesce(down_since, failing_since),
     caught_up = case when down_since is null then 0 else caught_up end
   where project_id = $1 and mode = 'live'`,
)
const NOTIFIED_EXHAUSTED = statement(
  'lanes.notified_exhausted',
  `update callback_lanes set exhausted_told_at = now(), exhausted_untold = 0 where project_id = $1 and mode = 'live'`,
)
const NOTIFIED_RECOVERED = statement(
  'lanes.notified_recovered',
  `update callback_lanes set down_since = null, healed_at = null, caught_up = 0, given_up = 0
   where project_id = $1 and mode = 'live'`,
)

const NOTHING_EXHAUSTED = statement(
  'lanes.nothing_exhausted',
  `update callback_lanes set exhausted_untold = 0 where project_id = $1 and mode = 'live'`,
)

const NOTIFIED = {
  failing: NOTIFIED_FAILING,
  exhausted: NOTIFIED_EXHAUSTED,
  /** All callbacks that were given up have been resent, so there was no mail. */
  'nothing exhausted': NOTHING_EXHAUSTED,
  recovered: NOTIFIED_RECOVERED,
}

export async function recordNotification(
  tx: Tx,
  projectId: string,
  kind: keyof typeof NOTIFIED,
): Promise<void> {
  await tx.query(NOTIFIED[kind], [projectId])
}

/**
 * A lane counts a callback shortly after it was given up, usually milliseconds later. So `countStillGivenUp` also counts
 * callbacks that were given up this long before the period.
 */
const RECORDED_WITHIN = "interval '1 second'"

/**
 * How many more callbacks than `counted` are read (`countStillGivenUp`). Without a limit, a merchant with a long history
 * of outages could stop the mails of all merchants, because the statement would take too long.
 */
const READ_MORE_MAX = 1_000

/** `since` is SQL. The newest callbacks are read first. */
const toCountGivenUp = (since: string) => `select count(*)::integer as n from (
     select from callback_lanes l cross join lateral (
       select c.next_at from callbacks c where c.project_id = l.project_id and c.mode = l.mode and c.status = 'exhausted'
       order by c.created_at desc, c.id desc limit $2::integer + ${READ_MORE_MAX}) c
     where l.project_id = $1 and l.mode = 'live' and c.next_at > coalesce(${since} - ${RECORDED_WITHIN}, '-infinity')
     limit $2) given_up`

const COUNT_GIVEN_UP = {
  'since the last mail': statement('lanes.count_given_up', toCountGivenUp('l.exhausted_told_at')),
  'in this outage': statement('lanes.count_given_up_in_outage', toCountGivenUp('l.down_since')),
}

/**
 * How many callbacks were given up in this period and are still given up, at most `counted`. `counted` includes
 * callbacks that a person has resent meanwhile, and counts a callback twice if it was given up twice.
 */
export async function countStillGivenUp(
  db: Queryable,
  projectId: string,
  { counted, period }: { counted: number; period: keyof typeof COUNT_GIVEN_UP },
): Promise<number> {
  return (await db.query<{ n: number }>(COUNT_GIVEN_UP[period], [projectId, counted]))[0]!.n
}

const COUNT_MAX = 10_000

const COUNT_WAITING = statement(
  'lanes.count_waiting',
  `select count(*)::integer as n from (
     (select from callbacks where project_id = $1 and mode = 'live' and status = 'pending' and delivered_at is null limit ${COUNT_MAX})
     union all (select from new_callbacks where mode = 'live' and project_id = $1 limit ${COUNT_MAX}) limit ${COUNT_MAX}) waiting`,
)

/** Does not count a delivered callback that a person is sending again. */
export async function countWaiting(db: Queryable, projectId: string): Promise<number> {
  return (await db.query<{ n: number }>(COUNT_WAITING, [projectId]))[0]!.n
}

type Failure = Pick<Attempt, 'outcome' | 'statusCode' | 'error' | 'responseExcerpt'>

const LAST_FAILURE = statement(
  'lanes.last_failure',
  `select a.outcome, a.status_code, a.error, a.response_excerpt from callback_attempts a
   join callbacks c on c.project_id = a.project_id and c.id = a.callback_id and c.mode = 'live'
   where a.project_id = $1 and a.outcome not in ('delivered', 'interrupted') order by a.started_at desc limit 1`,
)

/** Null if the log has no failed attempt any more. */
export async function findLastFailure(db: Queryable, projectId: string): Promise<Failure | null> {
  type Row = Pick<Failure, 'outcome' | 'error'> & {
    status_code: number | null
    response_excerpt: string | null
  }
  const [row] = await db.query<Row>(LAST_FAILURE, [projectId])
  if (!row) return null
  const { outcome, status_code: statusCode, error, response_excerpt: responseExcerpt } = row
  return { outcome, statusCode, error, responseExcerpt }
}

/** This is longer than the whole retry schedule. */
const GIVE_UP_AFTER_DAYS = 4
const GIVE_UP_AFTER = `interval '${GIVE_UP_AFTER_DAYS} days'`
const GIVE_UP_BATCH = 500

const GIVE_UP_WAITING = statement(
  'lanes.give_up_waiting',
  `with given_up as (
     update callbacks set status = 'exhausted', next_at = now() where ctid = any (array(
       select c.ctid from callback_lanes l cross join lateral (
         select ctid from callbacks c where c.project_id = l.project_id and c.mode = l.mode and ${mayStart('giveUp', 'c.status')}
           and c.created_at < now() - ${GIVE_UP_AFTER} and c.attempts = 0
           -- A resend starts a new round, so a callback that a person has resent gets at least one attempt.
           and c.trigger <> 'manual'
         limit ${GIVE_UP_BATCH} for update skip locked) c
       -- A failure within the last hour shows that the merchant is down, and not this service.
       where l.failures_in_row > 0 and l.failing_since < now() - ${GIVE_UP_AFTER}
         and l.last_failure_at > now() - interval '1 hour'
       limit ${GIVE_UP_BATCH})) returning project_id, mode
   ), counts as (
     select project_id, mode, count(*)::integer as n from given_up group by project_id, mode
   ), locked as materialized (
     -- Locks the lanes in the same order as the other statements.
     select project_id, mode, g.n from callback_lanes l join counts g using (project_id, mode)
     order by project_id, mode for update of l
   )
   update callback_lanes l set exhausted_untold = l.exhausted_untold + g.n, given_up = l.given_up + g.n
   from locked g where l.project_id = g.project_id and l.mode = g.mode returning g.n`,
)

export async function giveUpWaiting(db: Queryable): Promise<number> {
  await storeOldPending(db, GIVE_UP_AFTER_DAYS)
  const rows = await db.query<{ n: number }>(GIVE_UP_WAITING)
  return rows.reduce((sum, row) => sum + row.n, 0)
}

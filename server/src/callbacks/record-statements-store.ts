// The statements that record a batch of attempts (record-store.ts). RECORD checks the callback's number of attempts, so that
// an attempt is recorded only once, even if another process owns the lane by then.
import { statement } from '../db/pool.ts'
import { ATTEMPTS_CHANNEL } from './attempts-channel.ts'
import { mayStart } from './callback.ts'
import { joinNew } from './new-callbacks-store.ts'

/** A notification holds at most 8,000 bytes, and each row takes about 80. */
const ROWS_PER_NOTIFICATION = 64

/** SQL: the callback's state allows this outcome. A callback that was given up while in flight can still be accepted. */
const MAY_RECORD = `(d.was_new or ${mayStart('record', 'c.status')} or (d.outcome = 'delivered' and ${mayStart('accept', 'c.status')}))`
/** SQL: a person requested a new round while the attempt was in flight. After a delivery no new round is needed. */
const STARTS_NEW_ROUND = `c.trigger = 'manual' and d.trigger <> 'manual' and d.outcome <> 'delivered' and ${MAY_RECORD}`
/**
 * SQL: no later attempt of the callback was counted. An attempt with a claim was counted before it was sent. An attempt
 * without a claim is counted when it is recorded.
 */
const IS_NEXT_ATTEMPT =
  '(case when d.was_new then 0 else c.attempts end) = d.attempt - (d.claim is null)::integer'
/** SQL: an attempt that was logged as interrupted was delivered, and no new round has started since. */
const IS_LATE_DELIVERY = `d.claim is null and d.outcome = 'delivered' and c.attempts >= d.attempt
  and c.round_from < d.attempt and ${mayStart('accept', 'c.status')}`
/**
 * SQL: always true. With this condition, even a plan for an empty table uses the primary key. Without the cast, PostgreSQL
 * 17 and later would remove the condition.
 */
const PREFERS_KEY = 'c.mode::varchar is not null'
const CORRECT_INTERRUPTED = `on conflict (project_id, callback_id, attempt) do update set outcome = excluded.outcome, next_at = null,
       status_code = excluded.status_code, duration_ms = excluded.duration_ms, started_at = excluded.started_at
       where a.outcome = 'interrupted'`

const NOTIFIED = `select count(pg_notify('${ATTEMPTS_CHANNEL}', payload)) from (
       select string_agg(concat_ws(' ', project_id, id, attempt, status), ',') as payload
       from moved group by place / ${ROWS_PER_NOTIFICATION}) notifications`
const RESULT = `select m.place::integer - 1 as place, m.mode, m.status, m.is_late, case when row_number() over () = 1 then array(
     select l.project_id || ' ' || l.mode from (select distinct project_id, mode from moved) t
     join callback_lanes l on l.project_id = t.project_id and l.mode = t.mode
     where l.failures_in_row > 0 or l.ramp is not null or l.down_since is not null) end as troubled
   from moved m cross join notified`

// Records that the first attempt of a new callback was accepted. In compact storage, a new callback is stored as accepted
// from the start (new-callbacks-store.ts), so only its row in new_callbacks is deleted. If the callback has no such
// row any more, this statement records nothing, and record-store.ts tries RECORD.
export const RECORD_NEW = statement(
  'callbacks.record_new',
  `with done as materialized (
     select d.*, n.at from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::integer[],
       $8::integer[], $9::text[], $10::text[], $11::integer[], $12::bytea[])
     with ordinality as d (project_id, id, trigger, url, remote_ip, age_sec, duration_ms, status_code, error, excerpt,
       secret_version, body_sha256, place) ${joinNew('d')}
   ), moved as (
     delete from new_callbacks n using done d where n.ctid = d.at
     returning d.*, n.mode, 1 as attempt, 'delivered' as status, n.created_at < now() - interval '1 minute' as is_late
   ), logged as (
     insert into callback_attempts (project_id, callback_id, attempt, trigger, url, remote_ip, started_at, duration_ms,
       outcome, status_code, error, response_excerpt, secret_version, body_sha256)
     select project_id, id, 1, trigger, url, remote_ip, now() - make_interval(secs => age_sec), duration_ms, 'delivered',
       status_code, error, excerpt, secret_version, body_sha256 from moved
   ), notified as materialized (${NOTIFIED})
   ${RESULT}`,
)

/** `mayBeNew` is SQL: the attempt may be the first of a new callback. */
const toRecording = (
  isExpected: string,
  mayBeNew: string,
  onConflict: string,
) => `with given as materialized (
     select * from unnest($1::text[], $2::text[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::text[],
       $8::float8[], $9::integer[], $10::text[], $11::integer[], $12::text[], $13::text[], $14::integer[], $15::bytea[],
       $16::text[], $17::float8[], $18::boolean[])
     with ordinality as d (project_id, id, claim, attempt, trigger, url, remote_ip, age_sec, duration_ms, outcome,
       status_code, error, excerpt, secret_version, body_sha256, next_status, delay_sec, is_not_ready, place)
   ), no_longer_new as (
     -- From now on the callback is stored like any other.
     delete from new_callbacks where ctid = any (array(
       select n.at from given d ${joinNew('d')} where ${mayBeNew})) returning id
   ), done as materialized (
     select d.*, d.id = any (array(select id from no_longer_new)) as was_new from given d
   ), moved as (
     update callbacks c set attempts = case when d.was_new then d.attempt else greatest(c.attempts, d.attempt) end, claim = null, lease_until = null,
       last_outcome = d.outcome,
       -- A callback that was cancelled in flight stays cancelled. A callback delivered before a resend stays delivered.
       status = case when not ${MAY_RECORD} then c.status when ${STARTS_NEW_ROUND} then 'pending'
         when c.delivered_at is not null then 'delivered' else d.next_status end,
       delivered_at = case when ${MAY_RECORD} and d.next_status = 'delivered' then coalesce(c.delivered_at, now())
         else c.delivered_at end,
       -- For a callback that is given up, this is the time when it was given up.
       next_at = case when ${STARTS_NEW_ROUND} then c.next_at
         else now() + make_interval(secs => coalesce(d.delay_sec, 0)) end,
       round_from = case when ${STARTS_NEW_ROUND} then d.attempt else c.round_from end,
       not_ready = case when ${STARTS_NEW_ROUND} then 0 else c.not_ready + d.is_not_ready::integer end,
       trigger = case when ${STARTS_NEW_ROUND} then 'manual' when c.trigger = 'manual' then 'auto' else c.trigger end
     from done d where c.project_id = d.project_id and c.id = d.id and ${PREFERS_KEY}
       and c.claim is not distinct from d.claim and ${isExpected}
     returning d.*, c.mode, c.status, c.next_at,
       c.delivered_at = now() and (d.attempt > 1 or c.created_at < now() - interval '1 minute') as is_late
   ), logged as (
     insert into callback_attempts as a (project_id, callback_id, attempt, trigger, url, remote_ip, started_at, duration_ms,
       outcome, status_code, error, response_excerpt, secret_version, body_sha256, next_at)
     select project_id, id, attempt, trigger, url, remote_ip, now() - make_interval(secs => age_sec), duration_ms, outcome,
       status_code, error, excerpt, secret_version, body_sha256, case status when 'pending' then next_at end
     from moved ${onConflict}
   ), notified as materialized (${NOTIFIED})
   ${RESULT}`

// The next attempt has no row yet, so RECORD needs no "on conflict", which would make every callback cost more.
export const RECORD = statement(
  'callbacks.record',
  toRecording(IS_NEXT_ATTEMPT, 'd.attempt = 1 and d.claim is null', ''),
)
export const RECORD_LATE = statement(
  'callbacks.record_late',
  toRecording(IS_LATE_DELIVERY, 'false', CORRECT_INTERRUPTED),
)

// Records the outcomes of a batch of attempts in one statement: each callback's new state, its attempt in the log, and the
// notification to other processes. The number of attempts guards the write: an attempt is recorded once, even if the lane has
// another owner by then.
import type { AttemptOutcome, Mode } from '@pazar/contract'
import type { Queryable, Statement } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { ATTEMPTS_CHANNEL } from './attempts-channel.ts'
import { mayStart } from './callback.ts'
import type { AttemptIdentity } from './outgoing-callback.ts'
import type { Tally } from './health-store.ts'
import type { Lane } from './lanes.ts'
import { toLaneKey } from './lanes.ts'
import type { Next } from './retry.ts'

export interface AttemptRecord extends AttemptIdentity {
  url: string
  remoteIp: string | null
  /** On the monotonic clock of this process; the database converts it to its own clock. */
  startedMs: number
  durationMs: number
  outcome: AttemptOutcome
  statusCode: number | null
  error: string | null
  excerpt: string | null
  /** Hexadecimal. */
  bodySha256: string | null
  next: Next
  /** Whether the outcome counts for the health of the lane. Our own faults and test callbacks do not count. */
  counts: boolean
}

/** Rows per statement: a statement costs about as much as twenty rows, so with more rows its cost hardly matters. */
export const RECORD_BATCH_MAX = 256
/** A notification holds at most 8,000 bytes, and each row takes about 80. */
const ROWS_PER_NOTIFICATION = 64

/**
 * SQL: the callback's state allows this outcome. Even a callback that was given up while in flight becomes delivered if it
 * was accepted.
 */
const MAY_RECORD = `(${mayStart('record', 'c.status')} or (d.outcome = 'delivered' and ${mayStart('accept', 'c.status')}))`
/** SQL: a person requested a new round while the attempt was in flight. After a delivery no new round is needed. */
const STARTS_NEW_ROUND = `c.trigger = 'manual' and d.trigger <> 'manual' and d.outcome <> 'delivered' and ${MAY_RECORD}`
/**
 * SQL: no later attempt was counted. A callback with a claim is a test callback, whose attempt is counted before it is sent.
 */
const IS_NEXT_ATTEMPT = 'c.attempts = d.attempt - (d.claim is null)::integer'
/**
 * SQL: the process counted as dead and the attempt was logged as interrupted, but it was delivered. That counts, unless a
 * person started another round since.
 */
const IS_LATE_DELIVERY = `d.claim is null and d.outcome = 'delivered' and c.attempts >= d.attempt
  and c.round_from < d.attempt and ${mayStart('accept', 'c.status')}`
/**
 * SQL: always true. For an empty table, PostgreSQL 15 to 17 estimate the same cost for the primary key and for the index of
 * the log, and choose the index of the log. That plan reads all callbacks of the project. This condition makes it cost more.
 * The cast prevents version 17 from removing the condition.
 */
const PREFERS_KEY = 'c.mode::varchar is not null'
const CORRECT_INTERRUPTED = `on conflict (project_id, callback_id, attempt) do update set outcome = excluded.outcome, next_at = null,
       status_code = excluded.status_code, duration_ms = excluded.duration_ms, started_at = excluded.started_at
       where a.outcome = 'interrupted'`

const toRecording = (isExpected: string, onConflict: string) => `with done as (
     select * from unnest($1::text[], $2::text[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::text[],
       $8::float8[], $9::integer[], $10::text[], $11::integer[], $12::text[], $13::text[], $14::integer[], $15::bytea[],
       $16::text[], $17::float8[], $18::boolean[])
     with ordinality as d (project_id, id, claim, attempt, trigger, url, remote_ip, age_sec, duration_ms, outcome,
       status_code, error, excerpt, secret_version, body_sha256, next_status, delay_sec, is_not_ready, place)
   ), moved as (
     update callbacks c set attempts = greatest(c.attempts, d.attempt), claim = null, lease_until = null,
       last_outcome = d.outcome,
       -- A callback that was cancelled in flight stays cancelled. One that was delivered before a resend stays delivered.
       status = case when not ${MAY_RECORD} then c.status when ${STARTS_NEW_ROUND} then 'pending'
         when c.delivered_at is not null then 'delivered' else d.next_status end,
       delivered_at = case when ${MAY_RECORD} and d.next_status = 'delivered' then coalesce(c.delivered_at, now())
         else c.delivered_at end,
       next_at = case when ${STARTS_NEW_ROUND} or d.delay_sec is null then c.next_at
         else now() + make_interval(secs => d.delay_sec) end,
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
   ), notified as materialized (
     select count(pg_notify('${ATTEMPTS_CHANNEL}', payload)) from (
       select string_agg(concat_ws(' ', project_id, id, attempt, status), ',') as payload
       from moved group by place / ${ROWS_PER_NOTIFICATION}) notifications
   )
   select m.place::integer - 1 as place, m.mode, m.status, m.is_late, case when row_number() over () = 1 then array(
     select l.project_id || ' ' || l.mode from (select distinct project_id, mode from moved) t
     join callback_lanes l on l.project_id = t.project_id and l.mode = t.mode
     where l.failures_in_row > 0 or l.ramp is not null or l.down_since is not null) end as troubled
   from moved m cross join notified`

// The next attempt has no row yet, because each statement that inserts one also counts it. So no "on conflict" is needed. It
// would cost every callback more than a second statement costs the few that are late.
const RECORD = statement('callbacks.record', toRecording(IS_NEXT_ATTEMPT, ''))
const RECORD_LATE = statement('callbacks.record_late', toRecording(IS_LATE_DELIVERY, CORRECT_INTERRUPTED))

export interface RecordedCallback extends Lane {
  id: string
  status: string
}

export interface RecordedBatch {
  /**
   * The callbacks that changed. An attempt that had been recorded already changes nothing, except a delivery that was
   * logged as interrupted.
   */
  recorded: RecordedCallback[]
  /** For the health of the lanes that have failures now or had some before. */
  tallies: Tally[]
}

interface RecordedRow {
  place: number
  mode: Mode
  status: string
  is_late: boolean | null
  /** The lanes that had failures before or are recovering, as toLaneKey writes them. Set in the first row only. */
  troubled: string[] | null
}

export async function recordAttempts(db: Queryable, done: readonly AttemptRecord[]): Promise<RecordedBatch> {
  const written = await writeRecords(db, RECORD, done)
  const found = new Set(written.map(({ record }) => record))
  const lateDeliveries = done.filter((one) => one.outcome === 'delivered' && !found.has(one))
  if (lateDeliveries.length > 0) written.push(...(await writeRecords(db, RECORD_LATE, lateDeliveries)))
  return {
    recorded: written.map(({ row, record: { projectId, id } }) => ({
      projectId,
      mode: row.mode,
      id,
      status: row.status,
    })),
    tallies: toTallies(written, new Set(written.flatMap(({ row }) => row.troubled ?? []))),
  }
}

type PlainValue = string | number | boolean | null

/** The array as PostgreSQL reads it. Only for numbers, ids and our own words, because nothing is escaped. */
function toArrayText(values: readonly PlainValue[]): string {
  return `{${values.map((value) => value ?? 'NULL').join()}}`
}

/** Returns the records that were written, in the order of `done`. */
async function writeRecords(
  db: Queryable,
  query: Statement,
  done: readonly AttemptRecord[],
): Promise<WrittenRecord[]> {
  const nowMs = performance.now()
  const toTexts = (pick: (one: AttemptRecord) => string | null) => done.map(pick)
  const toPlainArray = (pick: (one: AttemptRecord) => PlainValue) => toArrayText(done.map(pick))
  const rows = await db.query<RecordedRow>(query, [
    toPlainArray((one) => one.projectId),
    toPlainArray((one) => one.id),
    toPlainArray((one) => one.claim),
    toPlainArray((one) => one.attempt),
    toPlainArray((one) => one.trigger),
    toTexts((one) => one.url),
    toTexts((one) => one.remoteIp),
    toPlainArray((one) => (nowMs - one.startedMs) / 1000),
    toPlainArray((one) => one.durationMs),
    toPlainArray((one) => one.outcome),
    toPlainArray((one) => one.statusCode),
    toTexts((one) => one.error),
    toTexts((one) => one.excerpt),
    toPlainArray((one) => one.secretVersion),
    toPlainArray((one) => (one.bodySha256 === null ? null : String.raw`\\x${one.bodySha256}`)),
    toPlainArray((one) => one.next.status),
    toPlainArray((one) => (one.next.status === 'pending' ? one.next.delaySec : null)),
    toPlainArray((one) => one.next.status === 'pending' && one.next.usesNoStep),
  ])
  return rows.toSorted((a, b) => a.place - b.place).map((row) => ({ row, record: done[row.place]! }))
}

type WrittenRecord = { row: RecordedRow; record: AttemptRecord }

/** `written` is in the order in which the attempts ended. */
function toTallies(written: readonly WrittenRecord[], troubled: ReadonlySet<string>): Tally[] {
  const tallies = new Map<string, Tally>()
  for (const { row, record } of written) {
    const lane = { projectId: record.projectId, mode: row.mode }
    const key = toLaneKey(lane)
    const tally = tallies.get(key) ?? toEmptyTally(lane)
    tallies.set(key, tally)
    const isGood = record.outcome === 'delivered'
    if (record.counts && isGood) Object.assign(tally, { good: tally.good + 1, failures: 0 })
    if (record.counts && !isGood) Object.assign(tally, { bad: tally.bad + 1, failures: tally.failures + 1 })
    tally.hasProbe ||= record.isProbe
    if (row.is_late) tally.late += 1
    // Every callback that is given up counts, even after our own faults.
    if (row.status === 'exhausted' && row.mode === 'live') tally.exhausted += 1
  }
  return [...tallies].flatMap(([key, tally]) =>
    tally.failures > 0 || tally.exhausted > 0 || troubled.has(key) ? [tally] : [],
  )
}

const toEmptyTally = (lane: Lane): Tally => ({
  ...lane,
  good: 0,
  bad: 0,
  failures: 0,
  hasProbe: false,
  late: 0,
  exhausted: 0,
})

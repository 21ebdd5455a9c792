// The open streams of all processes, and the events to send: callbacks whose last attempt has just ended.
import { STREAM_REPLAY_MIN, STREAMS_PER_ACCOUNT_MAX } from '@pazar/contract'
import type { CallbackEventName, CallbackStatus, Mode } from '@pazar/contract'
import type { EventFacts } from '../callbacks/event-facts.ts'
import { toFacts } from '../callbacks/event-facts.ts'
import { RECOVER_GRACE_MS } from '../callbacks/lanes.ts'
import type { AccountId } from '../accounts/account.ts'
import type { Db, Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { lockAccount } from '../accounts/accounts-store.ts'

/** The lease lasts for three pings, so that one renewal may fail. */
const STREAM_LEASE = "interval '45 seconds'"

const OPEN = statement(
  'events.open',
  `insert into event_streams (id, account_id, project_id, expires_at)
   select $1, $2, $3, now() + ${STREAM_LEASE}
   where (select count(*) from event_streams where account_id = $2 and expires_at > now()) < ${STREAMS_PER_ACCOUNT_MAX}
   returning floor(extract(epoch from now()) * 1000)::text as at_ms`,
)

/** Returns the current time as a position in the stream. Null: the account has reached its limit of streams. */
export async function openStream(db: Db, stream: OpenStream): Promise<string | null> {
  return db.transaction(async (tx) => {
    // Without the lock, two streams that open at the same time could exceed the limit.
    await lockAccount(tx, stream.accountId)
    const { id, accountId, projectId } = stream
    const [row] = await tx.query<{ at_ms: string }>(OPEN, [id, accountId, projectId])
    return row ? `at_${row.at_ms}` : null
  })
}

const NOW = statement('events.now', 'select floor(extract(epoch from now()) * 1000)::text as at_ms')

export async function findPosition(db: Queryable): Promise<string> {
  const [row] = await db.query<{ at_ms: string }>(NOW)
  return `at_${row!.at_ms}`
}

export interface OpenStream {
  id: string
  accountId: AccountId
  projectId: string
}

const RENEW = statement(
  'events.renew',
  `insert into event_streams (id, account_id, project_id, expires_at)
   select s.*, now() + ${STREAM_LEASE} from unnest($1::uuid[], $2::uuid[], $3::text[]) s
   on conflict (id) do update set expires_at = excluded.expires_at`,
)

/** Rows that were deleted during a long pause of the process are inserted again. */
export async function renewStreams(db: Queryable, streams: readonly OpenStream[]): Promise<void> {
  const column = (name: keyof OpenStream) => streams.map((one) => one[name])
  await db.query(RENEW, [column('id'), column('accountId'), column('projectId')])
}

const CLOSE = statement(
  'events.close',
  'delete from event_streams where id = any($1::uuid[]) or expires_at < now()',
)

/** Also deletes expired streams, which their process did not close. */
export async function closeStreams(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(CLOSE, [ids])
}

const HAS_STREAM = statement(
  'events.has',
  `select from event_streams where project_id = $1 and expires_at > now() and account_id = coalesce($2, account_id)
   limit 1`,
)

/** Whether the project has a listener. With `accountId`, only listeners of that account count. */
export async function hasStreams(
  db: Queryable,
  projectId: string,
  accountId: AccountId | null = null,
): Promise<boolean> {
  return (await db.query(HAS_STREAM, [projectId, accountId])).length > 0
}

export interface CallbackEvent {
  projectId: string
  id: string
  mode: Mode
  status: CallbackStatus
  transactionId: string | null
  attempts: number
  facts: EventFacts
  sealed: Buffer
  secretVersion: number
}

interface EventRow {
  project_id: string
  id: string
  mode: Mode
  status: CallbackStatus
  transaction_id: string | null
  attempts: number
  event: CallbackEventName
  payload: EventFacts
  sealed: Buffer
  version: number
}

function toEvent(row: EventRow): CallbackEvent {
  return {
    projectId: row.project_id,
    id: row.id,
    mode: row.mode,
    status: row.status,
    transactionId: row.transaction_id,
    attempts: row.attempts,
    facts: toFacts(row),
    sealed: row.sealed,
    secretVersion: row.version,
  }
}

const EVENT = `select c.project_id, c.id, c.mode, c.event, c.status, c.transaction_id, c.attempts, c.payload, s.sealed, s.version`
const WITH_SECRET = 'join project_secrets s on s.project_id = c.project_id and s.mode = c.mode'

const FIND = statement(
  'events.find',
  `${EVENT} from unnest($1::text[], $2::text[]) with ordinality as w (project_id, id, place)
   join callback_states c on c.project_id = w.project_id and c.id = w.id ${WITH_SECRET} order by w.place`,
)

export async function findEvents(
  db: Queryable,
  requested: readonly { projectId: string; id: string }[],
): Promise<CallbackEvent[]> {
  const projectIds = requested.map((one) => one.projectId)
  const ids = requested.map((one) => one.id)
  return (await db.query<EventRow>(FIND, [projectIds, ids])).map(toEvent)
}

/** A client that was disconnected for longer finds the older events only in the delivery log. */
const REPLAY = `interval '${STREAM_REPLAY_MIN} minutes'`
/** An attempt may be recorded late. So a replay also searches this far back from the last attempt that the client saw. */
const RECORDED_LATE = `interval '${RECOVER_GRACE_MS / 1000} seconds'`
const ENDED = "a.started_at + coalesce(a.duration_ms, 0) * interval '1 millisecond'"

const FIND_SINCE = statement(
  'events.find_since',
  `with seen as (
     -- An event has the id of its callback, which does not say which attempt the client saw. So a replay starts at the
     -- first attempt of the callback, and events may repeat.
     select min(${ENDED}) as at, max(age(a.xmin)) as age from callback_attempts a
     where a.project_id = $1 and a.callback_id = $2
   )
   -- The range of started_at is a minute longer than the replay time, because an attempt ends later than it starts.
   select a.callback_id as id from callback_attempts a
   where a.project_id = $1 and a.started_at > now() - ${REPLAY} - interval '1 minute'
     and ${ENDED} > greatest(now() - ${REPLAY}, (select at from seen) - ${RECORDED_LATE}, to_timestamp($3::float8 / 1000))
     -- An attempt that ended before the first attempt of the seen callback is sent only if it was recorded after that attempt
     -- (its xmin is younger).
     and ((select at from seen) is null or ${ENDED} > (select at from seen) or age(a.xmin) < (select age from seen))
   group by a.callback_id order by max(${ENDED}), a.callback_id`,
)

/**
 * Returns the ids of callbacks, oldest event first. `since` is a position in time, or the id of the callback that the client
 * saw last. If it is an id, the result also has callbacks whose attempt ended shortly before the first attempt of that
 * callback but was recorded after it.
 */
export async function findIdsSince(db: Queryable, projectId: string, since: string): Promise<string[]> {
  const atMs = since.startsWith('at_') ? since.slice('at_'.length) : null
  return (await db.query<{ id: string }>(FIND_SINCE, [projectId, since, atMs])).map((row) => row.id)
}

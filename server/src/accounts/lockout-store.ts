// A bucket is one row that counts attempts, for example to sign in to an account. Each attempt reserves a slot of its
// bucket in one statement under the row's lock, so the limit holds over all replicas.
import { LOCKOUT_ATTEMPTS_MAX, LOCKOUT_WINDOW_MIN } from '@pazar/contract'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

/** The longest window of a limit. Older buckets are deleted. */
export const BUCKET_RETENTION_MIN = 24 * 60

/** At most `max` attempts in the last `windowMin` minutes. */
export interface Allowance {
  max: number
  windowMin: number
}

const LOCKOUT: Allowance = { max: LOCKOUT_ATTEMPTS_MAX, windowMin: LOCKOUT_WINDOW_MIN }

const WINDOW_START = 'now() - make_interval(mins => $2)'
/**
 * An attempt can be slightly later than now(), if it was stored while this statement waited for the row lock. An attempt
 * that is further ahead was stored before the database's clock was turned back, and does not count.
 */
const IS_RECENT = `t.at > ${WINDOW_START} and t.at <= now() + interval '1 minute'`
const FROM_RECENT = `from unnest(b.attempts) as t (at) where ${IS_RECENT}`

const RESERVE = statement(
  'lockout.reserve',
  `with slot as (
     insert into lockout_buckets as b (bucket, attempts) values ($1, array[now()])
     on conflict (bucket) do update
       set attempts = array(select t.at ${FROM_RECENT} order by t.at) || now(), last_at = now()
       where (select count(*) ${FROM_RECENT}) < $3
     returning now() as at
   )
   select (select at::text from slot) as slot,
     (select ceil(extract(epoch from min(t.at) - (${WINDOW_START})))::integer
      from lockout_buckets b cross join unnest(b.attempts) as t (at)
      where b.bucket = $1 and ${IS_RECENT}) as free_in_sec`,
)

/** `slot` is the time of the attempt, with microseconds, in the text form that PostgreSQL returns. */
export type Reservation = { slot: string } | { slot: null; retryAfterSec: number }

export async function reserveSlot(
  db: Queryable,
  bucket: string,
  { max, windowMin }: Allowance = LOCKOUT,
): Promise<Reservation> {
  type Row = { slot: string | null; free_in_sec: number | null }
  const [row] = await db.query<Row>(RESERVE, [bucket, windowMin, max])
  if (row?.slot) return { slot: row.slot }
  // The snapshot can lack attempts that were committed while this statement waited for the row lock. If the snapshot has no
  // attempt, the caller waits for the whole window.
  const freeInSec = row?.free_in_sec ?? windowMin * 60
  return { slot: null, retryAfterSec: Math.max(1, freeInSec) }
}

const RELEASE = statement(
  'lockout.give_back',
  `update lockout_buckets b
   set attempts = b.attempts[:array_position(b.attempts, $2::timestamptz) - 1]
     || b.attempts[array_position(b.attempts, $2::timestamptz) + 1:]
   where b.bucket = $1 and $2::timestamptz = any (b.attempts)`,
)

export async function releaseSlot(db: Queryable, bucket: string, slot: string): Promise<void> {
  await db.query(RELEASE, [bucket, slot])
}

const REMOVE = statement('lockout.remove', 'delete from lockout_buckets where bucket = any ($1)')

export async function deleteBuckets(db: Queryable, buckets: readonly string[]): Promise<void> {
  await db.query(REMOVE, [buckets])
}

const SELECT_DEVICES = statement(
  'lockout.devices',
  `select encode(token_hash, 'hex') as device from devices where account_id = $1`,
)

/** The token hashes of the account's devices in hex, as in the names of their buckets. */
export async function findDeviceNames(tx: Tx, accountId: AccountId): Promise<string[]> {
  const rows = await tx.query<{ device: string }>(SELECT_DEVICES, [accountId])
  return rows.map((row) => row.device)
}

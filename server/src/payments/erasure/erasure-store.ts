// Finds, marks and erases old payments, in the order of their ids. An id begins with the creation time, so the index of the
// ids also finds payments by age. Marking a payment (erase.ts) means to store a hash of its customId before the customId is
// erased.
import type { Queryable, Tx } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'

export interface Progress {
  /** The id of the last payment that the marking has passed. */
  markedTo: string
  /** Whether `markedTo` was last moved so long ago that every statement from before the move has ended. */
  isMarkSettled: boolean
  /** The id of the last payment that the erasure has passed. */
  erasedTo: string
}

/** Twelve times `statement_timeout`, so that every statement from before the marking has ended. */
const MARK_SETTLED_SEC = 60

const LOCK = statement(
  'erasure.lock',
  `select marked_to, erased_to, marked_at <= now() - interval '${MARK_SETTLED_SEC} seconds' as settled
   from erasure_progress for update skip locked`,
)

/** Null: another process is erasing. */
export async function lockProgress(tx: Tx): Promise<Progress | null> {
  type Row = { marked_to: string; erased_to: string; settled: boolean }
  const [row] = await tx.query<Row>(LOCK)
  if (!row) return null
  return { markedTo: row.marked_to, isMarkSettled: row.settled, erasedTo: row.erased_to }
}

const SET_MARKED = statement(
  'erasure.set_marked',
  'update erasure_progress set marked_to = $1, marked_at = now()',
)

export async function setMarked(tx: Tx, to: string): Promise<void> {
  await tx.query(SET_MARKED, [to])
}

const SET_ERASED = statement('erasure.set_erased', 'update erasure_progress set erased_to = $1')

export async function setErased(tx: Tx, to: string): Promise<void> {
  await tx.query(SET_ERASED, [to])
}

export interface ErasablePayment {
  id: string
  projectId: string
  mode: string
  customId: string | null
  hasTexts: boolean
  /** The payment has a hash of its customId, or it has no customId. */
  isMarked: boolean
}

interface ErasableRow {
  id: string
  project_id: string
  mode: string
  custom_id: string | null
  has_texts: boolean
  is_marked: boolean
}

const COLUMNS = `t.id, t.project_id, t.mode, t.custom_id, t.custom_id is not null or t.data is not null as has_texts,
  t.custom_id is null or t.custom_id_hash is not null as is_marked`

function toErasable(row: ErasableRow): ErasablePayment {
  const { id, mode } = row
  return {
    id,
    mode,
    projectId: row.project_id,
    customId: row.custom_id,
    hasTexts: row.has_texts,
    isMarked: row.is_marked,
  }
}

/**
 * The age of a payment counts from its end, but payments are read in the order of their creation. Most payments end
 * within this time after their creation, so most can be erased when they are read.
 */
const WALK_MARGIN = "interval '1 hour'"

const lowestYoungId = (days: string) =>
  `(lpad(to_hex((extract(epoch from now() - make_interval(days => ${days}) - ${WALK_MARGIN}) * 1000)::bigint), 12, '0')
       || repeat('0', 20))::uuid`

/**
 * SQL: adds the ids to `erasure_waiting` if their payments are older than a day, because the erasure may already have
 * passed these payments. The erasure reaches newer payments later.
 */
export const addIfPassed = (ids: string) =>
  `insert into erasure_waiting (transaction_id) select id from ${ids} where id < ${lowestYoungId('1')}`

const LIST_TO_MARK = statement(
  'erasure.list_to_mark',
  `select ${COLUMNS} from transactions t where t.id > $1 and t.id < ${lowestYoungId('$2')}
   order by t.id limit $3`,
)

export async function listToMark(
  tx: Tx,
  after: string,
  retentionDays: number,
  limit: number,
): Promise<ErasablePayment[]> {
  return (await tx.query<ErasableRow>(LIST_TO_MARK, [after, retentionDays, limit])).map(toErasable)
}

const MARK = statement(
  'erasure.mark',
  `update transactions t set custom_id_hash = given.hash from unnest($1::uuid[], $2::bytea[]) as given(id, hash)
   where t.id = given.id and t.custom_id_hash is null`,
)

export async function markWithHashes(tx: Tx, marks: readonly { id: string; hash: Buffer }[]): Promise<void> {
  await tx.query(MARK, [marks.map(({ id }) => id), marks.map(({ hash }) => hash)])
}

const LIST_MARKED = statement(
  'erasure.list_marked',
  `select ${COLUMNS} from transactions t where t.id > $1 and t.id <= $2 order by t.id limit $3`,
)

export async function listMarked(
  tx: Tx,
  after: string,
  to: string,
  limit: number,
): Promise<ErasablePayment[]> {
  return (await tx.query<ErasableRow>(LIST_MARKED, [after, to, limit])).map(toErasable)
}

const LIST_WAITING = statement(
  'erasure.list_waiting',
  `with due as (select transaction_id from erasure_waiting where checked_at <= now() - interval '10 minutes'
     order by checked_at limit $1)
   select ${COLUMNS} from due join transactions t on t.id = due.transaction_id order by t.id`,
)

export async function listWaiting(tx: Tx, limit: number): Promise<ErasablePayment[]> {
  return (await tx.query<ErasableRow>(LIST_WAITING, [limit])).map(toErasable)
}

const FIND_ENDED = statement(
  'erasure.find_ended',
  `select t.id from transactions t where t.id = any($1::uuid[]) and not t.needs_review
     and t.completed_at < now() - make_interval(days => $2)
     and not exists (select from incidents i where i.transaction_id = t.id and i.closed_at is null)
   for update of t`,
)

export async function lockEnded(tx: Tx, ids: readonly string[], retentionDays: number): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(FIND_ENDED, [ids, retentionDays])
  return new Set(rows.map(({ id }) => id))
}

const ERASE = statement(
  'erasure.erase',
  `update transactions set custom_id = null, data = null, erased_at = now() where id = any($1::uuid[])`,
)

export async function erasePaymentTexts(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(ERASE, [ids])
}

const ADD_WAITING = statement(
  'erasure.add_waiting',
  `insert into erasure_waiting (transaction_id) select unnest($1::uuid[])
   on conflict (transaction_id) do update set checked_at = now()`,
)
const REMOVE_WAITING = statement(
  'erasure.remove_waiting',
  'delete from erasure_waiting where transaction_id = any($1::uuid[])',
)

export async function setWaiting(
  tx: Tx,
  change: { waiting: readonly string[]; done: readonly string[] },
): Promise<void> {
  if (change.waiting.length > 0) await tx.query(ADD_WAITING, [change.waiting])
  if (change.done.length > 0) await tx.query(REMOVE_WAITING, [change.done])
}

const COUNT_DUE = statement(
  'erasure.count_due',
  `select (select count(*) from (select from transactions t where t.id > (select erased_to from erasure_progress)
       and t.id < ${lowestYoungId('$1')} and (t.custom_id is not null or t.data is not null) limit $2) old)::integer
     + (select count(*) from (select from erasure_waiting limit $2) waiting)::integer as count`,
)

/** Counts at most `max` payments that the erasure has not reached yet, and at most `max` waiting payments. */
export async function countTextsDue(db: Queryable, retentionDays: number, max: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT_DUE, [retentionDays, max])
  return row!.count
}

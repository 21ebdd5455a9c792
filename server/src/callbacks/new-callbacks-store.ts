// With compact storage, a new callback is stored as if its first attempt had been accepted, because nearly all first
// attempts are. A row in `new_callbacks` marks the callback as new: it is in fact still pending. When the first attempt is
// accepted, record-store.ts deletes this row. Before anything else changes a new callback, the callback is stored as pending
// and the row is deleted. Order of locks: the row in `new_callbacks` first, then the callback.
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

/** SQL: always true. With this condition the planner uses the primary key of the table, and not the index new_callbacks_due. */
const BY_KEY = 'n.mode::varchar is not null'

/** SQL: true if the callback with this alias is new, so that it is stored as delivered but is still pending. */
export const isNew = (alias: string) =>
  `exists (select from new_callbacks n where n.project_id = ${alias}.project_id and n.id = ${alias}.id and ${BY_KEY} offset 0)`

/**
 * SQL: joins the row in `new_callbacks` of each callback. The column `at` is the row's place in the table (its ctid). A
 * statement that deletes rows by their place never scans the table.
 */
export const joinNew = (alias: string) => `cross join lateral (select n.ctid as at from new_callbacks n
     where n.project_id = ${alias}.project_id and n.id = ${alias}.id and ${BY_KEY} offset 0) as n`

/** SQL: deletes the rows in `new_callbacks` of the callbacks that `found` lists. */
export const deleteNew = (found: string) =>
  `delete from new_callbacks where ctid = any (array(select n.at from ${found} f ${joinNew('f')}))`

/** SQL: the end of the accepted first attempt, for a callback without a stored time of delivery. */
export const toDeliveredAt = (
  alias: string,
) => `(select a.started_at + coalesce(a.duration_ms, 0) * interval '1 millisecond'
     from callback_attempts a where a.project_id = ${alias}.project_id and a.callback_id = ${alias}.id and a.attempt = 1
       and a.outcome = 'delivered')`

/**
 * SQL: the columns that depend on the storage form. In compact storage, a callback is inserted as if its first attempt had
 * been accepted.
 */
export const STORED_COLUMNS = 'status, attempts, last_outcome'
export const STORED_VALUES = `case when s.is_compact then 'delivered' else 'pending' end, case when s.is_compact then 1 else 0 end,
  case when s.is_compact then 'delivered' end`
/**
 * SQL: joins the setting of compact storage as `is_compact`. The statement that inserts callbacks reads the setting, so that
 * a change takes effect immediately.
 */
export const WITH_STORAGE = `left join lateral (select compact_callbacks as is_compact from installation where is_only) s on true`
/** SQL: adds a row for each callback that `added` has inserted in the compact form. */
export const insertNew = (added: string) => `insert into new_callbacks (project_id, id, mode)
     select project_id, id, mode from ${added} where attempts = 1`
export const ADDED = 'project_id, id, mode, attempts'

/** SQL: stores the new callbacks among the found ones as pending. `found` is a query that selects project_id and id. */
const toStorePending = (found: string) => `with found as materialized (${found}),
   gone as (${deleteNew('found')} returning project_id, id)
   update callbacks c set status = 'pending', attempts = 0, last_outcome = null
   from (select unnest(array(select project_id from gone)) as project_id, unnest(array(select id from gone)) as id) g
   where c.project_id = g.project_id and c.id = g.id returning 1`

const STORE_PENDING = statement(
  'new_callbacks.store_pending',
  toStorePending('select $1::text as project_id, unnest($2::text[]) as id'),
)

/** Changes only the callbacks that are new. */
export async function storePending(db: Queryable, projectId: string, ids: readonly string[]): Promise<void> {
  await db.query(STORE_PENDING, [projectId, ids])
}

const STORE_PENDING_OF = statement(
  'new_callbacks.store_pending_of',
  toStorePending(
    'select project_id, id from callbacks where transaction_id = any($1::uuid[]) order by project_id, id',
  ),
)

export async function storePendingOf(db: Queryable, transactionIds: readonly string[]): Promise<void> {
  await db.query(STORE_PENDING_OF, [transactionIds])
}

/** The batch is small, so that no lock is held for long. */
const STORE_BATCH = 500

// Locked rows are skipped, because two statements with many rows each could deadlock.
const STORE_OLD_PENDING = statement(
  'new_callbacks.store_old_pending',
  toStorePending(`select n.project_id, n.id from callback_lanes l cross join lateral (
     select project_id, id from new_callbacks n where n.project_id = l.project_id and n.mode = l.mode
       and n.created_at < now() - make_interval(days => $1::integer)
     order by n.created_at limit ${STORE_BATCH} for update skip locked) n
   where l.failures_in_row > 0 limit ${STORE_BATCH}`),
)

/**
 * Stores new callbacks of failing lanes as pending if they are older than `days`. Only a callback that is stored as pending
 * can be given up. Changes at most one batch, and returns how many callbacks it changed.
 */
export async function storeOldPending(db: Queryable, days: number): Promise<number> {
  return (await db.query(STORE_OLD_PENDING, [days])).length
}

const STORE_ANY_PENDING = statement(
  'new_callbacks.store_any_pending',
  toStorePending(`select project_id, id from new_callbacks limit ${STORE_BATCH} for update skip locked`),
)

export async function storeAnyPending(db: Queryable): Promise<number> {
  return (await db.query(STORE_ANY_PENDING)).length
}

const HAS_ANY = statement('new_callbacks.has_any', 'select from new_callbacks limit 1')

export async function hasNewCallbacks(db: Queryable): Promise<boolean> {
  return (await db.query(HAS_ANY)).length > 0
}

export interface WalkPlace {
  projectId: string
  id: string
}

const FILL_BATCH = 1_000

const FILL_TIMES = statement(
  'new_callbacks.fill_times',
  `with page as materialized (
     select project_id, id from callbacks where (project_id, id) > ($1, $2) order by project_id, id limit ${FILL_BATCH}
   ), filled as (
     update callbacks c set delivered_at = coalesce(${toDeliveredAt('c')}, c.created_at) from page p
     where c.project_id = p.project_id and c.id = p.id and c.status = 'delivered' and c.delivered_at is null and not ${isNew('c')}
     returning 1
   )
   select project_id as "projectId", id from page cross join (select count(*) from filled) as done
   order by project_id desc, id desc limit 1`,
)

/**
 * Stores the missing delivery times in one batch of callbacks, because earlier releases do not compute them. Returns the last
 * callback of the batch. Null: there was no callback after `after`.
 */
export async function fillDeliveryTimes(db: Queryable, after: WalkPlace | null): Promise<WalkPlace | null> {
  const [last] = await db.query<WalkPlace>(FILL_TIMES, [after?.projectId ?? '', after?.id ?? ''])
  return last ?? null
}

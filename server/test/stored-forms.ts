// Callbacks are stored in one of two forms. In the compact form, a new callback is stored as delivered
// (callbacks/new-callbacks-store.ts). In the form of earlier releases, a new callback is stored as pending. Test databases
// begin with the compact form.
import type { Db, Queryable, Tx } from '../src/db/pool.ts'
import { rows } from './accounts.ts'
import { until } from './until.ts'

/** Sets the form of the callbacks that are inserted from now on. */
export async function setCompact(db: Queryable, isCompact: boolean): Promise<void> {
  await rows(db, 'update installation set compact_callbacks = $1', [isCompact])
}

const STORE_NEW_AS_PENDING = `with gone as (delete from new_callbacks returning project_id, id)
  update callbacks c set status = 'pending', attempts = 0, last_outcome = null from gone g
  where c.project_id = g.project_id and c.id = g.id`

/** Runs SQL that changes callbacks. First, new callbacks are stored as pending, so that the SQL sees their real state. */
export async function changeCallbacks<Row extends object = Record<string, unknown>>(
  db: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  await rows(db, STORE_NEW_AS_PENDING)
  return rows<Row>(db, text, values)
}

export async function listNewIds(db: Queryable): Promise<string[]> {
  return (await rows<{ id: string }>(db, 'select id from new_callbacks order by id')).map(({ id }) => id)
}

/** Callbacks whose rows contradict each other. A callback stored as delivered must be new or have an accepted attempt. */
export async function findUnsound(db: Queryable): Promise<{ fault: string; id: string }[]> {
  return rows(
    db,
    `select 'delivered, but neither new nor accepted' as fault, c.id from callbacks c where c.status = 'delivered'
       and not exists (select from new_callbacks n where n.project_id = c.project_id and n.id = c.id)
       and not exists (select from callback_attempts a where a.project_id = c.project_id and a.callback_id = c.id
         and a.outcome = 'delivered')
     union all
     select 'new, but not stored as such', n.id from new_callbacks n left join callbacks c
       on c.project_id = n.project_id and c.id = n.id
     where (c.status, c.attempts, c.last_outcome, c.mode, c.created_at, c.trigger)
       is distinct from ('delivered', 1, 'delivered', n.mode, n.created_at, 'auto') or c.delivered_at is not null
     union all
     select 'new, but attempted', n.id from new_callbacks n
     where exists (select from callback_attempts a where a.project_id = n.project_id and a.callback_id = n.id)`,
  )
}

/** Starts the work while a transaction holds the locks that `hold` takes. The transaction ends when the work waits for them. */
export async function whileHeld<T>(
  db: Db,
  hold: (tx: Tx) => Promise<unknown>,
  start: () => Promise<T>,
): Promise<T> {
  const work = await db.transaction(async (tx) => {
    await hold(tx)
    const started = start()
    // The caller gets the error later.
    started.catch(() => undefined)
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await until(async () => (await rows(db, isWaiting)).length > 0, 'the work waits for the lock')
    return { started }
  })
  return work.started
}

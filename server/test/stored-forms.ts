// The two ways in which callbacks are stored: compact, where a new callback is stored as delivered (see
// callbacks/new-callbacks-store.ts), and as earlier releases do. Test databases begin with the first.
import type { Db, Queryable, Tx } from '../src/db/pool.ts'
import { rows } from './accounts.ts'
import { until } from './until.ts'

/** What the callbacks that are inserted from now on are stored as. */
export async function setCompact(db: Queryable, isCompact: boolean): Promise<void> {
  await rows(db, 'update installation set compact_callbacks = $1', [isCompact])
}

const STORE_NEW_AS_PENDING = `with gone as (delete from new_callbacks returning project_id, id)
  update callbacks c set status = 'pending', attempts = 0, last_outcome = null from gone g
  where c.project_id = g.project_id and c.id = g.id`

/**
 * Runs SQL that changes callbacks. A new one is stored as delivered, so all new ones are first stored as pending, which does
 * not change what is true of them. Tests read callbacks from `callback_states`.
 */
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

/**
 * Callbacks whose rows contradict each other. A callback that is stored as delivered is either new or has an attempt that
 * arrived, unless tests or retention have deleted its attempts. A new one has no attempt and is stored as its first will leave it.
 */
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

/** Starts the work while a transaction holds the locks of `hold`. The transaction ends once the work waits for these locks. */
export async function whileHeld<T>(
  db: Db,
  hold: (tx: Tx) => Promise<unknown>,
  start: () => Promise<T>,
): Promise<T> {
  const work = await db.transaction(async (tx) => {
    await hold(tx)
    const started = start()
    // No error is lost: the caller awaits the work after the lock has ended.
    started.catch(() => undefined)
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await until(async () => (await rows(db, isWaiting)).length > 0, 'the work waits for the lock')
    return { started }
  })
  return work.started
}

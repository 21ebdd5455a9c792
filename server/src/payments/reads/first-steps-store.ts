import type { FirstStepsView } from '@pazar/contract'
import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import { isNew } from '../../callbacks/new-callbacks-store.ts'
import { hasProvedSecret } from '../../secrets/secrets-store.ts'

const hasPaid = (modes: string) =>
  `exists (select from transaction_counts where project_id = $1 and mode = any (${modes}) and state = 'succeeded'
     and ended > 0)`

/**
 * Callbacks in new_callbacks are stored as delivered, but they still wait for delivery. To find one that was really
 * delivered, at most this many of the newest callbacks are read in each mode. So a long queue costs little.
 */
const STORED_MAX = 200

// Any delivered callback would do, but a query without an order could scan the table.
const READ = statement(
  'first_steps.read',
  `select ${hasPaid(`array['test', 'live']`)} as payment, ${hasPaid(`array['live']`)} as live,
     exists (select from unnest(array['test', 'live']) as m(mode) cross join lateral (
       select from (
         select c.project_id, c.id from callbacks c where project_id = $1 and mode = m.mode and status = 'delivered'
         order by created_at desc, id desc limit ${STORED_MAX}) as c
       where not ${isNew('c')} limit 1) as newest) or exists (
     -- A callback that is stored as delivered and older than all in new_callbacks was really delivered.
     select from unnest(array['test', 'live']) as m(mode) cross join lateral (
       select created_at from new_callbacks n where n.mode = m.mode and n.project_id = $1 order by created_at limit 1) as first
     cross join lateral (select from callbacks where project_id = $1 and mode = m.mode and status = 'delivered'
       and created_at < first.created_at order by created_at desc, id desc limit 1) as newest) as callback,
     ${hasProvedSecret('$1')} as signature`,
)

export async function readFirstSteps(db: Queryable, projectId: string): Promise<FirstStepsView> {
  const [row] = await db.query<FirstStepsView>(READ, [projectId])
  return row!
}

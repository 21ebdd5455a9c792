import type { FirstStepsView } from '@pazar/contract'
import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import { hasProvedSecret } from '../../secrets/secrets-store.ts'

const hasPaid = (modes: string) =>
  `exists (select from transaction_counts where project_id = $1 and mode = any (${modes}) and state = 'succeeded'
     and ended > 0)`

// Any callback would do, but the newest one is read with one step in the index. A query without an order could scan the
// table.
const READ = statement(
  'first_steps.read',
  `select ${hasPaid(`array['test', 'live']`)} as payment, ${hasPaid(`array['live']`)} as live,
     exists (select from unnest(array['test', 'live']) as m(mode) cross join lateral (
       select from callbacks where project_id = $1 and mode = m.mode and status = 'delivered'
       order by created_at desc, id desc limit 1) as newest) as callback,
     ${hasProvedSecret('$1')} as signature`,
)

export async function readFirstSteps(db: Queryable, projectId: string): Promise<FirstStepsView> {
  const [row] = await db.query<FirstStepsView>(READ, [projectId])
  return row!
}

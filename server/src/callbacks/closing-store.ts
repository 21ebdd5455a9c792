import { mode } from '@pazar/contract'
import type { Mode } from '@pazar/contract'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { QUEUED_ARRAY } from './callback.ts'
import { deleteNew } from './new-callbacks-store.ts'

// Searches each project and mode separately, because the indexes begin with these two columns.
const HAS_QUEUED = statement(
  'callbacks.has_queued',
  `select from unnest($1::text[]) as p(id) cross join unnest($2::text[]) as m(mode)
     cross join unnest(${QUEUED_ARRAY}) as s(status)
     cross join lateral (select from callbacks c where c.project_id = p.id and c.mode = m.mode and c.status = s.status
       order by c.created_at desc, c.id desc limit 1) as newest
   union all
   select from unnest($1::text[]) as p(id) cross join unnest($2::text[]) as m(mode)
     cross join lateral (select from new_callbacks n where n.mode = m.mode and n.project_id = p.id
       order by n.created_at limit 1) as newest
   limit 1`,
)

export async function hasQueuedCallbacks(
  db: Queryable,
  projectIds: readonly string[],
  modes: readonly Mode[] = mode.options,
): Promise<boolean> {
  return (await db.query(HAS_QUEUED, [projectIds, modes])).length > 0
}

// The rows in `new_callbacks` are deleted first, because of the order of locks (new-callbacks-store.ts).
const DELETE_NEW_OF_PAYMENTS = statement(
  'new_callbacks.delete_of_payments',
  `with found as materialized (select project_id, id from callbacks where transaction_id = any($1::uuid[]))
   ${deleteNew('found')}`,
)
const DELETE_OF_PAYMENTS = statement(
  'callbacks.delete_of_payments',
  'delete from callbacks where transaction_id = any($1::uuid[])',
)

export async function deleteCallbacksOf(tx: Tx, transactionIds: readonly string[]): Promise<void> {
  await tx.query(DELETE_NEW_OF_PAYMENTS, [transactionIds])
  await tx.query(DELETE_OF_PAYMENTS, [transactionIds])
}

const DELETE_NEW_OF_PROJECT = statement(
  'new_callbacks.delete_of_project',
  'delete from new_callbacks where project_id = $1',
)
const DELETE_OF_PROJECT = statement(
  'callbacks.delete_of_project',
  `delete from callbacks where ctid = any (array(select ctid from callbacks where project_id = $1 limit $2)) returning 1`,
)

/** Returns how many callbacks were deleted. Fewer than the limit means that the project has no more. */
export async function deleteCallbacksOfProject(tx: Tx, projectId: string, limit: number): Promise<number> {
  await tx.query(DELETE_NEW_OF_PROJECT, [projectId])
  return (await tx.query(DELETE_OF_PROJECT, [projectId, limit])).length
}

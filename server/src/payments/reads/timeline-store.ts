import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'

export interface TimelineFacts {
  atBankAt: Date | null
  callbackIds: string[]
}

/** A payment with its refunds and disputes rarely has more callbacks. */
const CALLBACKS_MAX = 50

const FIND = statement(
  'payments.timeline',
  `select t.action_at, array(select c.id from callbacks c where c.transaction_id = t.id
     order by c.created_at, c.id limit ${CALLBACKS_MAX}) as callback_ids
   from transactions t where t.id = $2 and t.project_id = $1`,
)

/** Null: the project has no such payment. */
export async function findTimelineFacts(
  db: Queryable,
  projectId: string,
  transactionId: string,
): Promise<TimelineFacts | null> {
  const [row] = await db.query<{ action_at: Date | null; callback_ids: string[] }>(FIND, [
    projectId,
    transactionId,
  ])
  return row ? { atBankAt: row.action_at, callbackIds: row.callback_ids } : null
}

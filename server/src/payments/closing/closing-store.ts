import type { Queryable, Tx } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'

// There is one subquery per project, mode and state, because the index begins with these columns. A payment with an
// open incident counts as open too.
const HAS_OPEN = statement(
  'closing.has_open_payments',
  `select 1 from unnest($1::text[]) as p(id) cross join unnest(array['live', 'test']) as m(mode)
     cross join unnest(array['processing', 'requires_action']) as s(state)
     cross join lateral (select from transactions t where t.project_id = p.id and t.mode = m.mode and t.state = s.state
       order by t.created_at desc, t.id desc limit 1) as newest
   union all
   select 1 from incidents i join transactions t on t.id = i.transaction_id
   where i.closed_at is null and t.project_id = any($1::text[])
   limit 1`,
)

export async function hasOpenPayments(db: Queryable, projectIds: readonly string[]): Promise<boolean> {
  return (await db.query(HAS_OPEN, [projectIds])).length > 0
}

const HAS_LIVE = statement(
  'closing.has_live_payments',
  `select from transactions where project_id = $1 and mode = 'live' order by created_at desc, id desc limit 1`,
)

export async function hasLivePayments(db: Queryable, projectId: string): Promise<boolean> {
  return (await db.query(HAS_LIVE, [projectId])).length > 0
}

const LIST_TEST = statement(
  'closing.list_test_payments',
  `select id from transactions where project_id = $1 and mode = 'test' order by created_at desc, id desc limit $2`,
)

export async function listTestPayments(tx: Tx, projectId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(LIST_TEST, [projectId, limit])
  return rows.map(({ id }) => id)
}

const DELETE_INCIDENTS = statement(
  'closing.delete_incidents',
  'delete from incidents where transaction_id = any($1::uuid[])',
)
const DELETE_PAYMENTS = statement(
  'closing.delete_payments',
  `delete from transactions where id = any($1::uuid[]) and mode = 'test'`,
)

/** The callbacks of these payments must be deleted first. */
export async function deleteTestPayments(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(DELETE_INCIDENTS, [ids])
  await tx.query(DELETE_PAYMENTS, [ids])
}

// Erases customId and data from callbacks. Also erases the stored responses of merchants' servers and the requests in the
// inboxes of projects (inbox.ts), because both may repeat these texts.
import type { CallbackStatus } from '@pazar/contract'
import type { Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { QUEUED_ARRAY, QUEUED_STATES } from './callback.ts'
import { isNew, storePendingOf } from './new-callbacks-store.ts'

// The rows are locked, so that no callback can be resent before the erasure.
const LOCK_QUEUED = statement(
  'callbacks.lock_for_erasure',
  `select transaction_id::text as id, status from callbacks where transaction_id = any($1::uuid[])
   order by project_id, id for update`,
)

/** Returns the payments with a callback that is still to be delivered. */
export async function lockQueuedOf(tx: Tx, transactionIds: readonly string[]): Promise<Set<string>> {
  await storePendingOf(tx, transactionIds)
  const rows = await tx.query<{ id: string; status: CallbackStatus }>(LOCK_QUEUED, [transactionIds])
  return new Set(rows.filter(({ status }) => QUEUED_STATES.includes(status)).map(({ id }) => id))
}

const FIND_QUEUED_ORDERS = statement(
  'callbacks.find_queued_orders',
  // The caller passes one entry per payment, so an order can be in several entries. Each order is searched for once.
  `with requested as materialized (
     select project_id, mode, custom_id, array_agg(n::int) as places from unnest($1::text[], $2::text[], $3::text[])
       with ordinality as r(project_id, mode, custom_id, n) group by project_id, mode, custom_id)
   select unnest(places) as n from requested
   where exists (select from unnest(${QUEUED_ARRAY}) as s(status) cross join lateral (
     select from callbacks c where c.project_id = requested.project_id and c.mode = requested.mode and c.status = s.status
       and c.custom_id collate "C" = requested.custom_id limit 1) as queued)
     -- In compact storage, a new callback is stored as delivered although it is still queued.
     or exists (select from callbacks c where c.project_id = requested.project_id and c.mode = requested.mode
       and c.status = 'delivered' and c.custom_id collate "C" = requested.custom_id and ${isNew('c')})`,
)

export interface OrderName {
  projectId: string
  mode: string
  customId: string | null
}

export async function findQueuedOrders(tx: Tx, orders: readonly OrderName[]): Promise<boolean[]> {
  const column = (name: keyof OrderName) => orders.map((one) => one[name])
  const rows = await tx.query<{ n: number }>(FIND_QUEUED_ORDERS, [
    column('projectId'),
    column('mode'),
    column('customId'),
  ])
  const queued = new Set(rows.map(({ n }) => n))
  return orders.map((_, index) => queued.has(index + 1))
}

const ERASE_ATTEMPTS = statement(
  'callbacks.erase_attempts',
  `update callback_attempts a set error = null, response_excerpt = null from callbacks c
   where c.transaction_id = any($1::uuid[]) and a.project_id = c.project_id and a.callback_id = c.id
     and (a.error is not null or a.response_excerpt is not null)`,
)
const ERASE_INBOX = statement(
  'callbacks.erase_inbox',
  `delete from inbox_requests i using callbacks c
   where c.transaction_id = any($1::uuid[]) and i.project_id = c.project_id and i.callback_id = c.id`,
)
const ERASE = statement(
  'callbacks.erase',
  `update callbacks set custom_id = null, payload = payload || '{"customId": null, "data": null}', erased_at = now()
   where transaction_id = any($1::uuid[])`,
)

/** The callbacks must be locked, and none of them may be queued. */
export async function eraseCallbackTexts(tx: Tx, transactionIds: readonly string[]): Promise<void> {
  await tx.query(ERASE_ATTEMPTS, [transactionIds])
  await tx.query(ERASE_INBOX, [transactionIds])
  await tx.query(ERASE, [transactionIds])
}

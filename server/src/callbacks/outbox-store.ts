// The queue of callbacks. Each callback is written in the transaction of the change that it reports. So no callback is
// lost, and none reports something that did not happen.
import type { CallbackEventName, Mode } from '@pazar/contract'
import type { CallbackFacts } from '@pazar/sdk'
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { isResult, mayStart } from './callback.ts'
import type { StoredFacts } from './event-facts.ts'
import { toPayload } from './event-facts.ts'
import {
  ADDED,
  deleteNew,
  insertNew,
  STORED_COLUMNS,
  STORED_VALUES,
  WITH_STORAGE,
} from './new-callbacks-store.ts'

const IS_STOPPABLE = mayStart('cancel', 'c.status')

/**
 * SQL: stops the callbacks which `found` selects. Callbacks that were never delivered are cancelled, and the others are
 * `delivered` afterwards. `claim` stays, so that an attempt in flight is still recorded. In compact storage, a callback has
 * the status `delivered` even before its first attempt (new-callbacks-store.ts). The rows that are removed from
 * `new_callbacks` show which callbacks these are.
 */
const toStop = (found: string) => `stoppable as materialized (${found}),
   no_longer_new as (${deleteNew('stoppable')} returning id),
   stopped as (
     update callbacks c set lease_until = null,
       status = case when ${WAS_NEW} or (c.status <> 'delivered' and c.delivered_at is null) then 'cancelled' else 'delivered' end,
       attempts = case when ${WAS_NEW} then 0 else c.attempts end,
       last_outcome = case when ${WAS_NEW} then null else c.last_outcome end
     from stoppable f where c.project_id = f.project_id and c.id = f.id and ${IS_STOPPABLE})`
const WAS_NEW = 'c.id = any (array(select id from no_longer_new))'

// A late "fail" callback must not undo an order that another payment has paid. A "fail" that was given up is cancelled
// too, because a person could resend it. A delivered "fail" is only locked, so that a concurrent resend waits and is
// then refused.
const findFails = (
  ended: string,
  isSameOrder: string,
) => `select c.project_id, c.id from ${ended} e, callbacks c
     where e.state = 'succeeded' and c.project_id = e.project_id and c.mode = e.mode and ${isSameOrder}
       and c.result = 'fail' and c.transaction_id is not null and ${isResult('c')} and ${IS_STOPPABLE}`
const HAS_SAME_CUSTOM_ID = 'c.custom_id = e.custom_id and c.custom_id is not null'
const HAS_SAME_CHECKOUT = 'c.checkout_id = e.checkout_id'

/**
 * Parts of the statement that ends a payment. `ended` names a row set with project_id, id, mode, custom_id, checkout_id
 * and state. `$` has the placeholders for the values that `ended` lacks.
 */
export function toOutboxParts(ended: string, $: { id: string; result: string; payload: string }) {
  return {
    /** For a paid payment without a customId. Only its checkout connects this payment with the failed payments. */
    cancelSameCheckout: toStop(findFails(ended, HAS_SAME_CHECKOUT)),
    // One list for both searches, because two parts of a statement cannot change the same callback.
    cancelSameOrder: toStop(
      `${findFails(ended, HAS_SAME_CUSTOM_ID)} union ${findFails(ended, HAS_SAME_CHECKOUT)}`,
    ),
    insert: `added as (
     insert into callbacks (project_id, id, transaction_id, mode, result, custom_id, checkout_id, payload, ${STORED_COLUMNS})
     select e.project_id, ${$.id}, e.id, e.mode, ${$.result}, e.custom_id, e.checkout_id, ${$.payload}, ${STORED_VALUES}
     from ${ended} e ${WITH_STORAGE} returning ${ADDED}),
   queued as (${insertNew('added')})`,
  }
}

const CANCEL_EARLIER = statement(
  'callbacks.cancel_earlier',
  `with ${toStop(`select c.project_id, c.id from callbacks c where c.transaction_id = $1 and ${isResult('c')} and ${IS_STOPPABLE}`)}
   select`,
)

const paidOrder = `(select $1::text as project_id, $2::text as mode, $3::text as custom_id, $4::uuid as checkout_id,
  'succeeded' as state)`
const CANCEL_SAME_CUSTOM_ID = statement(
  'callbacks.cancel_same_custom_id',
  `with ${toStop(findFails(paidOrder, HAS_SAME_CUSTOM_ID))} select`,
)
const CANCEL_SAME_CHECKOUT = statement(
  'callbacks.cancel_same_checkout',
  `with ${toStop(findFails(paidOrder, HAS_SAME_CHECKOUT))} select`,
)

const INSERT_REVISION = statement(
  'callbacks.insert_revision',
  `with next as (select coalesce(max(revision) + 1, 1) as revision from callbacks c where transaction_id = $3 and ${isResult('c')}),
   added as (
     insert into callbacks (project_id, id, transaction_id, mode, result, custom_id, checkout_id, payload, revision, ${STORED_COLUMNS})
     select $1, $2, $3, $4, $5, $6, $7, $8, revision, ${STORED_VALUES} from next ${WITH_STORAGE} returning ${ADDED})
   ${insertNew('added')}`,
)

/** The payment's row must be locked. */
export async function stopResults(tx: Tx, transactionId: string): Promise<void> {
  await tx.query(CANCEL_EARLIER, [transactionId])
}

const FIND_LAST_RESULT = statement(
  'callbacks.find_last_result',
  `select result from callbacks c where transaction_id = $1 and status <> 'cancelled' and ${isResult('c')}
   order by revision desc limit 1`,
)

export async function findLastResult(
  db: Queryable,
  transactionId: string,
): Promise<'success' | 'fail' | null> {
  const [row] = await db.query<{ result: 'success' | 'fail' }>(FIND_LAST_RESULT, [transactionId])
  return row?.result ?? null
}

export interface LaterResult {
  id: string
  checkoutId: string | null
  facts: CallbackFacts
}

/** The payment's row must be locked. A success also cancels undelivered failures of the same order or checkout. */
export async function replaceResult(tx: Tx, { id, checkoutId, facts }: LaterResult): Promise<void> {
  const { projectId, transactionId, mode, status } = facts
  const customId = facts.customId ?? null
  await stopResults(tx, transactionId)
  if (status === 'success') {
    await tx.query(CANCEL_SAME_CUSTOM_ID, [projectId, mode, customId, checkoutId])
    await tx.query(CANCEL_SAME_CHECKOUT, [projectId, mode, customId, checkoutId])
  }
  const payload = JSON.stringify(facts)
  await tx.query(INSERT_REVISION, [projectId, id, transactionId, mode, status, customId, checkoutId, payload])
}

export interface NewEvent {
  id: string
  event: Exclude<CallbackEventName, 'payment.result'>
  projectId: string
  transactionId: string
  refundId: string | null
  disputeId: string | null
  mode: Mode
  /** Null for disputes. */
  result: 'success' | 'fail' | null
  customId: string | null
  facts: StoredFacts
}

const INSERT_EVENT = statement(
  'callbacks.insert_event',
  `with next as (select coalesce(max(revision) + 1, 0) as revision from callbacks
     where transaction_id = $4 and event = $3 and coalesce(refund_id, dispute_id, transaction_id) = coalesce($5::uuid, $6::uuid)),
   added as (
     insert into callbacks (project_id, id, event, transaction_id, refund_id, dispute_id, mode, result, custom_id, payload, revision,
       ${STORED_COLUMNS})
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, revision, ${STORED_VALUES} from next ${WITH_STORAGE} returning ${ADDED})
   ${insertNew('added')}`,
)

/** The payment's row must be locked. The caller has checked that the project subscribes to the event. */
export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await tx.query(INSERT_EVENT, [
    event.projectId,
    event.id,
    event.event,
    event.transactionId,
    event.refundId,
    event.disputeId,
    event.mode,
    event.result,
    event.customId,
    JSON.stringify(toPayload(event.facts)),
  ])
}

// Joined through the projects, because the primary key of callbacks begins with the project.
const FIND_TRANSACTION = statement(
  'callbacks.find_transaction',
  `select c.transaction_id from projects p cross join lateral (
     select transaction_id from callbacks where project_id = p.id and id = $1 limit 1) c
   where c.transaction_id is not null`,
)

export async function findTransactionIdsOf(db: Queryable, callbackId: string): Promise<string[]> {
  const rows = await db.query<{ transaction_id: string }>(FIND_TRANSACTION, [callbackId])
  return rows.map((row) => row.transaction_id)
}

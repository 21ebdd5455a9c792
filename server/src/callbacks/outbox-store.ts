// The queue of callbacks. Each is written in the transaction of the change it reports; the result of a payment is even
// written by the statement that ends the payment. So no callback is lost, and none reports something that did not happen.
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
 * SQL: parts of a statement that stop the callbacks which `found` selects. A stopped callback is cancelled: it is not sent
 * any more and cannot be resent. If it was delivered it stays `delivered`. An attempt in flight is still recorded: `claim`
 * stays, only the lease ends. A new callback is stored as delivered, so its row in `new_callbacks` is removed first; if that
 * row is gone, the callback was delivered in that moment.
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

// A late "fail" callback must never undo an order that another payment has paid. A "fail" that was given up is cancelled
// too, because a person could resend it. A delivered "fail" stays as it is, but its row is locked: a person who resends
// it at the same moment waits, and is then refused.
const findFails = (
  ended: string,
  isSameOrder: string,
) => `select c.project_id, c.id from ${ended} e, callbacks c
     where e.state = 'succeeded' and c.project_id = e.project_id and c.mode = e.mode and ${isSameOrder}
       and c.result = 'fail' and c.transaction_id is not null and ${isResult('c')} and ${IS_STOPPABLE}`
const HAS_SAME_CUSTOM_ID = 'c.custom_id = e.custom_id and c.custom_id is not null'
const HAS_SAME_CHECKOUT = 'c.checkout_id = e.checkout_id'

/**
 * Parts of the statement that ends a payment, so that the payment and its callback are committed together. `ended` names a
 * row set with project_id, id, mode, custom_id, checkout_id and state. `$` has the statement's placeholders for the values
 * that this row set lacks.
 */
export function toOutboxParts(ended: string, $: { id: string; result: string; payload: string }) {
  return {
    /** Without a customId, only the browser knows that a failed payment and this one belong to the same checkout. */
    cancelSameCheckout: toStop(findFails(ended, HAS_SAME_CHECKOUT)),
    // One list of both: a callback that two parts of a statement change would be changed by one of them only.
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

/** Cancels the results of a payment that were not delivered. The payment's row must be locked. */
export async function stopResults(tx: Tx, transactionId: string): Promise<void> {
  await tx.query(CANCEL_EARLIER, [transactionId])
}

const FIND_LAST_RESULT = statement(
  'callbacks.find_last_result',
  `select result from callbacks c where transaction_id = $1 and status <> 'cancelled' and ${isResult('c')}
   order by revision desc limit 1`,
)

/** The newest result about a payment whose callback was not cancelled. Null if there is none. */
export async function findLastResult(
  db: Queryable,
  transactionId: string,
): Promise<'success' | 'fail' | null> {
  const [row] = await db.query<{ result: 'success' | 'fail' }>(FIND_LAST_RESULT, [transactionId])
  return row?.result ?? null
}

export interface LaterResult {
  id: string
  /** The checkout in which the payment was made. The payment's first callback has the same one. */
  checkoutId: string | null
  facts: CallbackFacts
}

/**
 * Adds another result of a payment that may already have one. Earlier results that were not delivered are cancelled, and a
 * success also cancels those of failed payments of the same order. The payment's row must be locked.
 */
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

/** A callback about a refund or a dispute of a payment. */
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

/**
 * Called in the transaction that makes the change, with the payment's row locked. The caller has checked that the project
 * subscribes to the event.
 */
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

/** The payment that a callback reports, as a list of at most one, because its caller in payments/reads/find.ts needs lists. */
export async function findTransactionIdsOf(db: Queryable, callbackId: string): Promise<string[]> {
  const rows = await db.query<{ transaction_id: string }>(FIND_TRANSACTION, [callbackId])
  return rows.map((row) => row.transaction_id)
}

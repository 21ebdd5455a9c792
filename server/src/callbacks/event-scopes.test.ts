// Callbacks about refunds and disputes name the same payment, order and project as the result of the payment does. Code
// that reads or changes results must ignore these callbacks.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import type { QueuedResult } from '../../test/queued-results.ts'
import { startTwoProjects } from '../../test/queued-results.ts'
import { findDeliveriesOfTransaction, findDeliveryOfTransaction } from '../deliveries/log-store.ts'
import { findAccepted, findAwaitedResult, markPayerReturned } from './await-delivery-store.ts'
import { findLostResults } from './lost-store.ts'
import { findLastResult, replaceResult, stopResults } from './outbox-store.ts'
import { isSuperseded } from './resend-store.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { db, projectId, newId, add, statusOf, toSuccess } = await startTwoProjects()

/**
 * Adds a callback about a refund and one about a dispute, and returns their ids. Each is first inserted as a result with this
 * `revision`, so no result of the payment may have the same `revision`.
 */
async function addEvents(fields: QueuedResult & { revision: number }): Promise<[string, string]> {
  const refund = await add(fields)
  await changeCallbacks(
    db,
    `update callbacks set event = 'refund.result', refund_id = gen_random_uuid(), revision = 9 where id = $1`,
    [refund.id],
  )
  const dispute = await add({ ...fields, payment: fields.payment ?? refund.payment })
  await changeCallbacks(
    db,
    `update callbacks set event = 'dispute.closed', dispute_id = gen_random_uuid(), revision = 9 where id = $1`,
    [dispute.id],
  )
  return [refund.id, dispute.id]
}

test('neither stopResults nor a later success cancels callbacks about refunds or disputes', async () => {
  const [customId, checkoutId] = ['order-1', randomUUID()]
  const paid = await add({ customId, checkoutId })
  const other = await add({ customId })
  const ofPaid = await addEvents({ payment: paid.payment, customId, revision: 2 })
  const ofOther = await addEvents({ payment: other.payment, customId, checkoutId, revision: 2 })
  await db.transaction((tx) => stopResults(tx, paid.payment))
  assert.equal(await statusOf(paid.id), 'cancelled')
  for (const id of ofPaid) assert.equal(await statusOf(id), 'pending')
  const facts = toSuccess(paid.payment, customId)
  await db.transaction((tx) => replaceResult(tx, { id: newId(), checkoutId, facts }))
  assert.equal(await statusOf(other.id), 'cancelled')
  for (const id of [...ofPaid, ...ofOther]) assert.equal(await statusOf(id), 'pending')
})

test('queries for the result of a payment do not find callbacks about refunds and disputes', async () => {
  const { id, payment } = await add({ status: 'delivered' })
  await addEvents({ payment, revision: 2, result: 'success', status: 'delivered' })
  assert.equal(await findLastResult(db, payment), 'fail')
  assert.equal((await findDeliveryOfTransaction(db, projectId, payment))?.delivery.id, id)
  assert.deepEqual(
    (await findDeliveriesOfTransaction(db, payment)).map((one) => one.id),
    [id],
  )
  assert.deepEqual(await findAccepted(db, [payment]), [{ id, status: 'delivered' }])
  await markPayerReturned(db, payment)
  const returned = 'select id from callback_states where payer_returned_at is not null'
  assert.deepEqual(await rows(db, returned), [{ id }])
})

test('if a payment has callbacks only about refunds and disputes, no result is awaited, and the result counts as lost', async () => {
  const [refund] = await addEvents({ revision: 1, result: 'success', status: 'delivered' })
  const [row] = await rows<{ payment: string }>(
    db,
    'select transaction_id as payment from callback_states where id = $1',
    [refund],
  )
  const { payment } = row!
  assert.equal(await findLastResult(db, payment), null)
  assert.equal(await findAwaitedResult(db, payment), null)
  assert.deepEqual(await findLostResults(db, [payment], 30), [{ transactionId: payment, callbackId: null }])
})

test('a successful refund does not supersede the callback about a failed payment, and a paid order does not supersede callbacks about refunds and disputes', async () => {
  const customId = 'order-1'
  const fail = await add({ customId, status: 'exhausted' })
  const refunded = await addEvents({ customId, revision: 1, result: 'success', status: 'delivered' })
  assert.equal(await isSuperseded(db, projectId, fail.id), false, 'only a refund succeeded')
  const paid = await add({ customId, result: 'success', status: 'delivered' })
  const failed = await addEvents({ payment: paid.payment, customId, revision: 2, status: 'exhausted' })
  assert.equal(await isSuperseded(db, projectId, fail.id), true)
  for (const id of [...refunded, ...failed]) assert.equal(await isSuperseded(db, projectId, id), false)
  // A later result of the payment replaces only its earlier result.
  await add({ payment: paid.payment, customId, revision: 20 })
  for (const id of failed) assert.equal(await isSuperseded(db, projectId, id), false)
  assert.equal(await isSuperseded(db, projectId, paid.id), true)
})

test('later callbacks about a refund and a dispute do not replace the result of their payment', async () => {
  const { id, payment } = await add({ result: 'success', status: 'delivered' })
  await addEvents({ payment, revision: 2, status: 'delivered' })
  assert.equal(await isSuperseded(db, projectId, id), false)
})

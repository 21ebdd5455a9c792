// Results, deletions and erasures change only the callbacks that they are about.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Mode } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { startTwoProjects } from '../../test/queued-results.ts'
import { insertPayments } from '../../test/transactions.ts'
import { deleteCallbacksOf, deleteCallbacksOfProject, hasQueuedCallbacks } from './closing-store.ts'
import { eraseCallbackTexts, findQueuedOrders, lockQueuedOf } from './erasure-store.ts'
import { findLostResults } from './lost-store.ts'
import { findLastResult, findTransactionIdsOf, replaceResult, stopResults } from './outbox-store.ts'

const { deps, db, projectId, otherId, newId, add, statusOf, toSuccess } = await startTwoProjects()

test('a success cancels the undelivered callbacks about failures of its order or checkout, and no others', async () => {
  const [customId, checkoutId] = ['order-1', randomUUID()]
  const paid = await add({ customId, checkoutId })
  const cancelled = [
    await add({ customId }),
    await add({ checkoutId }),
    await add({ customId, status: 'exhausted' }),
  ]
  const unaffected = [
    await add({ customId, mode: 'test' }),
    await add({ checkoutId, mode: 'test' }),
    await add({ customId, of: otherId }),
    await add({ checkoutId, of: otherId }),
    await add({ customId: 'order-2' }),
    await add({ checkoutId: randomUUID() }),
    await add({}),
    await add({ customId, result: 'success' }),
    await add({ customId, payment: null }),
  ]
  const delivered = await add({ customId, status: 'delivered' })
  const id = newId()
  const facts = toSuccess(paid.payment, customId)
  await db.transaction((tx) => replaceResult(tx, { id, checkoutId, facts }))
  for (const one of [paid, ...cancelled]) assert.equal(await statusOf(one.id), 'cancelled')
  for (const one of unaffected) assert.equal(await statusOf(one.id), 'pending')
  assert.equal(await statusOf(delivered.id), 'delivered')
  const [row] = await rows(
    db,
    'select status, result, revision, custom_id, checkout_id from callback_states where id = $1',
    [id],
  )
  assert.deepEqual(row, {
    status: 'pending',
    result: 'success',
    revision: 2,
    custom_id: customId,
    checkout_id: checkoutId,
  })
})

test('a later failure cancels the undelivered results of its own payment, and no others', async () => {
  const one = await add({ customId: 'order-1', result: 'success' })
  const other = await add({ customId: 'order-1' })
  await db.transaction((tx) => stopResults(tx, one.payment))
  assert.deepEqual([await statusOf(one.id), await statusOf(other.id)], ['cancelled', 'pending'])
})

test('the last result of a payment is the result of its latest callback that was not cancelled', async () => {
  const { payment } = await add({ status: 'delivered' })
  assert.equal(await findLastResult(db, payment), 'fail')
  await add({ payment, revision: 2, result: 'success', status: 'delivered' })
  assert.equal(await findLastResult(db, payment), 'success')
  await add({ payment, revision: 3, status: 'cancelled' })
  assert.equal(await findLastResult(db, payment), 'success')
  assert.equal(await findLastResult(db, randomUUID()), null)
})

test('a payment is found by the id of its callback; the id of a test callback finds no payment', async () => {
  const { id, payment } = await add()
  await add()
  assert.deepEqual(await findTransactionIdsOf(db, id), [payment])
  const testCallback = await add({ payment: null })
  assert.deepEqual(await findTransactionIdsOf(db, testCallback.id), [])
})

test('hasQueuedCallbacks finds pending callbacks of the given projects, in both modes, and no others', async () => {
  for (const status of ['delivered', 'exhausted', 'cancelled'] as const) await add({ status })
  await add({ of: otherId })
  assert.equal(await hasQueuedCallbacks(db, [projectId]), false)
  assert.equal(await hasQueuedCallbacks(db, [projectId, otherId]), true)
  await add({ mode: 'test' })
  assert.equal(await hasQueuedCallbacks(db, [projectId]), true)
})

test('deleteCallbacksOf and deleteCallbacksOfProject delete only the requested callbacks, and the attempts of these callbacks', async () => {
  const [one, two, foreign] = [await add(), await add(), await add({ of: otherId })]
  await add({ payment: null })
  await rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome)
     select project_id, id, n, 'u', now(), 'timeout' from callback_states, generate_series(1, 2) n`,
  )
  const readAttempts = async () =>
    (await rows<{ id: string }>(db, 'select callback_id as id from callback_attempts')).map(({ id }) => id)
  await db.transaction((tx) => deleteCallbacksOf(tx, [one.payment]))
  assert.equal((await readAttempts()).length, 6)
  assert.equal((await readAttempts()).includes(one.id), false)
  const readRemaining = async () =>
    (await rows<{ id: string }>(db, 'select id from callback_states')).map(({ id }) => id)
  assert.equal((await readRemaining()).includes(one.id), false)
  assert.equal((await readRemaining()).length, 3)
  assert.equal(await db.transaction((tx) => deleteCallbacksOfProject(tx, projectId, 1)), 1)
  assert.equal(await db.transaction((tx) => deleteCallbacksOfProject(tx, projectId, 5)), 1)
  assert.deepEqual(await readRemaining(), [foreign.id])
  assert.equal((await readRemaining()).includes(two.id), false)
  assert.deepEqual(await readAttempts(), [foreign.id, foreign.id])
})

test('payments and orders with a queued callback are found, so that their data is not erased yet', async () => {
  const customId = 'order-1'
  const queued = await add({ customId })
  const delivered = await add({ status: 'delivered' })
  const toOrder = (orderProjectId: string, mode: Mode, orderId: string | null) => ({
    projectId: orderProjectId,
    mode,
    customId: orderId,
  })
  await db.transaction(async (tx) => {
    assert.deepEqual(await lockQueuedOf(tx, [queued.payment, delivered.payment]), new Set([queued.payment]))
    assert.deepEqual(
      await findQueuedOrders(tx, [
        toOrder(projectId, 'live', 'order-2'),
        toOrder(projectId, 'live', customId),
        toOrder(projectId, 'test', customId),
        toOrder(otherId, 'live', customId),
        toOrder(projectId, 'live', null),
      ]),
      [false, true, false, false, false],
    )
  })
})

test('erasing the data of given payments changes only their callbacks and the responses to these callbacks', async () => {
  const [erased, unchanged] = [await add({ customId: 'a' }), await add({ customId: 'b' })]
  for (const { id } of [erased, unchanged])
    await rows(
      db,
      `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome, error, response_excerpt)
       values ($1, $2, 1, 'https://shop.example.com/', now(), 'redirect', 'error', 'excerpt')`,
      [projectId, id],
    )
  await db.transaction((tx) => eraseCallbackTexts(tx, [erased.payment]))
  const read = (id: string) =>
    rows(
      db,
      `select c.custom_id, c.payload->>'customId' as in_payload, c.payload->>'data' as data, c.erased_at is not null as erased,
         a.error, a.response_excerpt as excerpt
       from callback_states c join callback_attempts a on a.callback_id = c.id where c.id = $1`,
      [id],
    )
  const erasedRow = {
    custom_id: null,
    in_payload: null,
    data: null,
    erased: true,
    error: null,
    excerpt: null,
  }
  assert.deepEqual(await read(erased.id), [erasedRow])
  const fullRow = {
    custom_id: 'b',
    in_payload: 'b',
    data: 'tekst',
    erased: false,
    error: 'error',
    excerpt: 'excerpt',
  }
  assert.deepEqual(await read(unchanged.id), [fullRow])
})

test('a result is lost if its payment has no callback, or if its last callback is marked as delivered without an accepted attempt', async () => {
  const [withoutCallback] = await insertPayments(deps, projectId, [{ state: 'failed' }])
  const withoutAttempt = await add({ status: 'delivered' })
  const failed = await add({ status: 'delivered' })
  const arrived = await add({ status: 'delivered' })
  const replaced = await add({ status: 'delivered' })
  await add({ payment: replaced.payment, revision: 2 })
  for (const [{ id }, outcome] of [
    [failed, 'timeout'],
    [arrived, 'delivered'],
  ] as const)
    await rows(
      db,
      `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome)
       values ($1, $2, 1, 'https://shop.example.com/', now(), $3)`,
      [projectId, id, outcome],
    )
  const waiting = await add()
  const payments = [withoutAttempt, failed, arrived, replaced, waiting].map(({ payment }) => payment)
  const lost = await findLostResults(db, [withoutCallback!, ...payments], 30)
  assert.deepEqual(
    lost.map(({ transactionId, callbackId }) => [transactionId, callbackId]).toSorted(),
    [
      [withoutCallback, null],
      [withoutAttempt.payment, withoutAttempt.id],
      [failed.payment, failed.id],
    ].toSorted(),
  )
})

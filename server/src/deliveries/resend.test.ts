// Resends of one callback. The sandbox declines a payment of 4000, so its callback reports a failure.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { CallbackView, Problem } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { listAttemptRows, readCallbackRow, queueCallbacks } from '../../test/deliveries.ts'
import { deliverAll, startDeliveryOwner } from '../../test/delivery-owner.ts'
import { respondWith } from '../../test/merchant.ts'
import { newOrder } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { isSuperseded, lockCallback, startNewRound } from '../callbacks/resend-store.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { merchant, service, owner, projectId, base, list } = await startDeliveryOwner()
const { deps } = service
const { db } = deps

const WAITS_FOR_LOCK = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`

test('a given-up callback is resent under the same id, and the whole retry schedule starts again', async () => {
  const [id] = await queueCallbacks(db, projectId)
  merchant.reply = respondWith(410)
  await deliverAll(deps)
  assert.equal((await readCallbackRow(db, id!)).status, 'exhausted')
  const response = await owner.post(`${base}/deliveries/${id}/resend`)
  assert.equal(response.status, 202, response.text)
  assert.equal(response.json<{ callback: CallbackView }>().callback.status, 'pending')
  merchant.reply = respondWith(500)
  await deliverAll(deps, 2)
  const row = await readCallbackRow(db, id!)
  assert.equal(row.status, 'pending')
  assert.ok(row.due_in_sec < 7, 'the first step of the schedule')
  assert.deepEqual(
    (await listAttemptRows(db, id!)).map((attempt) => [attempt.attempt, attempt.trigger]),
    [
      [1, 'auto'],
      [2, 'manual'],
    ],
  )
  assert.deepEqual(
    merchant.received.map((request) => request.id),
    [id, id],
  )
})

test('a delivered callback is resent only with confirmation, and stays delivered after a failed attempt', async () => {
  const [id] = await queueCallbacks(db, projectId)
  await deliverAll(deps)
  const { delivered_at: deliveredAt } = await readCallbackRow(db, id!)
  const refused = await owner.post(`${base}/deliveries/${id}/resend`)
  assert.deepEqual([refused.status, refused.code], [409, 'already_delivered'])
  assert.equal((await owner.post(`${base}/deliveries/${id}/resend`, { again: true })).status, 202)
  merchant.reply = respondWith(500)
  await deliverAll(deps, 2)
  const row = await readCallbackRow(db, id!)
  assert.deepEqual([row.status, row.delivered_at], ['delivered', deliveredAt])
  assert.deepEqual(
    (await listAttemptRows(db, id!)).map((attempt) => attempt.outcome),
    ['delivered', 'http_error'],
  )
})

test('a callback about a failure cannot be resent if its order was paid later', async () => {
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId: 'paid-later' }))
  await confirmPayment(deps, newOrder(projectId, { amount: 1500n, customId: 'paid-later' }))
  const [fail] = (await list('?status=cancelled')).items
  for (const body of [{}, { again: true }]) {
    const response = await owner.post(`${base}/deliveries/${fail!.id}/resend`, body)
    assert.deepEqual([response.status, response.code], [409, 'custom_id_conflict'])
    const { detail, errors } = response.json<Problem>()
    assert.deepEqual(
      errors!.map(({ code, message }) => [code, message]),
      [['overtaken', detail]],
    )
  }
  await deliverAll(deps)
  assert.deepEqual(
    merchant.received.map((request) => request.body['status']),
    ['success'],
  )
})

test('a delivered callback about a failure cannot be resent once its order is paid', async () => {
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId: 'second-try' }))
  await deliverAll(deps)
  const [fail] = (await list()).items
  assert.deepEqual([fail!.result, fail!.status], ['fail', 'delivered'])
  await confirmPayment(deps, newOrder(projectId, { amount: 1500n, customId: 'second-try' }))
  for (const status of ['pending', 'delivered']) {
    assert.equal(
      (await list('?q=second-try')).items.find((item) => item.result === 'success')!.status,
      status,
    )
    const response = await owner.post(`${base}/deliveries/${fail!.id}/resend`, { again: true })
    assert.deepEqual([response.status, response.code], [409, 'custom_id_conflict'])
    await deliverAll(deps)
  }
  assert.deepEqual(
    merchant.received.map((request) => request.body['status']),
    ['fail', 'success'],
  )
  assert.equal((await readCallbackRow(db, fail!.id)).status, 'delivered')
})

test('a callback about a failure of a paid order cannot be resent, whatever the state of the success callback', async () => {
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId: 'in-any-state' }))
  await deliverAll(deps)
  const [fail] = (await list()).items
  // A success callback that the owner sent as a test does not mean that the order is paid.
  const [tested] = await queueCallbacks(db, projectId, 1, { customId: 'in-any-state', trigger: 'test' })
  assert.equal(await isSuperseded(db, projectId, fail!.id), false)
  await rows(db, 'delete from callbacks where id = $1', [tested])
  await confirmPayment(deps, newOrder(projectId, { amount: 1500n, customId: 'in-any-state' }))
  for (const status of ['pending', 'sending', 'delivered', 'exhausted']) {
    await changeCallbacks(
      db,
      `update callbacks set status = $1, delivered_at = case $1 when 'delivered' then now() end,
         lease_until = case $1 when 'sending' then now() end where custom_id = 'in-any-state' and result = 'success'`,
      [status],
    )
    assert.equal(await isSuperseded(db, projectId, fail!.id), true, status)
  }
})

test('a delivered callback about a failure is not sent again if its order is paid while the resend is in progress', async () => {
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId: 'at-once' }))
  await deliverAll(deps)
  const [fail] = (await list()).items
  // This transaction locks the row as a resend does. Meanwhile the payment ends.
  const payment = Promise.withResolvers<unknown>()
  await db.transaction(async (tx) => {
    await lockCallback(tx, projectId, fail!.id)
    assert.equal(await isSuperseded(tx, projectId, fail!.id), false)
    confirmPayment(deps, newOrder(projectId, { amount: 1500n, customId: 'at-once' })).then(
      payment.resolve,
      payment.reject,
    )
    await until(async () => (await rows(db, WAITS_FOR_LOCK)).length > 0, 'the payment waits for the row')
    await startNewRound(tx, projectId, fail!.id)
  })
  await payment.promise
  assert.equal((await readCallbackRow(db, fail!.id)).status, 'delivered')
})

test('a callback about a failure can be resent while its order is unpaid, even if another order was paid', async () => {
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId: 'unpaid' }))
  await deliverAll(deps)
  const [fail] = (await list()).items
  await confirmPayment(deps, newOrder(projectId, { amount: 1500n, customId: 'unpaid-2' }))
  assert.equal((await owner.post(`${base}/deliveries/${fail!.id}/resend`, { again: true })).status, 202)
})

test('a live callback about a failure can be resent although the same order was paid in test mode, and vice versa', async () => {
  for (const [failed, paid] of [
    ['live', 'test'],
    ['test', 'live'],
  ] as const) {
    const customId = `fails ${failed}`
    await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId, mode: failed }))
    await confirmPayment(deps, newOrder(projectId, { amount: 1500n, customId, mode: paid }))
    await deliverAll(deps)
    const { items } = await list(`?mode=${failed}&q=${encodeURIComponent(customId)}`)
    assert.deepEqual(
      items.map((item) => [item.result, item.status]),
      [['fail', 'delivered']],
    )
    const response = await owner.post(`${base}/deliveries/${items[0]!.id}/resend`, { again: true })
    assert.equal(response.status, 202, response.text)
  }
})

test('when a checkout is paid, failures of other checkouts and of the other mode can still be resent', async () => {
  const checkoutId = randomUUID()
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, checkoutId, mode: 'test' }))
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, checkoutId: randomUUID() }))
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, checkoutId }))
  await confirmPayment(deps, newOrder(projectId, { amount: 1500n, checkoutId }))
  const { items } = await list()
  assert.deepEqual(
    items.map((item) => [item.mode, item.result, item.status]),
    [
      ['live', 'success', 'pending'],
      ['live', 'fail', 'cancelled'],
      ['live', 'fail', 'pending'],
      ['test', 'fail', 'pending'],
    ],
  )
  await deliverAll(deps)
  for (const { id } of items.slice(2))
    assert.equal((await owner.post(`${base}/deliveries/${id}/resend`, { again: true })).status, 202)
})

test('when an order is paid, its callback about a failure is cancelled, even after that callback was given up', async () => {
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId: 'given-up' }))
  merchant.reply = respondWith(410)
  await deliverAll(deps)
  await confirmPayment(deps, newOrder(projectId, { amount: 1500n, customId: 'given-up' }))
  assert.deepEqual(
    (await list('?mode=live')).items.map((item) => [item.result, item.status]),
    [
      ['success', 'pending'],
      ['fail', 'cancelled'],
    ],
  )
})

test('a callback whose data was erased is not resent', async () => {
  const [id] = await queueCallbacks(db, projectId)
  await deliverAll(deps)
  await changeCallbacks(db, 'update callbacks set erased_at = now() where id = $1', [id])
  const response = await owner.post(`${base}/deliveries/${id}/resend`, { again: true })
  assert.equal(response.status, 400, response.text)
  const [error] = response.json<{ errors: { path: string; code: string }[] }>().errors
  assert.deepEqual([error?.path, error?.code], ['callbackId', 'erased'])
})

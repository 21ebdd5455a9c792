import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { untilStatus } from '../../test/deliveries.ts'
import { accept, respondWith, startMerchant } from '../../test/merchant.ts'
import { listCallbacks, newOrder, startPayments } from '../../test/payments.ts'
import { startDeliveryWorker } from '../callbacks/worker-loop.ts'
import { checkCallbacks } from '../cli/check-callbacks.ts'
import { addCallbackProject } from '../../test/deliveries.ts'
import { insertPayments } from '../../test/transactions.ts'
import { confirmPayment } from './confirm.ts'
import { checkLostResults, reportLostResults } from './lost-results.ts'
import { CHECK_BATCH } from './lost-results-store.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const merchant = await startMerchant()
const { deps } = await startPayments({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { db } = deps
const projectId = await addCallbackProject(deps, merchant.url)
test.after(() => merchant.close())

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes, incidents, transactions cascade')
  Object.assign(merchant, { reply: accept, received: [] })
})

async function pay(customId: string | null = null): Promise<{ transactionId: string; callbackId: string }> {
  const confirmed = await confirmPayment(deps, newOrder(projectId, { customId }))
  assert.ok(confirmed.kind === 'payment')
  const { id: transactionId } = confirmed.payment
  const [callback] = await listCallbacks(db, transactionId)
  return { transactionId, callbackId: callback!.id }
}

async function deliver(callbackId: string, ...statuses: string[]): Promise<void> {
  const worker = startDeliveryWorker(deps)
  await untilStatus(db, callbackId, ...statuses)
  await worker.stop()
}

const listIncidents = () =>
  rows<{ kind: string; times: number; facts: Record<string, string> }>(
    db,
    'select kind, times, facts from incidents',
  )

test('a result is not reported as lost if its callback is waiting, failed, delivered, given up or cancelled', async () => {
  const delivered = await pay()
  await deliver(delivered.callbackId, 'delivered')
  merchant.reply = respondWith(410)
  const exhausted = await pay()
  await deliver(exhausted.callbackId, 'exhausted')
  merchant.reply = respondWith(500)
  const failed = await pay()
  await deliver(failed.callbackId, 'pending')
  const cancelled = await pay()
  await changeCallbacks(db, `update callbacks set status = 'cancelled' where id = $1`, [cancelled.callbackId])
  await pay()
  assert.deepEqual(await checkLostResults(deps), { checked: 5, lost: [] })
  assert.equal(await checkCallbacks.run(deps, []), 'Payments checked: 5. No result is missing.')
  assert.deepEqual(await listIncidents(), [])
})

test('a missing callback and a delivered callback without an attempt are reported in one incident', async () => {
  const withoutCallback = await pay()
  await rows(db, 'delete from callbacks where id = $1', [withoutCallback.callbackId])
  const withoutAttempt = await pay()
  await deliver(withoutAttempt.callbackId, 'delivered')
  await rows(db, 'delete from callback_attempts where callback_id = $1', [withoutAttempt.callbackId])
  const { lost } = await reportLostResults(deps)
  assert.deepEqual(lost, [{ transactionId: withoutCallback.transactionId, callbackId: null }, withoutAttempt])
  const printed = await checkCallbacks.run(deps, [])
  assert.ok(typeof printed !== 'string' && printed.exitCode === 1)
  assert.match(
    printed.text,
    new RegExp(
      `Payments checked: 2\\. Missing results: 2\n[^]*${withoutCallback.transactionId} +no callback`,
    ),
  )
  const facts = { count: '2', payment: withoutCallback.transactionId, callback: null }
  // The check and the command have each raised the incident.
  assert.deepEqual(await listIncidents(), [{ kind: 'callbacks_lost', times: 2, facts }])
})

test('a delivered result whose attempts were deleted because of their age is not reported as lost', async () => {
  const { callbackId } = await pay()
  await deliver(callbackId, 'delivered')
  await rows(db, 'delete from callback_attempts')
  const shortRetention = { ...deps, config: { ...deps.config, attemptRetentionDays: 1 } }
  // A delivered callback is checked until one hour before its attempts may be deleted.
  await changeCallbacks(db, `update callbacks set delivered_at = now() - interval '23 hours 1 minute'`)
  assert.deepEqual((await checkLostResults(shortRetention)).lost, [])
  await changeCallbacks(db, `update callbacks set delivered_at = now() - interval '22 hours'`)
  assert.equal((await checkLostResults(shortRetention)).lost.length, 1)
})

test('a callback without an attempt counts as lost unless it is in new_callbacks or so old that its attempts may have been deleted', async () => {
  const { transactionId, callbackId } = await pay()
  assert.deepEqual((await checkLostResults(deps)).lost, [], 'the callback is new')
  await rows(db, 'delete from new_callbacks')
  assert.deepEqual((await checkLostResults(deps)).lost, [{ transactionId, callbackId }])
  const shortRetention = { ...deps, config: { ...deps.config, attemptRetentionDays: 1 } }
  const setAge = (age: string) =>
    changeCallbacks(db, 'update callbacks set created_at = now() - $1::interval', [age])
  await setAge('22 hours')
  assert.equal((await checkLostResults(shortRetention)).lost.length, 1)
  await setAge('23 hours 1 minute')
  assert.deepEqual((await checkLostResults(shortRetention)).lost, [])
})

test('open payments and payments that ended more than four days ago are skipped; long lists are read in batches', async () => {
  // The check reads a payment's age from its id, a UUIDv7.
  const insert = (age: string, state: string, count: number) =>
    rows(
      db,
      `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, completed_at, next_check_at)
       select (lpad(to_hex((extract(epoch from now() - $3::interval) * 1000)::bigint), 12, '0') || '7'
           || right(replace(gen_random_uuid()::text, '-', ''), 19))::uuid, $1, 'live', gen_random_uuid(), 1500, 'EUR', $2,
         case $2 when 'processing' then null else now() - $3::interval end, case $2 when 'processing' then now() end
       from generate_series(1, $4::integer)`,
      [projectId, state, age, count],
    )
  await insert('5 days', 'succeeded', 1)
  await insert('1 hour', 'processing', 1)
  await insert('3 days 23 hours', 'succeeded', 1)
  await insert('1 hour', 'succeeded', 2 * CHECK_BATCH)
  const { checked, lost } = await checkLostResults(deps)
  assert.deepEqual([checked, lost.length], [2 * CHECK_BATCH + 1, 2 * CHECK_BATCH + 1])
  assert.equal(new Set(lost.map((one) => one.transactionId)).size, lost.length)
})

test('a duplicate payment needs no callback, and neither does a failed payment of a paid order', async () => {
  await pay('order-1')
  const [, failed] = await insertPayments(deps, projectId, [
    { state: 'failed', customId: 'order-1' },
    { state: 'failed', customId: 'order-2' },
    { state: 'failed', failureCode: 'duplicate' },
  ])
  assert.deepEqual(await checkLostResults(deps), {
    checked: 2,
    lost: [{ transactionId: failed, callbackId: null }],
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  listAttemptRows,
  claimAll,
  recordInterruption,
  queueCallbacks,
  toAttemptRecord,
  untilAttempt,
  untilStatus,
} from '../../test/deliveries.ts'
import { startDeliveryOwner } from '../../test/delivery-owner.ts'
import type { MerchantReply } from '../../test/merchant.ts'
import { until } from '../../test/until.ts'
import { recordAttempts } from './record-store.ts'
import { startDeliveryWorker } from './worker-loop.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { merchant, service, owner, projectId, base, list } = await startDeliveryOwner()
const { deps } = service
const { db } = deps

const claimOne = async () => (await claimAll(db))[0]!

async function resend(id: string): Promise<void> {
  const response = await owner.post(`${base}/deliveries/${id}/resend`)
  assert.equal(response.status, 202, response.text)
}

for (const [status, attempts] of [
  [500, 2],
  [410, 2],
  [200, 1],
] as const) {
  test(`if a callback is resent during an attempt that gets a ${status}, the total number of attempts is ${attempts}`, async (t) => {
    const [id] = await queueCallbacks(db, projectId)
    const isResent = Promise.withResolvers<void>()
    const first: MerchantReply = (response) =>
      void isResent.promise.then(() => response.writeHead(status).end())
    merchant.reply = (...args) => {
      merchant.reply = (response) => response.writeHead(200).end()
      first(...args)
    }
    const worker = startDeliveryWorker(deps)
    t.after(() => worker.stop())
    await until(() => merchant.received.length === 1)
    await resend(id!)
    isResent.resolve()
    await untilAttempt(db, id!, attempts)
    await untilStatus(db, id!, 'delivered')
    assert.deepEqual(
      (await listAttemptRows(db, id!)).map((row) => row.trigger),
      ['auto', 'manual'].slice(0, attempts),
    )
    assert.equal(merchant.received.length, attempts)
  })
}

test('a resend request during the last attempt of a round starts a full new round', async () => {
  const [id] = await queueCallbacks(db, projectId)
  await changeCallbacks(db, 'update callbacks set attempts = 10, not_ready = 2')
  const sent = await claimOne()
  await resend(id!)
  await recordAttempts(db, [toAttemptRecord(sent, { next: { status: 'exhausted' } })])
  const next = await claimOne()
  assert.deepEqual([next.id, next.trigger, next.nth, next.withoutStep], [id, 'manual', 1, 0])
})

test('a resend request is not lost when the sending process dies, even if the callback was delivered before', async () => {
  const [id] = await queueCallbacks(db, projectId)
  await changeCallbacks(db, 'update callbacks set attempts = 10, delivered_at = now()')
  const sent = await claimOne()
  await resend(id!)
  await recordInterruption(db, sent)
  const next = await claimOne()
  assert.deepEqual([next.id, next.trigger, next.nth], [id, 'manual', 1])
})

test('while an attempt is in flight, the list and the filters use the last attempt that ended', async () => {
  const [id] = await queueCallbacks(db, projectId, 1, { customId: 'order-7' })
  const timeout = { outcome: 'timeout', statusCode: null } as const
  const next = { status: 'pending', delaySec: 0, usesNoStep: false } as const
  await recordAttempts(db, [toAttemptRecord(await claimOne(), { ...timeout, next })])
  await claimOne()
  for (const query of ['', '?outcome=timeout', `?outcome=timeout&q=${id}`, '?outcome=timeout&q=order']) {
    const { items } = await list(query)
    assert.deepEqual(
      items.map((item) => [item.id, item.status, item.attempts, item.lastAttempt?.outcome]),
      [[id, 'pending', 1, 'timeout']],
      query,
    )
  }
  // The success of another payment of the order cancels this callback during its attempt.
  await changeCallbacks(db, `update callbacks set status = 'cancelled'`)
  assert.equal((await list()).items[0]?.lastAttempt?.attempt, 1)
})

// What a merchant sees of a callback that is being sent at this moment, and what a request to resend it does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  attemptRows,
  callbackRow,
  queueCallbacks,
  toAttemptRecord,
  untilAttempt,
  untilStatus,
} from '../../test/deliveries.ts'
import { startDeliveryOwner } from '../../test/delivery-owner.ts'
import type { MerchantReply } from '../../test/merchant.ts'
import { until } from '../../test/until.ts'
import { claimCallbacks } from './claim-store.ts'
import { releaseClaims } from './release-store.ts'
import { recordAttempts } from './record-store.ts'
import { startDeliveryWorker } from './worker-loop.ts'

const { merchant, service, owner, projectId, base, list } = await startDeliveryOwner()
const { deps } = service
const { db } = deps

const claim = async () => (await claimCallbacks(db, 64, null, [])).claimed[0]!

async function resend(id: string): Promise<void> {
  const answer = await owner.post(`${base}/deliveries/${id}/resend`)
  assert.equal(answer.status, 202, answer.text)
}

for (const [status, tries] of [
  [500, 2],
  [410, 2],
  [200, 1],
] as const) {
  test(`sent again manually while it is in flight, with the response ${status}: ${tries} attempts`, async (t) => {
    const [id] = await queueCallbacks(db, projectId)
    const asked = Promise.withResolvers<void>()
    const first: MerchantReply = (answer) => void asked.promise.then(() => answer.writeHead(status).end())
    merchant.reply = (...args) => {
      merchant.reply = (answer) => answer.writeHead(200).end()
      first(...args)
    }
    const worker = startDeliveryWorker(deps)
    t.after(() => worker.stop())
    await until(() => merchant.received.length === 1)
    await resend(id!)
    asked.resolve()
    await untilAttempt(db, id!, tries)
    await untilStatus(db, id!, 'delivered')
    assert.deepEqual(
      (await attemptRows(db, id!)).map((row) => row.trigger),
      ['auto', 'manual'].slice(0, tries),
    )
    assert.equal(merchant.received.length, tries)
  })
}

test('the request starts a whole round, also when every attempt of the last one was used up', async () => {
  const [id] = await queueCallbacks(db, projectId)
  await rows(db, 'update callbacks set attempts = 10, not_ready = 2')
  const claimed = await claim()
  await resend(id!)
  await recordAttempts(db, [toAttemptRecord(claimed, { next: { status: 'exhausted' } })])
  const again = await claim()
  assert.deepEqual([again.id, again.trigger, again.nth, again.notReady], [id, 'manual', 1, 0])
})

test('the request outlives the process that was sending, also for one that had arrived before', async () => {
  const [id] = await queueCallbacks(db, projectId)
  await rows(db, 'update callbacks set attempts = 10, delivered_at = now()')
  await claim()
  await resend(id!)
  await rows(db, `update callbacks set lease_until = now() - interval '1 second'`)
  await claimCallbacks(db, 64, null, [])
  const again = await claim()
  assert.deepEqual([again.id, again.trigger, again.nth], [id, 'manual', 1])
})

test('the request is no hindrance where the claim is given back', async () => {
  const [id] = await queueCallbacks(db, projectId)
  const claimed = await claim()
  await resend(id!)
  await releaseClaims(db, [claimed])
  const again = await claim()
  assert.deepEqual([again.id, again.attempt, again.nth], [id, 1, 1])
  await recordAttempts(db, [toAttemptRecord(again, ACCEPTED)])
  assert.equal((await callbackRow(db, id!)).status, 'delivered')
})

test('while an attempt is out, the last one that ended is the one shown and found', async () => {
  const [id] = await queueCallbacks(db, projectId, 1, { customId: 'order-7' })
  const timeout = { outcome: 'timeout', statusCode: null } as const
  const next = { status: 'pending', delaySec: 0, isNotReady: false } as const
  await recordAttempts(db, [toAttemptRecord(await claim(), { ...timeout, next })])
  await claim()
  for (const query of ['', '?outcome=timeout', `?outcome=timeout&q=${id}`, '?outcome=timeout&q=order']) {
    const { items } = await list(query)
    assert.deepEqual(
      items.map((item) => [item.id, item.status, item.attempts, item.lastAttempt?.outcome]),
      [[id, 'sending', 2, 'timeout']],
      query,
    )
  }
  // Its order is paid meanwhile: the attempt that is out is not recorded yet either.
  await rows(db, `update callbacks set status = 'cancelled', lease_until = null`)
  assert.equal((await list()).items[0]?.lastAttempt?.attempt, 1)
})

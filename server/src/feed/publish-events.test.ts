import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { eraseAll, payLongAgo } from '../../test/erasure.ts'
import { newOrder } from '../../test/payments.ts'
import { addEvent } from './inbox-store.ts'
import { publishWaiting } from './publish.ts'
import { startFeedOwner } from '../../test/feed-owner.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { deps, db, owner, addProject, typesOf } = await startFeedOwner()

test('if the transaction of an event commits late, the event comes after every cursor that readers got before the commit', async () => {
  const { id, list, pay } = await addProject()
  const transactionId = await pay()
  const firstPage = await list()
  const added = Promise.withResolvers<undefined>()
  const commit = Promise.withResolvers<undefined>()
  const facts = {
    amount: '500',
    state: 'processing',
    failureCode: null,
    origin: 'api',
    refundedTotal: '500',
    upstreamRef: null,
    createdAt: '2026-11-16T10:00:00.000Z',
    completedAt: null,
  } as const
  const lateCommit = db.transaction(async (tx) => {
    await addEvent(tx, {
      projectId: id,
      mode: 'live',
      transactionId,
      type: 'refund.created',
      refundId: 're_1',
      facts,
    })
    added.resolve(undefined)
    await commit.promise
  })
  await added.promise
  // The events of this payment are written after the refund's event, but committed before it.
  await pay()
  const seen = await list({ after: firstPage.next })
  assert.deepEqual(typesOf(seen.items), ['payment.created', 'payment.result'])
  commit.resolve(undefined)
  await lateCommit
  const [refund, ...rest] = (await list({ after: seen.next })).items
  assert.deepEqual(rest, [])
  assert.deepEqual(refund, {
    id: refund!.id,
    at: refund!.at,
    type: 'refund.created',
    transactionId,
    refundId: 're_1',
    payload: { currency: 'EUR', scale: 2, mode: 'live', customId: null, data: null, ...facts },
  })
})

test('events are published once, even if several background steps and readers publish them at the same time', async () => {
  const { id, list, pay } = await addProject()
  for (let n = 0; n < 20; n += 1) await pay()
  const publishers = Array.from({ length: 8 }, () => publishWaiting(deps))
  const readers = Array.from({ length: 8 }, () => list())
  await Promise.all([...publishers, ...readers])
  assert.deepEqual(await rows(db, 'select from feed_inbox where project_id = $1', [id]), [])
  const { items } = await list()
  assert.equal(new Set(items.map((one) => one.id)).size, 40)
  const [head] = await rows<{ position: bigint }>(
    db,
    'select position from feed_heads where project_id = $1',
    [id],
  )
  assert.equal(head!.position, 40n)
})

test('after the retention time the events of a payment have no customId and no data', async () => {
  const { id, list } = await addProject()
  await payLongAgo(deps, newOrder(id, { customId: 'canary-custom-9', data: 'canary-data-9' }), 40)
  assert.match(JSON.stringify(await list()), /canary-custom-9.*canary-data-9/)
  await eraseAll(deps)
  const { items } = await list()
  assert.equal(items.length, 2)
  for (const { payload } of items)
    assert.partialDeepStrictEqual(payload, { customId: null, data: null, amount: '1500' })
})

test('the events of a deleted project are deleted, including those without a position', async () => {
  const { id, list, pay } = await addProject()
  await pay({ mode: 'test' })
  await list()
  await pay({ mode: 'test' })
  await changeCallbacks(
    db,
    `update callbacks set status = 'delivered', delivered_at = now() where project_id = $1`,
    [id],
  )
  await owner.stepUp()
  assert.equal((await owner.post(`/portal/api/projects/${id}/delete`)).status, 204)
  await publishWaiting(deps)
  const remaining = await rows(
    db,
    `select from feed_inbox where project_id = $1 union all select from feed_events where project_id = $1
     union all select from feed_heads where project_id = $1`,
    [id],
  )
  assert.deepEqual(remaining, [])
  assert.equal((await owner.post('/sdk/events/list', { projectId: id })).status, 404)
  // Events of a project that does not exist are removed.
  await rows(
    db,
    `insert into feed_inbox (project_id, type, mode, transaction_id) values ('agone', 'payment.created', 'live', $1)`,
    [randomUUID()],
  )
  await publishWaiting(deps)
  assert.deepEqual(await rows(db, `select from feed_inbox where project_id = 'agone'`), [])
})

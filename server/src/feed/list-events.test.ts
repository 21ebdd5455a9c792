// The events of a project: what each change writes, and that a reader misses nothing, whatever is committed meanwhile.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { EventPage, EventView, Mode } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { signUp } from '../../test/client.ts'
import { eraseAll, payLongAgo } from '../../test/erasure.ts'
import { startTestService } from '../../test/harness.ts'
import { newOrder } from '../../test/payments.ts'
import { reportCharge } from '../../test/reviewed-payments.ts'
import { confirmPayment } from '../payments/confirm.ts'
import type { Order } from '../payments/payment.ts'
import { resolvePayment } from '../payments/resolve.ts'
import { addEvent } from './inbox-store.ts'
import { publishWaiting } from './publish.ts'

const { app, deps } = await startTestService({ PAYMENT_DATA_RETENTION_DAYS: '30' })
const { db } = deps
const owner = await signUp(app)

async function addProject() {
  await rows(db, 'update projects set archived_at = now() where archived_at is null')
  const { id } = await owner.addProject()
  const list = async (body: object = {}): Promise<EventPage> => {
    const response = await owner.post('/sdk/events/list', { projectId: id, ...body })
    assert.equal(response.status, 200, response.text)
    return response.json<EventPage>()
  }
  const pay = async (fields: Partial<Order> = {}): Promise<string> => {
    const outcome = await confirmPayment(deps, newOrder(id, fields))
    assert.equal(outcome.kind, 'payment')
    return outcome.kind === 'payment' ? outcome.payment.id : ''
  }
  return { id, list, pay }
}

const typesOf = (items: readonly EventView[]) => items.map(({ type }) => type)

test('a payment is an event when it is opened and when it ends, with the payment as it was then', async () => {
  const { list, pay } = await addProject()
  const paid = await pay({ customId: 'order-1', data: 'Kafa' })
  const declined = await pay({ amount: 4000n })
  const { items, hasMore } = await list()
  assert.equal(hasMore, false)
  assert.deepEqual(
    items.map(({ type, transactionId }) => [type, transactionId]),
    [
      ['payment.created', paid],
      ['payment.result', paid],
      ['payment.created', declined],
      ['payment.result', declined],
    ],
  )
  const [created, result, , failed] = items
  assert.match(created!.id, /^evt_[0-9a-f]{32}$/)
  assert.equal(new Set(items.map(({ id }) => id)).size, 4)
  const ofPayment = {
    amount: '1500',
    currency: 'EUR',
    scale: 2,
    mode: 'live',
    customId: 'order-1',
    data: 'Kafa',
  }
  const { createdAt } = created!.payload as { createdAt: string }
  assert.deepEqual(created!.payload, {
    ...ofPayment,
    state: 'processing',
    successful: false,
    failureCode: null,
    needsReview: false,
    resolution: null,
    upstreamRef: null,
    createdAt,
    completedAt: null,
  })
  assert.equal(created!.at, createdAt)
  assert.deepEqual(result!.payload, {
    ...ofPayment,
    state: 'succeeded',
    successful: true,
    failureCode: null,
    needsReview: false,
    resolution: null,
    upstreamRef: (result!.payload as { upstreamRef: string }).upstreamRef,
    createdAt,
    completedAt: result!.at,
  })
  assert.partialDeepStrictEqual(failed!.payload, {
    state: 'failed',
    successful: false,
    failureCode: 'declined',
  })
})

test('a review and its decision are events, and the decision counts', async () => {
  const { list, pay } = await addProject()
  const id = await pay({ amount: 4000n })
  await reportCharge(deps, id)
  await resolvePayment(deps, id, { as: 'paid', reason: 'the money is there', by: 'operator' })
  const { items } = await list()
  assert.deepEqual(typesOf(items), ['payment.created', 'payment.result', 'payment.review', 'payment.result'])
  assert.partialDeepStrictEqual(items[2]!.payload, { state: 'failed', needsReview: true, successful: false })
  assert.partialDeepStrictEqual(items[3]!.payload, {
    state: 'failed',
    needsReview: false,
    resolution: 'paid',
    successful: true,
  })
})

test('pages follow each other, and the cursor of the last one finds what comes later', async () => {
  const { list, pay } = await addProject()
  const empty = await list()
  assert.deepEqual([empty.items, empty.hasMore], [[], false])
  await pay()
  await pay()
  const first = await list({ after: empty.next, limit: 3 })
  assert.deepEqual([first.items.length, first.hasMore], [3, true])
  const last = await list({ after: first.next, limit: 3 })
  assert.deepEqual([last.items.length, last.hasMore], [1, false])
  const all = await list()
  assert.deepEqual([...first.items, ...last.items], all.items)
  const none = await list({ after: last.next })
  assert.deepEqual([none.items, none.next], [[], last.next])
  await pay()
  assert.deepEqual(typesOf((await list({ after: none.next })).items), ['payment.created', 'payment.result'])
})

test('with a mode, only its events are listed', async () => {
  const { list, pay } = await addProject()
  await pay()
  await pay({ mode: 'test' })
  await pay()
  const modesOf = async (mode?: Mode) => (await list({ mode })).items.map(({ payload }) => payload.mode)
  assert.deepEqual(await modesOf(), ['live', 'live', 'test', 'test', 'live', 'live'])
  assert.deepEqual(await modesOf('live'), ['live', 'live', 'live', 'live'])
  assert.deepEqual(await modesOf('test'), ['test', 'test'])
  const { next } = await list({ mode: 'test', limit: 1 })
  assert.deepEqual(typesOf((await list({ mode: 'test', after: next })).items), ['payment.result'])
})

test('an event that is committed late comes after the cursors handed out before, also beside a transaction left open', async () => {
  const { id, list, pay } = await addProject()
  const transactionId = await pay()
  const before = await list()
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
  const late = db.transaction(async (tx) => {
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
  // Written later than the refund's event, and committed earlier.
  await pay()
  const seen = await list({ after: before.next })
  assert.deepEqual(typesOf(seen.items), ['payment.created', 'payment.result'])
  commit.resolve(undefined)
  await late
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

test('a dispute has its own fields', async () => {
  const { id, list, pay } = await addProject()
  const transactionId = await pay()
  const facts = {
    amount: '1500',
    state: 'open',
    reason: 'fraudulent',
    respondBy: '2026-11-30T10:00:00.000Z',
    openedAt: '2026-11-16T10:00:00.000Z',
    closedAt: null,
  } as const
  await db.transaction((tx) =>
    addEvent(tx, {
      projectId: id,
      mode: 'live',
      transactionId,
      type: 'dispute.opened',
      disputeId: 'dp_1',
      facts,
    }),
  )
  const dispute = (await list()).items.at(-1)!
  assert.equal(dispute.type === 'dispute.opened' && dispute.disputeId, 'dp_1')
  assert.partialDeepStrictEqual(dispute.payload, facts)
})

test('events that nobody reads are published in the background, and each once by many publishers', async () => {
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

test('the events of a deleted project are deleted, also those without a position', async () => {
  const { id, list, pay } = await addProject()
  await pay({ mode: 'test' })
  await list()
  await pay({ mode: 'test' })
  await rows(db, `update callbacks set status = 'delivered', delivered_at = now() where project_id = $1`, [
    id,
  ])
  await owner.stepUp()
  assert.equal((await owner.post(`/portal/api/projects/${id}/delete`)).status, 204)
  await publishWaiting(deps)
  const left = await rows(
    db,
    `select from feed_inbox where project_id = $1 union all select from feed_events where project_id = $1
     union all select from feed_heads where project_id = $1`,
    [id],
  )
  assert.deepEqual(left, [])
  assert.equal((await owner.post('/sdk/events/list', { projectId: id })).status, 404)
  // Orphans of a project that never existed do not stop the others.
  await rows(
    db,
    `insert into feed_inbox (project_id, type, mode, transaction_id) values ('agone', 'payment.created', 'live', $1)`,
    [randomUUID()],
  )
  await publishWaiting(deps)
  assert.deepEqual(await rows(db, `select from feed_inbox where project_id = 'agone'`), [])
})

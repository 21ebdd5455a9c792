import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mode } from '@pazar/contract'
import { reportCharge } from '../../test/reviewed-payments.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'
import { addEvent } from './inbox-store.ts'
import { startFeedOwner } from '../../test/feed-owner.ts'

const { deps, db, addProject, typesOf } = await startFeedOwner()

test('a payment adds an event when it is opened and when it ends, each with the payment as it was at that time', async () => {
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
  const paymentFacts = {
    amount: '1500',
    currency: 'EUR',
    scale: 2,
    mode: 'live',
    customId: 'order-1',
    data: 'Kafa',
  }
  const { createdAt } = created!.payload as { createdAt: string }
  assert.deepEqual(created!.payload, {
    ...paymentFacts,
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
    ...paymentFacts,
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

test('a review and its decision add events, and the decision determines whether the payment counts as paid', async () => {
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

test('the pages together list all events, and the cursor of the last page finds later events', async () => {
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
  const emptyPage = await list({ after: last.next })
  assert.deepEqual([emptyPage.items, emptyPage.next], [[], last.next])
  await pay()
  assert.deepEqual(typesOf((await list({ after: emptyPage.next })).items), [
    'payment.created',
    'payment.result',
  ])
})

test('a request with a mode lists only events of that mode', async () => {
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

test('the event of a dispute has the fields of the dispute', async () => {
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

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createListingUpstream, toListedPayment } from '../../test/listing-upstream.ts'
import { listCallbacks, newOrder, requirePayment, startPayments } from '../../test/payments.ts'
import { insertPayments } from '../../test/transactions.ts'
import type { Charge } from '../backends/backend.ts'
import { openPayment } from '../payments/payments-store.ts'
import { adoptOne, tryAdopt, toAdoptionOrder } from './adopt-payments.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
let upstream = createListingUpstream(deps)

beforeEach(async () => {
  await rows(db, 'truncate transactions, incidents, callbacks cascade')
  upstream = createListingUpstream(deps)
  deps.backends = { ...deps.backends, live: upstream.backend, previous: [] }
})

const list = (
  ...fields: Parameters<typeof toListedPayment> extends [unknown, ...infer Rest] ? Rest : never
) => {
  const item = toListedPayment(deps, ...fields)
  upstream.payments.push(item)
  return item
}
const adopt = (item: Parameters<typeof adoptOne>[2], isDry = false) =>
  adoptOne(deps, upstream.backend, item, isDry)

const orphansOf = async (id: string) =>
  (await rows(db, `select from incidents where kind = 'orphan_charge' and facts->>'id' = $1`, [id])).length
const countPayments = async () => (await rows(db, 'select from transactions')).length

test('a lost payment is stored with its original fields, and its success is reported to the merchant', async () => {
  const fields = { customId: 'order-1', data: 'Kafa', checkoutId: randomUUID(), scale: 2 }
  const item = list(projectId, {}, fields)
  assert.equal(await adopt(item), 'adopted')
  const [row] = await rows(
    db,
    `select state, upstream_ref, mode, attempt_id, custom_id, data, checkout_id, backend, upstream_account, amount_scale, created_at
     from transactions where id = $1`,
    [item.id],
  )
  assert.deepEqual(row, {
    state: 'succeeded',
    upstream_ref: item.chargeId,
    mode: 'live',
    attempt_id: item.origin.attemptId,
    custom_id: 'order-1',
    data: 'Kafa',
    checkout_id: fields.checkoutId,
    backend: 'http',
    upstream_account: 'account of http',
    amount_scale: 2,
    created_at: item.origin.createdAt,
  })
  const [callback] = await listCallbacks(db, item.id)
  assert.equal(callback?.result, 'success')
  assert.equal(await adopt(item), 'known')
  assert.equal((await requirePayment(db, item.id)).needsReview, false)
})

test('a lost payment that is still open is stored as open and is due for a lookup', async () => {
  const item = list(projectId, { status: 'processing' })
  assert.equal(await adopt(item), 'adopted')
  const [row] = await rows(
    db,
    'select state, next_check_at <= now() as due from transactions where id = $1',
    [item.id],
  )
  assert.deepEqual(row, { state: 'processing', due: true })
})

test('an adapter with records of its own adopts the payment first, and then the payment is looked up', async () => {
  const records: string[] = []
  const withRecords = { ...upstream.backend, adopt: async ({ id }: Charge) => void records.push(id) }
  deps.backends.live = withRecords
  const item = list(projectId)
  assert.equal(await adoptOne(deps, withRecords, item, false), 'adopted')
  assert.deepEqual([records, upstream.calls], [[item.id], [`find ${item.id}`]])
  assert.equal((await requirePayment(db, item.id)).state, 'succeeded')
  const unresponsive = { ...withRecords, find: async () => Promise.reject(new Error('no response')) }
  deps.backends.live = unresponsive
  assert.equal(await adoptOne(deps, unresponsive, list(projectId), false), 'failed')
})

for (const [caseName, fields] of [
  ['customId', { customId: 'held' }],
  ['attempt', { attemptId: randomUUID() }],
] as const) {
  test(`a charge with the ${caseName} of another payment is stored as failed and in review, without a callback`, async () => {
    await openPayment(db, randomId(), newOrder(projectId, fields), 'http', 'account of http')
    const item = list(projectId, {}, fields)
    assert.equal(await adopt(item), 'duplicate')
    const stored = await requirePayment(db, item.id)
    assert.deepEqual([stored.state, stored.failureCode, stored.needsReview], ['failed', 'duplicate', true])
    assert.deepEqual([await listCallbacks(db, item.id), upstream.calls], [[], []])
  })
}

test('a duplicate that can still be paid is cancelled at the upstream, and is in review if it was charged meanwhile', async () => {
  for (const [cancelledAs, needsReview] of [
    ['cancelled', false],
    ['succeeded', true],
  ] as const) {
    const customId = `held-${cancelledAs}`
    await openPayment(db, randomId(), newOrder(projectId, { customId }), 'http', 'account of http')
    upstream.cancelledAs = cancelledAs
    const item = list(projectId, { status: 'requires_action' }, { customId })
    assert.equal(await adopt(item), 'duplicate')
    assert.equal(upstream.calls.at(-1), `cancel ${item.id}`)
    assert.equal((await requirePayment(db, item.id)).needsReview, needsReview)
  }
})

test('if the upstream lists a charge, a payment that failed here is put in review, and a payment that is open here does not change', async () => {
  const [failed] = await insertPayments(deps, projectId, [{ state: 'failed' }])
  const open = (await openPayment(db, randomId(), newOrder(projectId), 'http', 'account of http'))!
  assert.equal(await adopt(list(projectId, { id: failed! }), true), 'known')
  assert.equal((await requirePayment(db, failed!)).needsReview, false, 'a dry run records nothing')
  assert.equal(await adopt(list(projectId, { id: failed! })), 'known')
  assert.equal((await requirePayment(db, failed!)).needsReview, true)
  assert.equal(await adopt(list(projectId, { id: open.id })), 'known')
  assert.equal((await requirePayment(db, open.id)).state, 'processing')
})

test('payments that are not ours, or were never opened, are ignored and not cancelled', async () => {
  const ignored = [
    list(projectId, { status: 'requires_action' }, { installationId: 'another' }),
    list(projectId, {}, { installationId: 'another' }),
    list(projectId, { id: 'pi_123' }),
    list(projectId, { status: 'cancelled', amount: 0n, currency: '' }),
    { ...list(projectId, { status: 'requires_action' }), origin: null },
  ]
  for (const item of ignored) assert.equal(await adopt(item), 'ignored', JSON.stringify(item.status))
  assert.deepEqual([await countPayments(), upstream.calls], [0, []])
})

test('a charge raises an incident if it has no metadata or its project is unknown', async () => {
  const unmarked = { ...list(projectId), origin: null }
  assert.equal(await adopt(unmarked, true), 'unmarked')
  assert.equal(await orphansOf(unmarked.id), 0, 'a dry run raises nothing')
  assert.equal(await adopt(unmarked), 'unmarked')
  const orphan = list('prjgone', {}, { projectId: 'prjgone' })
  assert.equal(await adopt(orphan), 'orphan')
  assert.deepEqual([await orphansOf(unmarked.id), await orphansOf(orphan.id)], [1, 1])
  const openOrphan = list('prjgone', { status: 'requires_action' }, { projectId: 'prjgone' })
  assert.equal(await adopt(openOrphan, true), 'ignored')
  assert.deepEqual(upstream.calls, [])
  assert.equal(await adopt(openOrphan), 'ignored')
  assert.deepEqual([upstream.calls, await orphansOf(openOrphan.id)], [[`cancel ${openOrphan.id}`], 0])
  upstream.cancelledAs = 'succeeded'
  assert.equal(await adopt(openOrphan), 'orphan')
  assert.equal(await orphansOf(openOrphan.id), 1)
  assert.equal(await countPayments(), 0)
})

test('a dry run names what would be adopted and stores nothing', async () => {
  assert.equal(await adopt(list(projectId), true), 'adopted')
  assert.equal(await countPayments(), 0)
})

test('a payment that cannot be stored counts as failed, and raises an incident only with acceptFailed', async () => {
  const broken = {
    ...deps,
    db: { ...db, query: () => Promise.reject(new Error('connection lost')) },
  } as typeof deps
  const item = list(projectId)
  const tryWith = (isDry: boolean, acceptFailed: boolean) =>
    tryAdopt(broken, upstream.backend, item, { isDry, acceptFailed })
  assert.deepEqual([await tryWith(false, false), await tryWith(true, true)], ['failed', 'failed'])
  assert.equal(await orphansOf(item.id), 0)
  assert.equal(await tryWith(false, true), 'failed')
  assert.equal(await orphansOf(item.id), 1)
})

test('known payments are handled first, then failed and cancelled ones, then paid ones, then open ones', () => {
  const items = (['processing', 'succeeded', 'cancelled', 'requires_action', 'failed'] as const).map(
    (status) => toListedPayment(deps, projectId, { status }),
  )
  const known = toListedPayment(deps, projectId, { status: 'requires_action' })
  const order = toAdoptionOrder([...items, known], (id) => id === known.id)
  assert.equal(order[0], known)
  assert.deepEqual(
    order.slice(1).map(({ status }) => status),
    ['cancelled', 'failed', 'succeeded', 'processing', 'requires_action'],
  )
})

function randomId(): string {
  return toListedPayment(deps, projectId).id
}

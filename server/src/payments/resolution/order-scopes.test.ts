import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Mode } from '@pazar/contract'
import { rows } from '../../../test/accounts.ts'
import { addPayProject } from '../../../test/payer.ts'
import { newOrder, requirePayment, startPayments } from '../../../test/payments.ts'
import type { StoredPayment } from '../../../test/transactions.ts'
import { insertPayments } from '../../../test/transactions.ts'
import { newUuidV7 } from '../../lib/id.ts'
import { listOtherHolders } from './order-holders.ts'
import { findBlockingPayment, openPayment } from '../payments-store.ts'
import { listHeldOrders, listHolders } from './resolve-store.ts'
import { findOrderState, findStatusFacts } from '../reads/status-store.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const otherProjectId = (await addPayProject(deps)).id

type Change = Partial<Record<'hash' | 'checkout', Buffer | string>> & { review?: true; resolution?: 'paid' }

/**
 * Inserts a payment, then changes it. Meanwhile the triggers are disabled, because they would refuse the change. With
 * `hash`, the payment is erased and keeps only this hash of its customId.
 */
async function insert(paidProjectId: string, fields: StoredPayment, change: Change = {}): Promise<string> {
  const [id] = await insertPayments(deps, paidProjectId, [fields])
  await db.transaction(async (tx) => {
    await rows(tx, 'alter table transactions disable trigger user')
    await rows(
      tx,
      `update transactions set custom_id_hash = $2, checkout_id = $3, needs_review = $4, resolution = $5::text,
         resolution_reason = $5::text, resolved_by = $5::text, resolved_at = case when $5::text is not null then now() end,
         custom_id = case when $2::bytea is null then custom_id end, erased_at = case when $2::bytea is not null then now() end
       where id = $1`,
      [id, change.hash ?? null, change.checkout ?? null, change.review ?? false, change.resolution ?? null],
    )
    await rows(tx, 'alter table transactions enable trigger user')
  })
  return id!
}

interface OrderKeys {
  customId: string
  hash: Buffer
  checkoutId: string
}

/** Payments that prevent a new payment. `by`: the field that the two payments have in common. */
const PREVENTING: Record<
  string,
  { by: keyof OrderKeys; make: (keys: OrderKeys) => [StoredPayment, Change?] }
> = {
  'a paid payment': { by: 'customId', make: ({ customId }) => [{ customId }] },
  'a payment in review': {
    by: 'customId',
    make: ({ customId }) => [{ customId, state: 'failed' }, { review: true }],
  },
  'an erased paid payment': { by: 'hash', make: ({ customId, hash }) => [{ customId }, { hash }] },
  'an erased payment in review': {
    by: 'hash',
    make: ({ customId, hash }) => [
      { customId, state: 'failed' },
      { hash, review: true },
    ],
  },
  'a payment of the same checkout in review': {
    by: 'checkoutId',
    make: ({ checkoutId }) => [{ state: 'failed' }, { checkout: checkoutId, review: true }],
  },
  'a payment of the same checkout that was resolved as paid': {
    by: 'checkoutId',
    make: ({ checkoutId }) => [{ state: 'failed' }, { checkout: checkoutId, resolution: 'paid' }],
  },
}

function newKeys(): OrderKeys {
  return { customId: `order-${randomUUID()}`, hash: randomBytes(32), checkoutId: randomUUID() }
}

function toNewOrder(by: keyof OrderKeys, { customId, hash, checkoutId }: OrderKeys) {
  const order = newOrder(projectId, by === 'checkoutId' ? { checkoutId } : { customId })
  return { order, hash: by === 'hash' ? hash : null }
}

async function tryToOpen(by: keyof OrderKeys, keys: OrderKeys) {
  const { order, hash } = toNewOrder(by, keys)
  const existing = await findBlockingPayment(db, order, hash)
  const opened = await openPayment(db, newUuidV7(deps.clock), order, 'sandbox', 'sandbox', hash)
  return { opened, existing }
}

for (const [caseName, { by, make }] of Object.entries(PREVENTING)) {
  test(`${caseName} prevents a second payment, but only in its own project and mode`, async () => {
    const keys = newKeys()
    const [fields, change] = make(keys)
    await insert(projectId, { ...fields, mode: 'test' }, change)
    await insert(otherProjectId, fields, change)
    const allowed = await tryToOpen(by, keys)
    assert.deepEqual([allowed.opened !== null, allowed.existing], [true, null])
    await rows(db, 'delete from transactions where id = $1', [allowed.opened!.id])
    const id = await insert(projectId, fields, change)
    const { opened, existing } = await tryToOpen(by, keys)
    assert.deepEqual(
      [opened, existing?.payment.id, existing?.sameAttempt, existing?.isErased],
      [null, id, false, by === 'hash'],
    )
  })
}

test('neither an unpaid payment nor a payment of another checkout prevents a new payment', async () => {
  const keys = newKeys()
  await insert(projectId, { customId: keys.customId, state: 'failed' })
  await insert(projectId, { customId: keys.customId, state: 'failed' }, { hash: keys.hash })
  await insert(projectId, { state: 'failed' }, { checkout: keys.checkoutId })
  await insert(projectId, { state: 'failed' }, { checkout: randomUUID(), review: true })
  for (const by of ['hash', 'checkoutId'] as const) {
    const { opened, existing } = await tryToOpen(by, keys)
    assert.deepEqual([opened !== null, existing], [true, null], by)
  }
})

test('a repeated attempt finds its own payment', async () => {
  const order = newOrder(projectId)
  const opened = await openPayment(db, newUuidV7(deps.clock), order, 'sandbox')
  const existing = await findBlockingPayment(db, order)
  assert.deepEqual(
    [existing?.payment.id, existing?.sameAttempt, existing?.isErased],
    [opened?.id, true, false],
  )
})

test('the holders of a payment are the open or paid payments of the same order or checkout, in the same project and mode', async () => {
  const { customId, hash, checkoutId } = newKeys()
  const id = await insert(projectId, { customId, state: 'failed' }, { checkout: checkoutId, review: true })
  const payment = await requirePayment(db, id)
  const idsOf = async () => (await listHolders(db, payment, hash)).map((one) => one.id).toSorted()
  for (const [of, mode] of [
    [otherProjectId, 'live'],
    [projectId, 'test'],
  ] as const) {
    await insert(of, { customId, mode })
    await insert(of, { customId: randomUUID(), mode }, { hash })
    await insert(of, { mode }, { checkout: checkoutId })
  }
  await insert(projectId, { customId, state: 'failed' })
  assert.deepEqual(await idsOf(), [])
  const held = [
    await insert(projectId, { customId }),
    await insert(projectId, { customId: randomUUID() }, { hash }),
    await insert(projectId, { state: 'processing' }, { checkout: checkoutId }),
  ]
  assert.deepEqual(await idsOf(), held.toSorted())
})

test('the open and paid orders of one project and mode are listed by customId', async () => {
  const { id: project } = await addPayProject(deps)
  await insert(project, { customId: 'b', state: 'processing' })
  await insert(project, { customId: 'a' })
  await insert(project, { customId: 'c', mode: 'test' })
  await insert(otherProjectId, { customId: 'd' })
  await insert(project, { customId: 'e', state: 'failed' })
  await insert(project, {})
  const list = async (mode: Mode, after: string) =>
    (await listHeldOrders(db, { projectId: project, mode }, after)).map(({ customId }) => customId)
  assert.deepEqual(await list('live', ''), ['a', 'b'])
  assert.deepEqual(await list('live', 'a'), ['b'])
  assert.deepEqual(await list('test', ''), ['c'])
})

test('an erased payment cannot be resolved while the key that hashes customIds is missing', async () => {
  const { customId, hash } = newKeys()
  const payment = await requirePayment(db, await insert(projectId, { customId, state: 'failed' }, { hash }))
  const erasedOrders = { ...deps.erasedOrders, reload: async () => false }
  await assert.rejects(listOtherHolders({ erasedOrders }, db, payment), /key of erased orders is missing/)
})

test('the state of an erased order comes from its paid payment, otherwise from a payment in review, otherwise from the newest payment', async () => {
  const { customId, hash } = newKeys()
  const stateOf = async (mode: Mode) =>
    (await findOrderState(db, projectId, mode, customId, hash))?.state ?? null
  const paidOf = async () => (await findStatusFacts(db, projectId, customId, hash))!.paid
  await insert(projectId, { customId, mode: 'test', amount: 700 }, { hash })
  await insert(otherProjectId, { customId, amount: 800 }, { hash })
  assert.deepEqual([await stateOf('live'), await paidOf()], [null, { live: null, test: 700n }])
  await insert(projectId, { customId, state: 'expired', createdAt: '2026-11-16T01:00:00Z' }, { hash })
  await insert(projectId, { customId, state: 'failed', createdAt: '2026-11-16T02:00:00Z' }, { hash })
  assert.deepEqual([await stateOf('live'), await stateOf('test')], ['failed', 'succeeded'])
  await insert(
    projectId,
    { customId, state: 'expired', createdAt: '2026-11-16T00:30:00Z' },
    { hash, review: true },
  )
  assert.equal(await stateOf('live'), 'expired')
  await insert(projectId, { customId, amount: 900, createdAt: '2026-11-16T00:00:00Z' }, { hash })
  assert.deepEqual([await stateOf('live'), await paidOf()], ['succeeded', { live: 900n, test: 700n }])
})

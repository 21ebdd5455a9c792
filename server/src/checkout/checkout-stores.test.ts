// Tests which payments the checkout's queries find for a link, and for the page of a payment.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createTestPayer } from '../../test/pay-outcomes.ts'
import { addPayProject, toLink } from '../../test/payer.ts'
import { startPayments } from '../../test/payments.ts'
import type { StoredPayment } from '../../test/transactions.ts'
import { insertPayments } from '../../test/transactions.ts'
import { parseQuery } from '../http/query.ts'
import { nextAttemptId } from './attempt-token.ts'
import { findPayTarget } from './pay-target-store.ts'
import { showLink } from './show-link.ts'
import { findShownPayment } from './shown-payment-store.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const shop = await addPayProject(deps)
const otherProject = await addPayProject(deps)

async function insert(fields: StoredPayment, project = shop.id): Promise<string> {
  return (await insertPayments(deps, project, [fields]))[0]!
}

const setInReview = (id: string) =>
  rows(db, 'update transactions set needs_review = true where id = $1', [id])

async function insertInReview(fields: StoredPayment, project = shop.id): Promise<string> {
  const id = await insert({ ...fields, state: 'failed' }, project)
  await setInReview(id)
  return id
}

const setErased = (id: string, hash: Buffer) =>
  rows(db, 'update transactions set custom_id_hash = $2 where id = $1', [id, hash]).then(() =>
    rows(db, 'update transactions set custom_id = null, data = null, erased_at = now() where id = $1', [id]),
  )

const link = (customId: string | null, mode: 'live' | 'test' = 'live') => ({
  projectId: shop.id,
  mode,
  customId,
})

for (const [mode, otherMode] of [
  ['live', 'test'],
  ['test', 'live'],
] as const) {
  test(`a ${mode} order is blocked by its own payments, not by payments of ${otherMode} mode or another project`, async () => {
    const customId = `order-${randomUUID()}`
    await insert({ customId, mode: otherMode })
    await insertInReview({ customId, mode: otherMode })
    await insert({ customId, mode }, otherProject.id)
    await insertInReview({ customId, mode }, otherProject.id)
    await insert({ customId, mode, state: 'failed' })
    const target = await findPayTarget(db, link(customId, mode), [])
    assert.deepEqual([target?.holder, target?.inReviewElsewhere], [null, null])

    const id = await insert({ customId, mode })
    const reviewed = await insertInReview({ customId, mode })
    const paidTarget = await findPayTarget(db, link(customId, mode), [])
    const facts = { id, state: 'succeeded', isPaid: true, amount: '1500' }
    assert.deepEqual(paidTarget?.holder, { ...facts, data: null, isErased: false })
    assert.equal(paidTarget.inReviewElsewhere?.id, reviewed)
  })

  test(`a paid ${mode} payment in review does not hide an earlier unpaid payment in review`, async () => {
    const customId = `order-${randomUUID()}`
    const reviewed = await insertInReview({ customId, mode })
    await setInReview(await insert({ customId, mode }))
    const find = async () => (await findPayTarget(db, link(customId, mode), []))?.inReviewElsewhere
    assert.equal((await find())?.id, reviewed)
    await rows(db, 'update transactions set needs_review = false where id = $1', [reviewed])
    assert.equal(await find(), null)
  })

  test(`an erased ${mode} order is blocked by its own paid payment, not by a failed payment or a payment of ${otherMode} mode`, async () => {
    const hash = randomBytes(32)
    const customId = `order-${randomUUID()}`
    await setErased(await insert({ customId, mode: otherMode }), hash)
    await setErased(await insert({ customId, mode, state: 'failed' }), hash)
    assert.equal((await findPayTarget(db, link(customId, mode), [], hash))?.holder, null)
    const id = await insert({ customId, mode })
    await setErased(id, hash)
    const target = await findPayTarget(db, link(customId, mode), [], hash)
    const facts = { id, state: 'succeeded', isPaid: true, amount: '1500' }
    assert.deepEqual(target?.holder, { ...facts, data: null, isErased: true })
  })

  test(`the page of a ${mode} payment ignores payments of ${otherMode} mode or of another project`, async () => {
    const customId = `order-${randomUUID()}`
    const id = await insert({ customId, mode, state: 'failed' })
    await insert({ customId, mode: otherMode })
    await insertInReview({ customId, mode: otherMode })
    await insert({ customId, mode }, otherProject.id)
    await insertInReview({ customId, mode }, otherProject.id)
    await insert({ customId, mode, state: 'failed' })
    assert.equal((await findShownPayment(db, id))?.other, null)
  })
}

test('if an order has a payment in review and a paid one, the page of its failed payment shows the payment in review', async () => {
  const customId = `order-${randomUUID()}`
  const id = await insert({ customId, state: 'failed' })
  const paid = await insert({ customId })
  const findOther = async () => {
    const { standing, id: otherId } = (await findShownPayment(db, id))!.other!
    return [standing, otherId]
  }
  assert.deepEqual(await findOther(), ['paid', paid])
  const reviewed = await insertInReview({ customId })
  assert.deepEqual(await findOther(), ['in_review', reviewed])
})

test('if an order has a payment in review and an open one, the page of its failed payment shows the payment in review', async () => {
  const customId = `order-${randomUUID()}`
  const id = await insert({ customId, state: 'failed' })
  const open = await insert({ customId, state: 'processing' })
  const withOpen = (await findShownPayment(db, id))?.other
  assert.deepEqual([withOpen?.standing, withOpen?.id], ['open', open])
  const reviewed = await insertInReview({ customId })
  const withReview = (await findShownPayment(db, id))?.other
  assert.deepEqual([withReview?.standing, withReview?.id], ['in_review', reviewed])
})

test('a payment in review counts as the browser’s own even if the browser made it many attempts ago', async () => {
  const customId = `order-${randomUUID()}`
  const id = await insertInReview({ customId })
  const [row] = await rows<{ attempt_id: string }>(db, 'select attempt_id from transactions where id = $1', [
    id,
  ])
  let laterAttemptId = row!.attempt_id
  for (let n = 0; n < 50; n += 1) laterAttemptId = nextAttemptId(laterAttemptId)
  const target = await findPayTarget(db, link(customId), [laterAttemptId])
  assert.equal(target?.inReviewElsewhere, null)
  assert.deepEqual(
    target?.attempts.map((one) => one.id),
    [id],
  )
})

test('a browser’s attempts are listed latest first', async () => {
  const ids = await insertPayments(deps, projectId, [{ state: 'failed' }, { state: 'failed' }])
  const found = await rows<{ attempt_id: string }>(
    db,
    'select attempt_id from transactions where id = any($1::uuid[])',
    [ids],
  )
  const attemptIds = found.map((row) => row.attempt_id)
  const target = await findPayTarget(db, { projectId, mode: 'live', customId: null }, attemptIds)
  assert.deepEqual(
    target?.attempts.map((one) => one.id),
    ids.toSorted().toReversed(),
  )
})

test('a link finds attempts of the browser only in its own project, and payments of its checkout only in its own project and mode', async () => {
  const insertOf = async (project: string, mode: 'live' | 'test') => {
    const id = await insertInReview({ mode }, project)
    const [row] = await rows<{ attempt_id: string }>(
      db,
      'select attempt_id from transactions where id = $1',
      [id],
    )
    return { id, attemptId: row!.attempt_id }
  }
  const checkoutId = randomUUID()
  const insertInCheckout = async (project: string, mode: 'live' | 'test') => {
    const { id } = await insertOf(project, mode)
    await db.transaction(async (tx) => {
      await rows(tx, 'alter table transactions disable trigger user')
      await rows(tx, 'update transactions set checkout_id = $2 where id = $1', [id, checkoutId])
      await rows(tx, 'alter table transactions enable trigger user')
    })
    return id
  }
  const ofOtherProject = await insertOf(otherProject.id, 'live')
  await insertInCheckout(shop.id, 'test')
  await insertInCheckout(otherProject.id, 'live')
  const find = async (ids: string[]) =>
    (await findPayTarget(db, link(null), ids, null, checkoutId))!.attempts.map((one) => one.id)
  assert.deepEqual(await find([ofOtherProject.attemptId]), [])
  const [own, blocking] = [await insertOf(shop.id, 'live'), await insertInCheckout(shop.id, 'live')]
  assert.deepEqual((await find([own.attemptId])).toSorted(), [own.id, blocking].toSorted())
})

test('if the data of a paid order is erased, its signed link still shows that the order is paid', async () => {
  const customId = `order-${randomUUID()}`
  const hash = randomBytes(32)
  const toHash = (project: string, id: string | null) =>
    project === shop.id && id === customId ? hash : null
  const erasing = { ...deps, erasedOrders: { ...deps.erasedOrders, toHash } }
  const path = toLink(shop, { customId, signed: true })
  const kindOf = async () =>
    (await showLink(erasing, createTestPayer(), parseQuery(path.slice(path.indexOf('?') + 1)))).kind
  assert.equal(await kindOf(), 'ready')
  await setErased(await insert({ customId }), hash)
  assert.equal(await kindOf(), 'already_paid')
})

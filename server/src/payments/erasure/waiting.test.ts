import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { eraseAll, makeOlder, skipMarkPause, skipWaitingPause, payLongAgo } from '../../../test/erasure.ts'
import { newOrder, startPayments } from '../../../test/payments.ts'
import { toDate } from '../../lib/clock.ts'
import { newUuidV7 } from '../../lib/id.ts'
import { adoptDuplicate, adoptPayment } from '../adopt-store.ts'
import { confirmPayment } from '../confirm.ts'
import { eraseOnce } from './erase.ts'
import { lockProgress } from './erasure-store.ts'

const { deps, projectId } = await startPayments({ PAYMENT_DATA_RETENTION_DAYS: '30' })
const { db } = deps

const setReview = (id: string, needsReview: boolean) =>
  rows(db, 'update transactions set needs_review = $2 where id = $1', [id, needsReview])

const isErased = async (id: string) =>
  (await rows(db, 'select from transactions where id = $1 and erased_at is not null', [id])).length === 1

test('a payment in review is not erased, even without an open incident, and is checked again only after a pause', async () => {
  const id = await payLongAgo(deps, newOrder(projectId, { data: 'text' }), 40)
  await setReview(id, true)
  await eraseAll(deps)
  assert.equal(await isErased(id), false)
  // eraseAll has just checked the payment, so the next check is ten minutes later.
  const checkedRecently = `select from erasure_waiting where transaction_id = $1 and checked_at > now() - interval '5 minutes'`
  assert.equal((await rows(db, checkedRecently, [id])).length, 1)
  await setReview(id, false)
  await eraseOnce(deps)
  assert.equal(await isErased(id), false)
  await rows(db, `update erasure_waiting set checked_at = now() - interval '9 minutes'`)
  await eraseOnce(deps)
  assert.equal(await isErased(id), false)
  await skipWaitingPause(deps)
  await eraseOnce(deps)
  assert.equal(await isErased(id), true)
  assert.equal((await rows(db, 'select from erasure_waiting')).length, 0)
})

test('if a payment is adopted with a lower id than an erased payment, the adopted payment is erased too, and so are newer payments', async () => {
  const createdAt = toDate(deps.clock.nowMs() - 50 * 86_400_000)
  for (const [adopt, youngDays] of [
    [adoptPayment, 39],
    [adoptDuplicate, 38],
  ] as const) {
    const id = newUuidV7({ nowMs: () => createdAt.getTime() })
    const order = { customId: randomUUID(), data: 'text', checkoutId: null, attemptId: randomUUID() }
    const origin = {
      installationId: deps.installation.id,
      projectId,
      mode: 'live',
      scale: 2,
      createdAt,
    } as const
    const lost = { id, amount: 1n, currency: 'EUR', backend: 'sandbox', upstreamAccount: 'sandbox' }
    assert.equal((await adopt(db, { ...lost, origin: { ...origin, ...order } }))?.id, id)
    await rows(
      db,
      `update transactions set state = 'failed', failure_code = 'declined', completed_at = now(), next_check_at = null
       where id = $1 and completed_at is null`,
      [id],
    )
    const young = await payLongAgo(deps, newOrder(projectId, { data: 'text' }), youngDays)
    await eraseAll(deps)
    assert.deepEqual(
      [await isErased(id), await isErased(young)],
      [false, true],
      'the age of a payment counts from its end',
    )
    await makeOlder(deps, id, 31)
    await skipWaitingPause(deps)
    while (await eraseOnce(deps));
    assert.equal(await isErased(id), true)
  }
})

test('if a payment is stored with a lower id than a payment marked for erasure, the stored payment is erased later, and other payments are not delayed', async () => {
  const marked = await payLongAgo(deps, newOrder(projectId, { data: 'text' }), 36)
  while (await eraseOnce(deps));
  const order = { customId: randomUUID(), data: 'text' }
  const late = await payLongAgo(deps, newOrder(projectId, order), 37)
  await skipMarkPause(deps)
  while (await eraseOnce(deps));
  assert.deepEqual([await isErased(marked), await isErased(late)], [true, false])
  await skipWaitingPause(deps)
  while (await eraseOnce(deps));
  assert.equal(await isErased(late), true)
  const again = await confirmPayment(deps, newOrder(projectId, order))
  assert.equal(again.kind, 'already_paid')
})

test('while one process erases, another process does nothing and does not wait', async () => {
  await db.transaction(async (tx) => {
    assert.notEqual(await lockProgress(tx), null)
    assert.equal(await db.transaction(lockProgress), null)
  })
  assert.notEqual(await db.transaction(lockProgress), null)
})

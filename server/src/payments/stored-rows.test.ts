import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { RECEIPTS_PER_PAYMENT_MAX } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { eraseAll, payLongAgo } from '../../test/erasure.ts'
import { createIncidents } from '../../test/incidents.ts'
import { listCallbacks, newOrder, requirePayment, startPayments } from '../../test/payments.ts'
import { payFor, reserveRefund } from '../../test/refunds.ts'
import { createPaymentFixtures, newDecision } from '../../test/resolving.ts'
import { insertPayments } from '../../test/transactions.ts'
import { insertDispute } from '../disputes/disputes-store.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7, toFirstUuidV7 } from '../lib/id.ts'
import { endRefund } from '../refunds/end-refund.ts'
import type { LostPayment } from './adopt-store.ts'
import { adoptDuplicate, adoptPayment } from './adopt-store.ts'
import { countTextsDue } from './erasure/erasure-store.ts'
import { raiseIfExceeded } from './exceeded.ts'
import { countIncidents, findIncident, markClosed } from './incidents-store.ts'
import { countReceipt } from './payments-store.ts'
import { findNewestPaymentAt, listPaidPayments, PERIOD_PAGE } from './reads/period-store.ts'
import { resolvePayment } from './resolution/resolve.ts'

const { deps, projectId } = await startPayments({ PAYMENT_DATA_RETENTION_DAYS: '30' })
const { db } = deps
const { end } = createPaymentFixtures(deps, projectId)
const { raise, incidentOf } = createIncidents(deps)
const HOUR_MS = 3_600_000

beforeEach(async () => {
  await rows(db, 'truncate transactions, incidents, callbacks, refunds, disputes cascade')
})

function toLost(fields: Partial<LostPayment['origin']> = {}): LostPayment {
  const origin: LostPayment['origin'] = {
    ...{ installationId: deps.installation.id, projectId, mode: 'live', attemptId: randomUUID() },
    ...{ checkoutId: null, customId: null, data: null, scale: 2, createdAt: toDate(1_700_000_000_000) },
    ...fields,
  }
  const money = { amount: 700n, currency: 'EUR' }
  return { id: newUuidV7(deps.clock), ...money, backend: 'http', upstreamAccount: 'account', origin }
}

test('a lost payment is adopted as open and due for a lookup, but not if another payment has the same attempt or order', async () => {
  const lost = toLost({ customId: 'order', data: 'data', checkoutId: randomUUID() })
  const adopted = await adoptPayment(db, lost)
  assert.deepEqual(adopted, await requirePayment(db, lost.id))
  const { state, amount, customId, data, backend, upstreamAccount, scale, mode, createdAt } = adopted
  assert.deepEqual(
    [state, amount, customId, data, backend, upstreamAccount, scale, mode, createdAt],
    ['processing', 700n, 'order', 'data', 'http', 'account', 2, 'live', lost.origin.createdAt],
  )
  const [row] = await rows(
    db,
    'select checkout_id, attempt_id, next_check_at <= now() as due from transactions where id = $1',
    [lost.id],
  )
  const { checkoutId, attemptId } = lost.origin
  assert.deepEqual(row, { checkout_id: checkoutId, attempt_id: attemptId, due: true })
  assert.equal(await adoptPayment(db, lost), null)
  assert.equal(await adoptPayment(db, toLost({ attemptId })), null)
  assert.equal(await adoptPayment(db, toLost({ customId: 'order' })), null)
  assert.ok(await adoptPayment(db, toLost({ customId: 'order', mode: 'test' })))
})

test('a duplicate is stored as failed and without a callback; it keeps its attempt id if no other payment has this id', async () => {
  const attemptOf = async (id: string) =>
    (await rows<{ attempt_id: string }>(db, 'select attempt_id from transactions where id = $1', [id]))[0]!
      .attempt_id
  const first = toLost({ customId: 'order' })
  await adoptPayment(db, first)
  const { attemptId } = first.origin
  const [sameAttempt, sameOrder] = [toLost({ attemptId }), toLost({ customId: 'order' })]
  for (const lost of [sameAttempt, sameOrder]) {
    const { state, failureCode, needsReview } = (await adoptDuplicate(db, lost))!
    assert.deepEqual([state, failureCode, needsReview], ['failed', 'duplicate', false])
    const ended = 'select from transactions where id = $1 and completed_at is not null'
    assert.equal((await rows(db, ended, [lost.id])).length, 1)
    assert.deepEqual(await listCallbacks(db, lost.id), [])
    assert.equal(await adoptDuplicate(db, lost), null)
  }
  assert.notEqual(await attemptOf(sameAttempt.id), attemptId)
  assert.equal(await attemptOf(sameOrder.id), sameOrder.origin.attemptId)
})

test('the paid payments of a period, also those resolved as paid, are listed page by page in the order of their ids', async () => {
  const count = PERIOD_PAGE + 1
  const all = await insertPayments(
    deps,
    projectId,
    Array.from({ length: count }, () => ({})),
  )
  await insertPayments(deps, projectId, [{ state: 'failed' }, { state: 'processing' }, { state: 'expired' }])
  const paid = await end('failed')
  await rows(db, 'update transactions set needs_review = true where id = $1', [paid.id])
  assert.equal((await resolvePayment(deps, paid.id, newDecision('paid'))).kind, 'resolved')
  const expected = [...all, paid.id].toSorted()
  const periodEnd = toFirstUuidV7(deps.clock.nowMs() + HOUR_MS)
  const list = async (after: string, to = periodEnd) =>
    (await listPaidPayments(db, after, to)).map(({ id }) => id)
  const firstPage = await list(toFirstUuidV7(deps.clock.nowMs() - HOUR_MS))
  assert.deepEqual(firstPage, expected.slice(0, PERIOD_PAGE))
  assert.deepEqual(await list(firstPage.at(-1)!), expected.slice(PERIOD_PAGE))
  assert.deepEqual(await list(expected[0]!, expected[2]), [expected[1]])
})

test('the newest payment is the one with the highest id', async () => {
  assert.equal(await findNewestPaymentAt(db), null)
  await insertPayments(deps, projectId, [
    { createdAt: '2026-01-02T00:00:00.000Z' },
    { createdAt: '2026-01-01T00:00:00.000Z', state: 'processing' },
  ])
  assert.deepEqual(await findNewestPaymentAt(db), toDate(Date.UTC(2026, 0, 1)))
})

test('receipts are counted per payment, up to the maximum', async () => {
  const [payment, second] = [await payFor(deps, projectId), await payFor(deps, projectId)]
  const request = (id: string) => db.transaction((tx) => countReceipt(tx, id))
  for (let count = 0; count < RECEIPTS_PER_PAYMENT_MAX; count += 1)
    assert.equal(await request(payment.id), true)
  assert.equal(await request(payment.id), false)
  assert.equal(await request(second.id), true)
})

test('incidents are found by their number and counted; closed incidents are counted only if requested', async () => {
  const [first, second] = [await end('failed'), await end('failed')]
  for (const { id } of [first, second]) await raise(id)
  const [one, two] = [await incidentOf('mismatch', first.id), await incidentOf('mismatch', second.id)]
  assert.equal((await findIncident(db, two.id))?.transactionId, second.id)
  assert.equal(await findIncident(db, two.id + 1_000), null)
  await db.transaction((tx) => markClosed(tx, one.id))
  assert.deepEqual([await countIncidents(db, false), await countIncidents(db, true)], [1, 2])
})

test('refunds and disputes put a payment in review if their sum exceeds its amount, but not if the sum equals its amount', async () => {
  const payment = await payFor(deps, projectId, { amount: 1500n })
  await reserveRefund(deps, payment, 400n)
  const refund = await reserveRefund(deps, payment, 500n)
  const ended = { state: 'succeeded', failureCode: null, upstreamRef: null, changesInMs: null } as const
  await endRefund(deps, refund, ended)
  const dispute = (amount: bigint) =>
    db.transaction((tx) =>
      insertDispute(tx, {
        ...{ id: newUuidV7(deps.clock), projectId, transactionId: payment.id, mode: 'live', amount },
        ...{ currency: 'EUR', scale: 2, state: 'open', reason: null, respondBy: null },
        ...{ chargeRef: null, upstreamRef: `du_${amount}` },
      }),
    )
  await dispute(600n)
  await raiseIfExceeded(deps, payment)
  assert.equal((await requirePayment(db, payment.id)).needsReview, false)
  await dispute(1n)
  await raiseIfExceeded(deps, payment)
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
  assert.deepEqual((await incidentOf('refund_exceeds', payment.id)).facts, {
    ...{ amount: '1500', currency: 'EUR', refunded: '500', processing: '400', disputed: '601' },
  })
  await raiseIfExceeded(deps, { ...payment, id: randomUUID() })
  assert.equal(await countIncidents(db, true), 1)
})

test('payments with customId or data are counted for erasure once they are old enough, up to the maximum', async () => {
  for (const [daysAgo, fields] of [
    [40, { customId: 'a' }],
    [40, { data: 'b' }],
    [31, { customId: 'c' }],
    [40, {}],
    [30, { customId: 'd' }],
    [20, { customId: 'e' }],
  ] as const)
    await payLongAgo(deps, newOrder(projectId, fields), daysAgo)
  // A payment counts only when it is an hour older than the limit. So the payment of 30 days ago does not count yet.
  assert.deepEqual([await countTextsDue(db, 30, 100), await countTextsDue(db, 30, 2)], [3, 2])
  assert.equal(await countTextsDue(db, 10, 100), 5)
  const waiting = await payLongAgo(deps, newOrder(projectId, { customId: 'in review' }), 40)
  await raise(waiting, 'mismatch', true)
  await eraseAll(deps)
  assert.equal(await countTextsDue(db, 30, 100), 1)
})

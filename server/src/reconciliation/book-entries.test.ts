import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import type { ListingUpstream } from '../../test/listing-upstream.ts'
import { createListingUpstream, toListedPayment } from '../../test/listing-upstream.ts'
import { startPayments } from '../../test/payments.ts'
import { reserveRefund } from '../../test/refunds.ts'
import { createPaymentFixtures, newDecision } from '../../test/resolving.ts'
import type { Charge, DisputeReport, RefundReport } from '../backends/backend.ts'
import type { Listed } from '../backends/pager.ts'
import { recordDispute } from '../disputes/record-dispute.ts'
import { toDate } from '../lib/clock.ts'
import type { Payment } from '../payments/payment.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'
import { endRefund } from '../refunds/end-refund.ts'
import { receiveListedRefund } from '../refunds/receive.ts'
import { checkBooks } from './check-books.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { end } = createPaymentFixtures(deps, projectId)
const DAY_MS = 24 * 3_600_000
const nowMs = deps.clock.nowMs()
const period = { fromMs: nowMs - DAY_MS, toMs: nowMs + DAY_MS }
const LONG_AGO = toDate(nowMs - 3 * DAY_MS)
const ENDED = { state: 'succeeded', failureCode: null, upstreamRef: null, changesInMs: null } as const

let upstream: ListingUpstream

beforeEach(async () => {
  await rows(db, 'truncate transactions, incidents, callbacks, refunds, disputes cascade')
  upstream = createListingUpstream(deps, 'sandbox')
  Object.assign(upstream.backend, { accounts: [null] })
  deps.backends = { ...deps.backends, live: upstream.backend, previous: [] }
})

function list(payment: Payment, fields: Partial<Listed<Charge>> = {}): void {
  const { id } = payment
  upstream.payments.push(toListedPayment(deps, projectId, { id, chargeId: `ch_${id}`, ...fields }))
}

async function pay(): Promise<Payment> {
  const payment = await end('succeeded')
  list(payment)
  return payment
}

const toRefund = (fields: Partial<Listed<RefundReport>>): Listed<RefundReport> => ({
  ...{ id: null, paymentId: null, chargeId: null, status: 'succeeded', amount: 100n, currency: 'EUR' },
  ...{ upstreamRef: null, pendingReason: null, failureCode: null, createdAt: toDate(nowMs), scale: 2 },
  ...fields,
})

const toDispute = (fields: Partial<Listed<DisputeReport>>): Listed<DisputeReport> => ({
  ...{ paymentId: null, chargeId: null, status: 'open', amount: 100n, currency: 'EUR', upstreamRef: 'du_1' },
  ...{ reason: null, respondBy: null, createdAt: toDate(nowMs), scale: 2 },
  ...fields,
})

async function check(options: Partial<Parameters<typeof checkBooks>[1]> = {}) {
  const [checked] = await checkBooks(deps, { ...period, ...options })
  const { payments, refunds, disputes, decided, fresh, differences } = checked!
  const troubles = differences.map(({ object, trouble, id }) => `${object} ${trouble} ${id}`).toSorted()
  return { counts: { payments, refunds, disputes }, decided, fresh, troubles, differences }
}

test('another amount, currency or scale is a difference, and so is a second charge; a repeated report is not', async () => {
  const [amount, currency, scale, twice, repeated] = [
    await end('succeeded'),
    await end('succeeded'),
    await end('succeeded'),
    await pay(),
    await pay(),
  ]
  list(amount, { amount: 1501n })
  list(currency, { currency: 'USD' })
  list(scale, { scale: 0 })
  list(twice, { chargeId: 'ch_second' })
  list(twice, { chargeId: 'ch_failed', status: 'failed' })
  list(repeated)
  list(repeated, { chargeId: null })
  list(repeated, { chargeId: 'ch_failed', status: 'failed' })
  const { troubles, counts, differences } = await check()
  assert.deepEqual(
    troubles,
    [
      `payment amount ${amount.id}`,
      `payment currency ${currency.id}`,
      `payment scale ${scale.id}`,
      `payment charged_twice ${twice.id}`,
    ].toSorted(),
  )
  assert.equal(counts.payments, 5)
  const second = differences.find(({ trouble }) => trouble === 'charged_twice')
  assert.deepEqual(
    [second?.transactionId, second?.here, second?.there],
    [
      twice.id,
      '1500 EUR with 2 decimals, succeeded',
      '1500 EUR with 2 decimals, succeeded, second charge ch_second',
    ],
  )
})

test('if the upstream lists a payment several times, the entry that succeeded is compared', async () => {
  const paid = await end('succeeded')
  for (const status of ['failed', 'succeeded', 'cancelled'] as const) list(paid, { status })
  const failed = await end('failed')
  list(failed, { status: 'failed' })
  const { troubles, counts } = await check()
  assert.deepEqual([troubles, counts.payments], [[], 1])
})

test('a payment that an operator resolved is not compared, but counted as decided', async () => {
  const decided = [await end('succeeded'), await end('succeeded')]
  for (const { id } of decided) {
    await rows(db, 'update transactions set needs_review = true where id = $1', [id])
    assert.equal((await resolvePayment(deps, id, newDecision('paid'))).kind, 'resolved')
  }
  list(decided[0]!, { amount: 1n })
  const { troubles, counts, decided: leftOut } = await check()
  assert.deepEqual([troubles, counts.payments, leftOut], [[], 0, 2])
})

test('an entry is compared if its time in our records or its time at the upstream is in the period', async () => {
  const [onlyHere, both] = [await end('succeeded'), await pay()]
  list(onlyHere, { createdAt: LONG_AGO, amount: 2n })
  upstream.payments.push(toListedPayment(deps, projectId, { createdAt: LONG_AGO }))
  const refund = await reserveRefund(deps, both, 100n)
  await endRefund(deps, refund, ENDED)
  upstream.refunds.push(toRefund({ id: refund.id, createdAt: LONG_AGO, amount: 101n }))
  upstream.refunds.push(toRefund({ paymentId: both.id, upstreamRef: 'rf_old', createdAt: LONG_AGO }))
  await recordDispute(deps, both, toDispute({ paymentId: both.id }))
  upstream.disputes.push(toDispute({ paymentId: both.id, amount: 99n, createdAt: LONG_AGO }))
  upstream.disputes.push(toDispute({ paymentId: both.id, upstreamRef: 'du_old', createdAt: LONG_AGO }))
  const { troubles, counts } = await check()
  assert.deepEqual(troubles, [
    'dispute amount du_1',
    `payment amount ${onlyHere.id}`,
    `refund amount ${refund.id}`,
  ])
  assert.deepEqual(counts, { payments: 2, refunds: 1, disputes: 1 })
})

test('a refund made at the upstream is matched by the upstream’s id, and refunds of another business are ignored', async () => {
  const payment = await pay()
  const knownRefund = await reserveRefund(deps, payment, 100n, {
    ...{ origin: 'upstream', requestedAmount: null, idempotencyKey: null, upstreamRef: 'rf_known' },
  })
  await endRefund(deps, knownRefund, ENDED)
  upstream.refunds.push(
    toRefund({ chargeId: `ch_${payment.id}`, upstreamRef: 'rf_known' }),
    toRefund({ chargeId: 'ch_of_another_business', upstreamRef: 'rf_other' }),
    toRefund({ paymentId: payment.id, upstreamRef: 'rf_unknown' }),
    toRefund({ paymentId: payment.id, status: 'failed', upstreamRef: 'rf_failed' }),
    toRefund({ paymentId: payment.id }),
    toRefund({ id: 'named by the upstream', paymentId: payment.id }),
  )
  const { troubles, counts, differences } = await check()
  assert.deepEqual(troubles, [
    'refund missing_here named by the upstream',
    'refund missing_here rf_unknown',
    'refund missing_here without an id',
  ])
  assert.equal(counts.refunds, 4)
  assert.ok(differences.every(({ transactionId }) => transactionId === payment.id))
})

for (const upstreamRef of [null, 'rf_late'])
  test(`a refund that failed here and was adopted later is not a difference (upstream id: ${upstreamRef})`, async () => {
    const payment = await pay()
    const failed = await reserveRefund(deps, payment, 100n)
    await endRefund(deps, failed, { ...ENDED, state: 'failed' })
    const report = toRefund({ id: failed.id, paymentId: payment.id, upstreamRef })
    upstream.refunds.push(report)
    await receiveListedRefund(deps, upstream.backend, report)
    assert.partialDeepStrictEqual(await check(), { troubles: [], counts: { refunds: 1 } })
  })

test('a dispute that is on one side only is a difference; a listed dispute is ignored if it names only a charge that is not ours', async () => {
  const payment = await pay()
  for (const upstreamRef of ['du_both', 'du_here']) {
    await recordDispute(deps, payment, toDispute({ paymentId: payment.id, upstreamRef }))
  }
  upstream.disputes.push(
    toDispute({ paymentId: payment.id, upstreamRef: 'du_both', scale: null }),
    toDispute({ chargeId: `ch_${payment.id}`, upstreamRef: 'du_there' }),
    toDispute({ chargeId: 'ch_of_another_business', upstreamRef: 'du_other' }),
    toDispute({ paymentId: toListedPayment(deps, projectId).id, upstreamRef: 'du_unknown_payment' }),
  )
  const { troubles, counts, differences } = await check()
  assert.deepEqual(troubles, [
    'dispute missing_here du_there',
    'dispute missing_here du_unknown_payment',
    'dispute missing_there du_here',
  ])
  assert.equal(counts.disputes, 4)
  assert.deepEqual(differences.map(({ transactionId }) => transactionId).toSorted(), [
    payment.id,
    payment.id,
    null,
  ])
  // Now our payment belongs to none of the upstream's accounts. So du_here is not expected in the upstream's list, and
  // du_both counts as missing here. du_there names only a charge, and is ignored.
  Object.assign(upstream.backend, { accounts: ['another'] })
  upstream.payments.length = 0
  assert.deepEqual((await check()).troubles, [
    'dispute missing_here du_both',
    'dispute missing_here du_unknown_payment',
  ])
})

test('paid payments after the compared period are counted, but not compared', async () => {
  for (const status of ['succeeded', 'succeeded', 'failed'] as const) await end(status)
  const pastPeriod = { fromMs: nowMs - 2 * DAY_MS, toMs: nowMs - DAY_MS }
  const { troubles, fresh } = await check({ ...pastPeriod, requestedToMs: nowMs + DAY_MS })
  assert.deepEqual([troubles, fresh], [[], 2])
  assert.equal((await check(pastPeriod)).fresh, 0)
  Object.assign(upstream.backend, { accounts: ['another'] })
  assert.equal((await check({ ...pastPeriod, requestedToMs: nowMs + DAY_MS })).fresh, 0)
})

test('refunds and disputes of an upstream that does not offer them are not read', async () => {
  await pay()
  const isOffered = async () => false
  const failOnRead = async () => assert.fail('the list was read')
  Object.assign(upstream.backend, {
    refunds: { ...upstream.backend.refunds, isOffered },
    disputes: { pollMs: 1_000, isOffered, list: failOnRead },
    lists: { ...upstream.backend.lists, refunds: failOnRead },
  })
  assert.deepEqual((await check()).counts, { payments: 1, refunds: null, disputes: null })
})

test('a difference that only the first of two comparisons finds is not reported', async () => {
  const payment = await end('succeeded')
  const { payments } = upstream.backend.lists!
  let times = 0
  upstream.backend.lists!.payments = async (options) => {
    times += 1
    if (times === 2) list(payment)
    return payments(options)
  }
  assert.deepEqual((await check()).troubles, [])
  assert.equal(times, 2)
  assert.equal((await rows(db, 'select from incidents')).length, 0)
})

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import type { ListingUpstream } from '../../test/listing-upstream.ts'
import { createListingUpstream, toListedPayment } from '../../test/listing-upstream.ts'
import { newOrder, startPayments } from '../../test/payments.ts'
import { reserveRefund } from '../../test/refunds.ts'
import { toCharge } from '../../test/resolving.ts'
import type { PageOptions } from '../backends/pager.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import { openPayment } from '../payments/payments-store.ts'
import { recordReport } from '../payments/record-report.ts'
import { endRefund } from '../refunds/end-refund.ts'
import type { Refund } from '../refunds/refund.ts'
import { checkBooks } from './check-books.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const DAY_MS = 24 * 3_600_000
const period = { fromMs: deps.clock.nowMs() - DAY_MS, toMs: deps.clock.nowMs() + DAY_MS }

let live: ListingUpstream
let kept: ListingUpstream

beforeEach(async () => {
  await rows(db, 'truncate transactions, incidents, callbacks, refunds, disputes cascade')
  live = createListingUpstream(deps, 'http')
  kept = createListingUpstream(deps, 'stripe')
  deps.backends = { ...deps.backends, live: live.backend, previous: [kept.backend] }
})

const open = async (backend: 'http' | 'stripe', account = `account of ${backend}`) =>
  (await openPayment(db, newUuidV7(deps.clock), newOrder(projectId), backend, account))!

async function pay(backend: 'http' | 'stripe', account?: string): Promise<Payment> {
  const payment = await open(backend, account)
  return recordReport(deps, payment, toCharge(payment, { chargeId: `ch_${payment.id}` }))
}

const toListed = ({ id }: Pick<Payment, 'id'>) =>
  toListedPayment(deps, projectId, { id, chargeId: `ch_${id}` })

async function check(): Promise<string[]> {
  const checked = await checkBooks(deps, period)
  const found = checked.flatMap(({ differences }) => differences)
  return found.map(({ upstream, object, trouble, id }) => `${upstream} ${object} ${trouble} ${id}`).toSorted()
}

test('an upstream of BACKENDS_KEPT is compared too, and each difference raises an incident', async () => {
  const [agreeing, missingThere] = [await pay('http'), await pay('stripe')]
  live.payments.push(toListed(agreeing))
  const missingHere = toListedPayment(deps, projectId)
  kept.payments.push(missingHere)
  const expected = [
    `stripe payment missing_here ${missingHere.id}`,
    `stripe payment missing_there ${missingThere.id}`,
  ].toSorted()
  assert.deepEqual(await check(), expected)
  assert.equal((await rows(db, `select from incidents where kind = 'books_differ'`)).length, 2)
})

test('payments of another account of the same upstream are compared only if the upstream lists them', async () => {
  await pay('http', 'another account')
  assert.deepEqual(await check(), [])
  const ofOtherAccount = await pay('http', 'another account')
  live.disputes.push({
    ...{
      paymentId: null,
      chargeId: `ch_${ofOtherAccount.id}`,
      status: 'open',
      amount: 100n,
      currency: 'EUR',
    },
    ...{ upstreamRef: 'du_1', reason: null, respondBy: null, createdAt: null, scale: 2 },
  })
  assert.deepEqual(await check(), [])
  live.payments.push(toListed(ofOtherAccount))
  assert.deepEqual(await check(), [`http payment missing_here ${ofOtherAccount.id}`])
})

test('payments and refunds that another installation made with the same account are not compared', async () => {
  const installationId = 'another'
  const ofOther = toListedPayment(deps, projectId, {}, { installationId })
  live.payments.push(ofOther)
  live.refunds.push({
    ...{ id: newUuidV7(deps.clock), paymentId: ofOther.id, chargeId: null, status: 'succeeded', amount: 1n },
    ...{
      currency: 'EUR',
      upstreamRef: null,
      pendingReason: null,
      failureCode: null,
      createdAt: null,
      scale: 2,
    },
    origin: {
      ...{ installationId, requestedBy: 'api', idempotencyKey: null, requestedAmount: null, reason: null },
      createdAt: ofOther.origin.createdAt,
    },
  })
  assert.deepEqual(await check(), [])
})

test('an open payment or refund is compared once it is a day old, and a lost dispute is compared immediately', async () => {
  const [paid, young, old] = [await pay('http'), await open('http'), await open('http')]
  const [youngRefund, oldRefund] = [
    await reserveRefund(deps, paid, 100n),
    await reserveRefund(deps, paid, 200n),
  ]
  await db.transaction(async (tx) => {
    await rows(tx, 'alter table transactions disable trigger user')
    await rows(tx, `update transactions set created_at = created_at - interval '25 hours' where id = $1`, [
      old.id,
    ])
    await rows(tx, 'alter table transactions enable trigger user')
  })
  await rows(db, `update refunds set created_at = created_at - interval '25 hours' where id = $1`, [
    oldRefund.id,
  ])
  live.payments.push(toListed(paid), toListed(young), toListed(old))
  for (const { id, amount } of [youngRefund, oldRefund])
    live.refunds.push({
      ...{ id, paymentId: paid.id, chargeId: null, status: 'succeeded', amount, currency: 'EUR' },
      ...{ upstreamRef: `rf_${id}`, pendingReason: null, failureCode: null, createdAt: null, scale: 2 },
    })
  for (const status of ['lost', 'won', 'inquiry'] as const)
    live.disputes.push({
      ...{
        paymentId: paid.id,
        chargeId: null,
        status,
        amount: 100n,
        currency: 'EUR',
        upstreamRef: `du_${status}`,
      },
      ...{ reason: null, respondBy: null, createdAt: null, scale: 2 },
    })
  const expected = [
    `http payment missing_here ${old.id}`,
    `http refund missing_here ${oldRefund.id}`,
    'http dispute missing_here du_lost',
  ]
  assert.deepEqual(await check(), expected.toSorted())
})

test('a refund is expected only in the list of its payment’s upstream', async () => {
  const [own, ofOtherUpstream] = [await pay('http'), await pay('stripe')]
  live.payments.push(toListed(own))
  kept.payments.push(toListed(ofOtherUpstream))
  const end = { state: 'succeeded', failureCode: null, upstreamRef: null, changesInMs: null } as const
  const refunds: Refund[] = []
  for (const [payment, amount] of [
    [own, 100n],
    [own, 200n],
    [ofOtherUpstream, 300n],
  ] as const) {
    const refund = await reserveRefund(deps, payment, amount)
    await endRefund(deps, refund, end)
    refunds.push(refund)
  }
  const report = ({ id, transactionId, amount }: Refund) => ({
    ...{
      id,
      paymentId: transactionId,
      chargeId: null,
      status: 'succeeded' as const,
      amount,
      currency: 'EUR',
    },
    ...{ upstreamRef: null, pendingReason: null, failureCode: null, createdAt: null, scale: 2 },
  })
  live.refunds.push(report(refunds[0]!))
  kept.refunds.push(report(refunds[2]!))
  assert.deepEqual(await check(), [`http refund missing_there ${refunds[1]!.id}`])
})

test('the lists are read from a week before the period to two days after it', async () => {
  const requested: PageOptions[] = []
  const { payments } = live.backend.lists!
  live.backend.lists!.payments = (options) => {
    requested.push(options)
    return payments(options)
  }
  await check()
  assert.deepEqual(
    requested.map(({ since, until }) => [since.getTime(), until?.getTime()]),
    [[period.fromMs - 7 * DAY_MS, period.toMs + 2 * DAY_MS]],
  )
  live.isListing = false
  const [checked] = await checkBooks(deps, period)
  assert.deepEqual([checked?.isListed, checked?.payments], [false, 0])
})

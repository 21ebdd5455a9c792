import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer } from '../../test/payer.ts'
import { payFor, reserveRefund } from '../../test/refunds.ts'
import { recordDispute } from '../disputes/record-dispute.ts'
import type { Payment } from '../payments/payment.ts'
import { endRefund } from '../refunds/end-refund.ts'
import { findMoneyBack, toNet } from './money-back.ts'
import { findShownPayment } from './shown-payment-store.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const SUCCEEDED = { state: 'succeeded', failureCode: null, upstreamRef: null, changesInMs: null } as const

async function refundPart(payment: Payment, amount: bigint) {
  return endRefund(deps, await reserveRefund(deps, payment, amount), SUCCEEDED)
}

async function openReceipt(payment: Payment, lang = 'en') {
  const payer = new Payer(service.app)
  payer.headers['accept-language'] = lang
  return payer.open(`/pay/${payment.id}`)
}

async function refundedOf(payment: Payment): Promise<unknown> {
  const headers = { accept: 'application/json' }
  const response = await service.app.inject({ url: `/pay/${payment.id}`, headers })
  return response.json<Record<string, unknown>>()['refunded']
}

function dispute(payment: Payment, status: 'open' | 'lost', amount = payment.amount) {
  return recordDispute(deps, payment, {
    paymentId: payment.id,
    chargeId: null,
    status,
    amount,
    currency: 'EUR',
    upstreamRef: `du-${payment.id}`,
    reason: 'fraudulent',
    respondBy: null,
  })
}

test('the receipt shows a partial refund with its date and the amount that remains paid, in both languages', async () => {
  const payment = await payFor(deps, shop.id)
  assert.equal(await refundedOf(payment), '0')
  await refundPart(payment, 500n)
  const page = await openReceipt(payment)
  assert.equal(page.heading, 'Partly refunded')
  assert.match(page.text, /The merchant refunded part of the amount\. In a real payment, it may take/)
  assert.match(page.text, /Refunded<\/dt><dd><bdi>−€5\.00<br><small>\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d CES?T</)
  assert.match(page.text, /Remaining amount paid<\/dt><dd><bdi><b>€10\.00</)
  assert.match(page.text, /Amount paid<\/dt><dd><bdi>€15\.00</)
  assert.match(page.text, />Refunded<\/p><p class="amount">€5\.00</)
  assert.doesNotMatch(page.text, /Payment complete|class="mark ok"/)
  const inMontenegrin = await openReceipt(payment, 'cnr')
  assert.equal(inMontenegrin.heading, 'Novac je djelimično vraćen')
  assert.match(inMontenegrin.text, /Vraćeno<\/dt><dd><bdi>−5,00\u00A0€/)
  assert.equal(await refundedOf(payment), '500')
})

test('the receipt says "Refunded" after refunds of the whole amount in parts', async () => {
  const payment = await payFor(deps, shop.id)
  await refundPart(payment, 500n)
  await refundPart(payment, 1000n)
  const page = await openReceipt(payment)
  assert.equal(page.heading, 'Refunded')
  assert.match(page.text, /−€15\.00/)
  assert.doesNotMatch(page.text, /Remaining amount paid/)
})

test('a refund in progress is shown as such, and a failed refund is not shown', async () => {
  const payment = await payFor(deps, shop.id)
  const refund = await reserveRefund(deps, payment, 700n)
  const page = await openReceipt(payment)
  assert.equal(page.heading, 'Payment complete')
  assert.match(page.text, /A refund of €7\.00 is in progress\./)
  assert.match(page.text, /Refund in progress<\/dt><dd><bdi>€7\.00/)
  assert.doesNotMatch(page.text, /Remaining amount paid/)
  await endRefund(deps, refund, { ...SUCCEEDED, state: 'failed', failureCode: 'declined' })
  assert.doesNotMatch((await openReceipt(payment)).text, /efund/)
})

test('a refund in progress is shown below the remaining amount', async () => {
  const payment = await payFor(deps, shop.id)
  await refundPart(payment, 200n)
  await reserveRefund(deps, payment, 700n)
  const { text } = await openReceipt(payment)
  assert.match(text, /<b>€13\.00<\/b><\/bdi><\/dd><\/div><div><dt>Refund in progress<\/dt><dd><bdi>€7\.00</)
})

test('a refund whose money returned to the merchant is no longer shown', async () => {
  const payment = await payFor(deps, shop.id)
  const refund = await refundPart(payment, 700n)
  await endRefund(deps, refund!, { ...SUCCEEDED, state: 'returned' })
  assert.equal((await openReceipt(payment)).heading, 'Payment complete')
})

test('a lost dispute is shown as money that the bank returned; an open dispute changes no amount', async () => {
  const payment = await payFor(deps, shop.id)
  await dispute(payment, 'open')
  const open = await openReceipt(payment)
  assert.equal(open.heading, 'Payment complete')
  assert.match(open.text, /The bank has reported a dispute about this payment\. It is not decided yet\./)
  assert.doesNotMatch(open.text, /Returned|Remaining amount paid/)
  await dispute(payment, 'lost')
  const page = await openReceipt(payment)
  assert.equal(page.heading, 'Refunded')
  assert.match(page.text, /The bank decided the dispute in your favour and returned the money\./)
  assert.match(page.text, /Returned by bank<\/dt><dd><bdi>−€15\.00/)
  const confirmation = await new Payer(service.app).open(`/pay/successful?transactionId=${payment.id}`)
  assert.equal(confirmation.heading, 'Refunded')
})

/** Writes to rows that the database otherwise protects from changes. */
async function changeProtectedRows(
  table: 'refunds' | 'disputes',
  change: string,
  values: readonly unknown[],
) {
  await deps.db.transaction(async (tx) => {
    await rows(tx, `alter table ${table} disable trigger user`)
    await rows(tx, `update ${table} set ${change}`, values)
    await rows(tx, `alter table ${table} enable trigger user`)
  })
}

test('findMoneyBack returns the times at which the last refund and the last dispute of the payment’s own charge ended; toNet is never negative', async () => {
  const payment = await payFor(deps, shop.id)
  const days = ['2026-11-12T00:00:00Z', '2026-11-10T00:00:00Z', '2026-11-14T00:00:00Z']
  for (const [n, day] of days.entries()) {
    const { id } = (await refundPart(payment, 100n))!
    const values = [id, day, n === 2 ? 'another charge' : null]
    await changeProtectedRows('refunds', 'completed_at = $2, charge_ref = $3 where id = $1', values)
  }
  await dispute(payment, 'lost', 200n)
  await changeProtectedRows('disputes', 'closed_at = $2 where transaction_id = $1', [payment.id, days[0]])
  const { payment: shown } = (await findShownPayment(deps.db, payment.id))!
  const moneyBack = (await findMoneyBack(deps.db, shown))!
  const lastDay = new Date(days[0]!)
  assert.deepEqual([moneyBack.refundedAt, moneyBack.byBank, moneyBack.byBankAt], [lastDay, 200n, lastDay])
  assert.equal(toNet(1500n, { refunded: 1000n, byBank: 400n }), 100n)
  assert.equal(toNet(1500n, { refunded: 1500n, byBank: 1500n }), 0n)
})

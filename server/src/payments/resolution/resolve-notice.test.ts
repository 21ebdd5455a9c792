import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCallbacks, requirePayment, startPayments } from '../../../test/payments.ts'
import { createPaymentFixtures, newDecision, toCharge } from '../../../test/resolving.ts'
import type { Order, Payment } from '../payment.ts'
import { recordReport } from '../record-report.ts'
import { resolvePayment } from './resolve.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const { deps, projectId, replica } = await startPayments()
const { db } = deps
const { end, open } = createPaymentFixtures(deps, projectId)

const outcomesOf = async ({ id }: Payment) =>
  (await listCallbacks(db, id)).map(({ result, status }) => `${result} ${status}`).toSorted()

async function deliverAll(): Promise<void> {
  await changeCallbacks(
    db,
    `update callbacks set status = 'delivered', delivered_at = now() where status = 'pending'`,
  )
}

const resolve = async (payment: Payment, as: 'paid' | 'unpaid') => {
  const outcome = await resolvePayment(deps, payment.id, newDecision(as))
  assert.equal(outcome.kind, 'resolved')
  return outcome.kind === 'resolved' ? outcome.callbackId : null
}

const chargeLate = (payment: Payment) => recordReport(deps, payment, toCharge(payment, { chargeId: 'late' }))

const ORDERS: readonly [what: string, toOrder: () => Partial<Order>][] = [
  ['of the same customId', () => ({ customId: crypto.randomUUID() })],
  ['of the same checkout', () => ({ checkoutId: crypto.randomUUID() })],
]

test('if a payment with a second charge is resolved as paid, its delivered or queued success callback is not sent again', async () => {
  for (const isDelivered of [true, false]) {
    const payment = await end('succeeded', { customId: crypto.randomUUID() })
    if (isDelivered) await deliverAll()
    await recordReport(deps, payment, toCharge(payment, { chargeId: 'second' }))
    assert.equal(await resolve(payment, 'paid'), null)
    assert.deepEqual(await outcomesOf(payment), [isDelivered ? 'success delivered' : 'success pending'])
  }
})

test('if a payment was in review before it succeeded, resolving it as paid sends no second success callback', async () => {
  const payment = await open()
  await recordReport(deps, payment, toCharge(payment, { amount: 15n, chargeId: 'ch_1' }))
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_1' }))
  await deliverAll()
  assert.equal(await resolve(payment, 'paid'), null)
  assert.deepEqual(await outcomesOf(payment), ['success delivered'])
  assert.equal((await requirePayment(db, payment.id)).needsReview, false)
})

test('a failure that the merchant already got is not sent again', async () => {
  const payment = await end('failed')
  await deliverAll()
  await chargeLate(payment)
  assert.equal(await resolve(payment, 'unpaid'), null)
  assert.deepEqual(await outcomesOf(payment), ['fail delivered'])
})

for (const [caseName, toOrder] of ORDERS) {
  test(`resolving as unpaid sends no failure while another payment ${caseName} is paid`, async () => {
    const order = toOrder()
    const declined = await end('failed', order)
    const paid = await end('succeeded', order)
    assert.deepEqual(await outcomesOf(declined), ['fail cancelled'])
    await deliverAll()
    await chargeLate(declined)
    assert.equal(await resolve(declined, 'unpaid'), null)
    assert.deepEqual(await outcomesOf(declined), ['fail cancelled'])
    assert.deepEqual(await outcomesOf(paid), ['success delivered'])
  })

  test(`resolving as paid is refused while another payment ${caseName} is paid, and the refusal names the paid payment`, async () => {
    const order = toOrder()
    const declined = await end('failed', order)
    const paid = await end('succeeded', order)
    await chargeLate(declined)
    const outcome = await resolvePayment(deps, declined.id, newDecision('paid'))
    assert.equal(outcome.kind === 'order_held' && outcome.holder?.id, paid.id)
    assert.equal((await requirePayment(db, declined.id)).resolution, null)
  })

  test(`if two payments ${caseName} are resolved as paid at the same time, only one decision succeeds`, async () => {
    const second = await replica()
    for (let round = 0; round < 5; round += 1) {
      const order = toOrder()
      const payments = [await end('failed', order), await end('failed', order)]
      for (const payment of payments) await chargeLate(payment)
      const outcomes = await Promise.all(
        payments.map(({ id }, index) => resolvePayment(index === 0 ? deps : second, id, newDecision('paid'))),
      )
      assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['order_held', 'resolved'])
    }
  })
}

test('payments of other checkouts and of the other mode do not block a decision', async () => {
  const checkoutId = crypto.randomUUID()
  const declined = await end('failed', { checkoutId })
  await end('succeeded', { checkoutId: crypto.randomUUID() })
  await end('succeeded', { checkoutId, mode: 'test' })
  await chargeLate(declined)
  assert.notEqual(await resolve(declined, 'paid'), null)
})

test('a queued success is cancelled when the payment is resolved as unpaid, even if another payment has paid the order', async () => {
  const order = { checkoutId: crypto.randomUUID() }
  const first = await end('succeeded', order)
  const second = await end('succeeded', order)
  await recordReport(deps, first, toCharge(first, { chargeId: 'second' }))
  assert.equal(await resolve(first, 'unpaid'), null)
  assert.deepEqual(await outcomesOf(first), ['success cancelled'])
  assert.deepEqual(await outcomesOf(second), ['success pending'])
})

// What a payer can do while a payment of the checkout or order is in review, and after an operator has resolved it.
// Sandbox amounts: 4000 is declined; 4004 waits for the payer at the bank page.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'
import {
  makeDeclinedAttempts as declineAs,
  listPaymentIds,
  reportCharge as reportChargeOf,
} from '../../test/reviewed-payments.ts'
import { insertPayments } from '../../test/transactions.ts'
import { newUuidV7 } from '../lib/id.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { toReference } from '../payments/payment.ts'
import { openPayment } from '../payments/payments-store.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const IN_REVIEW = 'Your payment is being checked'
const NOT_CHARGED = /This attempt was not charged\./
const newPayer = () => new Payer(service.app)

const paymentsOf = (data: string) => listPaymentIds(deps, data)
const reportCharge = (id: string) => reportChargeOf(deps, id)
const resolve = (id: string, as: 'paid' | 'unpaid') =>
  resolvePayment(deps, id, { as, reason: 'checked with the bank', by: 'operator' })

async function decline(times: number, fields: Parameters<typeof toLink>[1]) {
  const payer = newPayer()
  return { payer, ...(await declineAs(deps, shop, payer, times, fields)) }
}

for (const kind of ['with customId', 'without customId']) {
  const fields = () => (kind === 'with customId' ? { customId: `order-${randomUUID()}` } : {})

  for (const index of [0, 1, 2]) {
    test(`if attempt ${index + 1} of three is in review, the link shows the review and no Pay button (${kind})`, async () => {
      const { payer, link, data, pages, ids } = await decline(3, fields())
      const id = ids[index]!
      await reportCharge(id)
      for (let n = 0; n < 2; n += 1) {
        const page = await payer.open(link)
        assert.deepEqual([page.status, page.heading, page.form], [200, IN_REVIEW, null])
        assert.match(page.text, /it would not be known yet whether money was taken\./)
        assert.ok(page.text.includes(toReference(id)))
        assert.doesNotMatch(page.text, NOT_CHARGED)
      }
      // The payer opened these forms before the review. The last form was not sent yet; the others led to the attempts.
      for (const page of pages) {
        const pressed = await payer.press(page)
        assert.deepEqual([pressed.status, pressed.location], [303, `http://localhost:3000/pay/${id}`])
        const jsonResponse = await newPayer().pressAsJsonClient(page.form!.token)
        assert.equal(JSON.stringify(jsonResponse.json).match(NOT_CHARGED), null)
      }
      payer.jar.clear()
      const withoutCookie = await payer.press(pages.at(-1)!)
      assert.equal(
        withoutCookie.location,
        `http://localhost:3000/pay/${id}`,
        'without a cookie, the token is enough to find the review',
      )
      assert.deepEqual(await paymentsOf(data), ids)
    })
  }

  test(`while another attempt is in review, the page of a declined attempt has no Pay button (${kind})`, async () => {
    const { payer, ids } = await decline(2, fields())
    const openPage = () => payer.open(`/pay/${ids[1]!}`)
    assert.match((await openPage()).text, NOT_CHARGED)
    assert.notEqual((await openPage()).form, null)
    await reportCharge(ids[0]!)
    const whileInReview = await openPage()
    assert.equal(whileInReview.form, null)
    assert.doesNotMatch(whileInReview.text, NOT_CHARGED)
    assert.match(whileInReview.text, /This attempt was not charged, but another payment/)
  })

  test(`while one attempt is in review and another one is at the bank, the link shows the review and no form (${kind})`, async () => {
    const [payer, data] = [newPayer(), randomUUID()]
    const link = toLink(shop, { amount: '4004', data, ...fields() })
    await payer.pay(link)
    await payer.press(await payer.open(link))
    const form = await payer.open(link)
    assert.equal(form.heading, 'Your payment is not finished yet')
    const ids = await paymentsOf(data)
    await reportCharge(ids[0]!)
    const page = await payer.open(link)
    assert.deepEqual([page.heading, page.form], [IN_REVIEW, null])
    assert.equal((await payer.press(form)).location, `http://localhost:3000/pay/${ids[0]!}`)
    assert.deepEqual(await paymentsOf(data), ids)
  })

  test(`once the payment in review is resolved as paid, a form that was opened earlier charges nothing (${kind})`, async () => {
    const { payer, link, data, pages, ids } = await decline(3, fields())
    await reportCharge(ids[0]!)
    assert.equal((await resolve(ids[0]!, 'paid')).kind, 'resolved')
    const page = await payer.open(link)
    assert.equal(page.form, null)
    assert.match(page.heading, /You have already paid|This order is already paid/)
    for (const form of pages) assert.doesNotMatch((await payer.press(form)).text, NOT_CHARGED)
    assert.deepEqual(await paymentsOf(data), ids)
  })

  test(`once the payment in review is resolved as unpaid, the checkout can be paid again (${kind})`, async () => {
    const { payer, link, data, ids } = await decline(3, fields())
    await reportCharge(ids[0]!)
    await payer.open(link)
    assert.equal((await resolve(ids[0]!, 'unpaid')).kind, 'resolved')
    const page = await payer.open(link)
    assert.notEqual(page.form, null)
    await payer.press(page)
    assert.equal((await paymentsOf(data)).length, 4)
  })
}

test('the link of a payment resolved as unpaid shows the way back to the merchant before the Pay button', async () => {
  const { payer, link, ids } = await decline(1, {})
  await reportCharge(ids[0]!)
  await resolve(ids[0]!, 'unpaid')
  const { text } = await payer.open(link)
  assert.match(text, /<a class="button" [^]*<button type="submit" class="button second"/)
})

test('"Pay again" starts a new checkout if the earlier checkout was resolved as paid', async () => {
  const { payer, link, data, ids } = await decline(2, {})
  await reportCharge(ids[0]!)
  await resolve(ids[0]!, 'paid')
  const payAgainPage = await payer.open((await payer.open(link)).links.get('Pay again') ?? assert.fail())
  assert.equal(
    (await payer.open(link)).heading,
    'You have already paid',
    'the payment is shown until Pay is pressed again',
  )
  await payer.press(payAgainPage)
  assert.equal((await paymentsOf(data)).length, 3)
  const next = await payer.open(link)
  assert.match(next.text, NOT_CHARGED)
  await payer.press(next)
  assert.equal((await paymentsOf(data)).length, 4)
})

test('the database refuses a payment of a checkout that is in review', async () => {
  const { ids } = await decline(1, {})
  await reportCharge(ids[0]!)
  const [first] = await rows<{ checkout_id: string; data: string }>(
    deps.db,
    'select checkout_id, data from transactions where id = $1',
    [ids[0]],
  )
  const order = {
    attemptId: randomUUID(),
    checkoutId: first!.checkout_id,
    projectId: shop.id,
    mode: 'live' as const,
    amount: 4000n,
    currency: 'EUR',
    scale: 2,
    customId: null,
    data: first!.data,
  }
  assert.equal(await openPayment(deps.db, newUuidV7(deps.clock), order, 'sandbox'), null)
  const outcome = await confirmPayment(deps, order)
  assert.equal(outcome.kind === 'in_flight' && outcome.payment.id, ids[0])
  await resolve(ids[0]!, 'paid')
  assert.equal((await confirmPayment(deps, order)).kind, 'already_paid')
  const otherCheckout = { ...order, checkoutId: randomUUID() }
  assert.equal((await confirmPayment(deps, otherCheckout)).kind, 'payment', 'another checkout can be paid')
})

test('another device sees the review with a signed link, and the Pay button with an unsigned one', async () => {
  const customId = `order-${randomUUID()}`
  const signed = await decline(1, { customId, signed: true })
  await reportCharge(signed.ids[0]!)
  const page = await newPayer().open(signed.link)
  assert.deepEqual([page.heading, page.form], ['The payment is being checked', null])
  assert.ok(page.text.includes(toReference(signed.ids[0]!)))
  assert.ok(!page.text.includes(signed.ids[0]!))
  const stranger = newPayer()
  const shown = await stranger.open(toLink(shop, { amount: '4000', data: signed.data, customId }))
  assert.notEqual(shown.form, null)
  const pressed = await stranger.press(shown)
  assert.equal(pressed.heading, 'A payment for this order is already in progress')
  for (const { text } of [shown, pressed]) assert.ok(!text.includes(toReference(signed.ids[0]!)))
})

for (const holder of ['at the bank', 'in review', 'paid'] as const) {
  test(`a browser whose attempt was declined gets no Pay button while the payment of another device is ${holder}`, async () => {
    const customId = `order-${randomUUID()}`
    const { payer, link, data, ids } = await decline(1, { customId })
    const payElsewhere = async () => {
      const amount = holder === 'at the bank' ? '4004' : '4000'
      await newPayer().pay(toLink(shop, { amount, data: `${data} 2`, customId }))
      return paymentsOf(`${data} 2`)
    }
    const order = { customId, data, amount: 4000 }
    const [otherId = ''] =
      holder === 'paid' ? await insertPayments(deps, shop.id, [order]) : await payElsewhere()
    if (holder === 'in review') await reportCharge(otherId)
    for (const page of [await payer.open(link), await payer.open(`/pay/${ids[0]!}`)]) {
      assert.equal(page.form, null)
      assert.doesNotMatch(page.text, NOT_CHARGED)
      assert.ok(!page.text.includes(otherId))
    }
  })
}

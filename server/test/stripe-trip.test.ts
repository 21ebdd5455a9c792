// Whole payments with Stripe as upstream: the pay link, Stripe's page, the webhook and the callback. Stripe's real SDK calls
// a stand-in for Stripe's API.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verifyCallback } from '@pazar/sdk'
import { startDeliveryWorker } from '../src/callbacks/worker-loop.ts'
import { readSecret } from '../src/secrets/secrets.ts'
import { rows } from './accounts.ts'
import { addCallbackProject } from './deliveries.ts'
import { startTestService } from './harness.ts'
import { startMerchant } from './merchant.ts'
import { Payer, toLink } from './payer.ts'
import { requirePayment, resolveOpenPayments } from './payments.ts'
import { signEvent, STRIPE_WEBHOOK_SECRET, toEventObject } from './stripe-events.ts'
import { startStripeStandIn, STRIPE_KEY } from './stripe-stand-in.ts'
import { until } from './until.ts'

const merchant = await startMerchant()
const standIn = await startStripeStandIn()
// This hook is registered before the hooks of the service, because the worker must stop before the database is closed.
after(async () => {
  await worker.stop()
  await merchant.close()
  await standIn.close()
})
const { app, deps, logs } = await startTestService({
  ...standIn.env,
  CALLBACK_ALLOW_HOSTS: merchant.hostAndPort,
})
const worker = startDeliveryWorker(deps)

const id = await addCallbackProject(deps, merchant.url)
const shop = { id, secrets: { live: await readSecret(deps, deps.db, id, 'live'), test: '' } }

let orders = 0

async function pay(amount: string) {
  const payer = new Payer(app)
  const customId = `order-${(orders += 1)}`
  const page = await payer.pay(toLink(shop, { amount, customId, data: 'Kafa 1 kg', signed: true }))
  const [row] = await rows<{ id: string }>(deps.db, 'select id from transactions where custom_id = $1', [
    customId,
  ])
  return { payer, page, transactionId: row!.id, customId }
}

async function sendWebhook(type: string, transactionId: string): Promise<void> {
  const { body, headers } = signEvent(type, toEventObject(standIn.require(transactionId)))
  const response = await app.inject({
    method: 'POST',
    url: '/upstream/stripe/webhook',
    headers,
    payload: body,
  })
  assert.equal(response.statusCode, 200)
}

async function untilNotified(transactionId: string, expectedAmount: string) {
  const callbacks = () => merchant.received.filter(({ body }) => body['transactionId'] === transactionId)
  const received = await until(() => callbacks()[0])
  const headers = Object.fromEntries(
    Object.entries(received.headers).map(([name, value]) => [name, String(value)]),
  )
  return verifyCallback(received.raw, headers, {
    secret: shop.secrets.live,
    projectId: id,
    expectedAmount,
  })
}

test('a payer pays at Stripe and returns to the merchant, who has received the callback', async () => {
  const { payer, page, transactionId, customId } = await pay('1500')
  assert.equal(page.location, standIn.require(transactionId).url)
  standIn.act(transactionId, 'pay')
  await sendWebhook('checkout.session.completed', transactionId)
  const callback = await untilNotified(transactionId, '1500')
  assert.deepEqual([callback.successful, callback.customId, callback.amount], [true, customId, '1500'])
  const returnUrl = new URL(standIn.require(transactionId).success_url)
  const { location } = await payer.open(returnUrl.pathname + returnUrl.search)
  const result = new URL(location!)
  assert.equal(result.origin + result.pathname, 'https://shop.example.com/hvala')
  assert.deepEqual(
    [result.searchParams.get('status'), result.searchParams.get('transactionId')],
    ['success', transactionId],
  )
  assert.equal(standIn.countCharges(transactionId), 1)
})

test('when the webhook is late, the return of the payer triggers a lookup', async () => {
  const { payer, transactionId } = await pay('1600')
  standIn.act(transactionId, 'pay')
  const { location } = await payer.open(`/pay/${transactionId}?return=1`)
  assert.match(location ?? '', /status=success/)
  await sendWebhook('checkout.session.completed', transactionId)
  await untilNotified(transactionId, '1600')
  assert.equal((await requirePayment(deps.db, transactionId)).state, 'succeeded')
})

test('a payer who returns without paying can continue at Stripe; after 30 minutes, the payment and the session at Stripe expire', async () => {
  const { payer, transactionId } = await pay('1700')
  const waitingPage = await payer.open(`/pay/${transactionId}?return=1`)
  assert.equal(waitingPage.status, 200)
  assert.ok([...waitingPage.links.values()].includes(standIn.require(transactionId).url!))
  assert.equal((await requirePayment(deps.db, transactionId)).state, 'requires_action')
  // A payer has 30 minutes on Stripe's page.
  await rows(deps.db, "update transactions set action_at = now() - interval '31 minutes' where id = $1", [
    transactionId,
  ])
  await resolveOpenPayments(deps)
  const stored = await requirePayment(deps.db, transactionId)
  assert.deepEqual([stored.state, stored.failureCode], ['expired', 'expired'])
  assert.equal(standIn.require(transactionId).status, 'expired')
  standIn.act(transactionId, 'pay')
  assert.equal(standIn.countCharges(transactionId), 0)
  assert.equal((await untilNotified(transactionId, '1700')).successful, false)
})

test('if Stripe opens a session but responds with an error, the payer continues to that session', async () => {
  standIn.faults.set(1800, 'error_after')
  const { payer, transactionId } = await pay('1800')
  assert.equal((await requirePayment(deps.db, transactionId)).state, 'processing')
  const page = await payer.open(`/pay/${transactionId}`)
  const { url } = standIn.require(transactionId)
  assert.ok(page.location === url || [...page.links.values()].includes(url!), page.text)
  standIn.act(transactionId, 'pay')
  await resolveOpenPayments(deps)
  assert.equal((await requirePayment(deps.db, transactionId)).state, 'succeeded')
  assert.equal(standIn.sessions.filter((one) => one.amount_total === 1800).length, 1)
})

test('if Stripe refuses a payment, the payment fails, and the log has the reason', async () => {
  standIn.faults.set(1900, 'refused')
  const { page, transactionId } = await pay('1900')
  const stored = await requirePayment(deps.db, transactionId)
  assert.deepEqual([stored.state, stored.failureCode], ['failed', 'upstream_unavailable'])
  assert.equal(page.location?.includes('stripe') ?? false, false)
  assert.match(logs.join('\n'), /Stripe refused: 403 invalid_request_error permission_denied/)
})

test('if Stripe does not accept the amount of a payment, the payment fails with that reason', async () => {
  // Stripe accepts at most eight digits.
  const { page, transactionId } = await pay('123456789')
  const stored = await requirePayment(deps.db, transactionId)
  assert.deepEqual([stored.state, stored.failureCode], ['failed', 'amount_too_large'])
  assert.match(page.text, /does not accept such a large amount/)
})

test('a payer who has paid by a method that takes days is not sent to Stripe again', async () => {
  const { payer, transactionId } = await pay('2000')
  standIn.act(transactionId, 'pay_later')
  await sendWebhook('checkout.session.completed', transactionId)
  const waitingPage = await payer.open(`/pay/${transactionId}`)
  assert.equal((await requirePayment(deps.db, transactionId)).state, 'requires_action')
  assert.match(waitingPage.text, /still being processed|do not pay again/i)
  assert.equal(
    [...waitingPage.links.values()].some((url) => url.includes('stripe')),
    false,
  )
  assert.equal(waitingPage.form, null)
  standIn.arrive(transactionId, 'pay')
  await sendWebhook('checkout.session.async_payment_succeeded', transactionId)
  assert.equal((await untilNotified(transactionId, '2000')).successful, true)
})

for (const status of ['succeeded', 'processing', 'requires_capture']) {
  test(`after the session at Stripe has expired, a payment stays open while its payment intent is "${status}"`, async () => {
    const { transactionId } = await pay('2100')
    const payment_intent = {
      object: 'payment_intent',
      id: 'pi_left',
      status,
      last_payment_error: null,
    } as const
    Object.assign(standIn.require(transactionId), { status: 'expired', url: null, payment_intent })
    await sendWebhook('checkout.session.expired', transactionId)
    await resolveOpenPayments(deps)
    assert.equal((await requirePayment(deps.db, transactionId)).state, 'requires_action')
    Object.assign(payment_intent, { status: 'canceled' })
    await resolveOpenPayments(deps)
    assert.equal((await requirePayment(deps.db, transactionId)).state, 'expired')
  })
}

test('with a test key of Stripe, pay pages say that no real money is moved', async () => {
  const page = await new Payer(app).open(toLink(shop, { signed: true }))
  assert.match(page.text, /Test: no real money/)
})

test('no Stripe key is in the log', () => {
  for (const secret of [STRIPE_KEY, STRIPE_WEBHOOK_SECRET])
    assert.equal(logs.join('\n').includes(secret), false)
})

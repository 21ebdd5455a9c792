// What Cancel shows before, during and after a payment. The merchant has no site, so Cancel leads to our own page.
// The sandbox declines the amount 4000.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'
import { insertPayments } from '../../test/transactions.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps, { resultUrl: `${deps.config.baseUrl}/pay/successful` })

const NOT_CHARGED = /not charged|was not started/
const WITH_ORDER = { customId: true, signed: true }
const LINKS = [WITH_ORDER, { ...WITH_ORDER, signed: false }, { customId: false, signed: false }]
const newLink = ({ customId, signed }: (typeof LINKS)[number], amount = '1500') =>
  toLink(shop, {
    amount,
    signed,
    data: randomUUID(),
    ...(customId ? { customId: `order-${randomUUID()}` } : {}),
  })

async function readStatusAsJsonClient(payer: Payer, url: string): Promise<unknown> {
  const cookie = [...payer.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await service.app.inject({ url, headers: { accept: 'application/json', cookie } })
  return response.json<{ status: string }>().status
}

/** Calls `press`, and delays its charge at the upstream until `run` has ended. */
async function whileCharging<T>(run: () => Promise<T>, press: () => Promise<unknown>): Promise<T> {
  const { live } = deps.backends
  const called = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  deps.backends.live = {
    ...live,
    create: async (charge) => {
      called.resolve()
      await released.promise
      return live.create(charge)
    },
  }
  const pressed = press()
  try {
    await called.promise
    return await run()
  } finally {
    released.resolve()
    await pressed
    deps.backends.live = live
  }
}

for (const kind of LINKS) {
  const name = `${kind.signed ? 'a signed' : 'an unsigned'} link ${kind.customId ? 'with' : 'without'} customId`
  test(`Cancel shows "being processed" during the charge and "complete" after it: ${name}`, async () => {
    const payer = new Payer(service.app)
    const page = await payer.open(newLink(kind))
    const cancelUrl = page.links.get('Cancel')!
    // A copy of the browser presses Pay, because the browser leaves before the response and its cookies arrive.
    const copyOfBrowser = new Payer(service.app)
    for (const [cookie, value] of payer.jar) copyOfBrowser.jar.set(cookie, value)
    const during = await whileCharging(
      async () => [await payer.open(cancelUrl), await readStatusAsJsonClient(payer, cancelUrl)] as const,
      () => copyOfBrowser.press(page),
    )
    assert.equal(during[0].heading, 'Your payment is being processed')
    assert.doesNotMatch(during[0].text, NOT_CHARGED)
    assert.equal(during[1], 'pending')
    const after = await payer.open(cancelUrl)
    assert.equal(after.heading, 'Payment complete')
    assert.equal(await readStatusAsJsonClient(payer, cancelUrl), 'success')
  })
}

test('if Pay is pressed after Cancel, the link “Back to the payment” leads to the finished payment', async () => {
  const payer = new Payer(service.app)
  const page = await payer.open(newLink(WITH_ORDER))
  const afterCancel = await payer.open(page.links.get('Cancel')!)
  assert.equal(afterCancel.heading, 'You left before finishing the payment')
  assert.doesNotMatch(afterCancel.text, /not charged/)
  assert.match(
    afterCancel.text,
    /If you pressed “Pay” before you left, go back to the payment and check the result/,
  )
  await new Payer(service.app).press(page) // The response never reaches the first browser.
  assert.equal(
    (await payer.open(afterCancel.links.get('Back to the payment: €15.00')!)).heading,
    'You have already paid',
  )
})

test('in a browser without cookies, the page after Cancel makes no claim about charges', async () => {
  for (const kind of LINKS) {
    const page = await new Payer(service.app).open(newLink(kind))
    const afterCancel = await new Payer(service.app).open(page.links.get('Cancel')!)
    const isSure = kind.signed && kind.customId
    assert.equal(
      afterCancel.heading,
      isSure ? 'You left before finishing the payment' : 'You left the payment page',
    )
    assert.doesNotMatch(afterCancel.text, NOT_CHARGED)
  }
})

test('while another browser pays the order of a signed link, Cancel shows that a payment is in progress', async () => {
  const payer = new Payer(service.app)
  const link = newLink(WITH_ORDER)
  const cancelUrl = (await payer.open(link)).links.get('Cancel')!
  const other = new Payer(service.app)
  const page = await other.open(link)
  const afterCancel = await whileCharging(
    () => payer.open(cancelUrl),
    () => other.press(page),
  )
  assert.equal(afterCancel.heading, 'A payment for this order is already in progress')
  assert.doesNotMatch(afterCancel.text, /not charged|was not started/)
})

test('Cancel after a decline shows the declined attempt', async () => {
  const payer = new Payer(service.app)
  const declined = await payer.pay(newLink(WITH_ORDER, '4000'))
  const afterCancel = await payer.open(declined.links.get('Cancel')!)
  assert.equal(afterCancel.heading, 'The payment did not go through')
  assert.equal(await readStatusAsJsonClient(payer, declined.links.get('Cancel')!), 'fail')
})

for (const state of ['succeeded', 'processing'] as const)
  test(`Cancel after a decline offers no retry if a payment from another browser is "${state}"`, async () => {
    const payer = new Payer(service.app)
    const [customId, data] = [`order-${randomUUID()}`, randomUUID()]
    const declined = await payer.pay(toLink(shop, { amount: '4000', customId, data, signed: true }))
    const cancelUrl = declined.links.get('Cancel')!
    assert.notEqual((await payer.open(cancelUrl)).form, null)
    await insertPayments(deps, shop.id, [{ customId, data, amount: 4000, state }])
    const afterCancel = await payer.open(cancelUrl)
    assert.equal(afterCancel.form, null)
    assert.match(afterCancel.text, /is in progress or has already gone through\./)
    assert.match(afterCancel.text, /Do not pay again\./)
  })

// A payer left a payment open at the bank and starts over. A new payment begins only once the upstream has reported
// that the first one was cancelled or has failed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { catalogue } from '@pazar/words'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { listPaymentIds } from '../../test/reviewed-payments.ts'
import { rows } from '../../test/accounts.ts'
import { finishBankStep } from '../backends/sandbox.ts'
import { ServiceError } from '../lib/service-error.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const newPayer = () => new Payer(service.app)
const newCustomId = () => `order-${randomUUID()}`
/** An amount whose payment waits at the bank. */
const AT_BANK = '4004'

async function stateOf(id: string): Promise<string> {
  const [row] = await rows<{ state: string }>(deps.db, 'select state from transactions where id = $1', [id])
  return row!.state
}

/** Reads the status of a payment in the upstream's own record. */
async function chargeOf(id: string): Promise<string> {
  const [row] = await rows<{ status: string }>(deps.db, 'select status from sandbox_charges where id = $1', [
    id,
  ])
  return row!.status
}

/** While `work` runs, the upstream confirms no cancellation. */
async function withoutCancel<T>(work: () => Promise<T>): Promise<T> {
  const { live } = deps.backends
  const cancel = () => Promise.reject(new Error('no response'))
  deps.backends.live = { ...live, cancel }
  try {
    return await work()
  } finally {
    deps.backends.live = live
  }
}

for (const customId of [null, 'with a customId']) {
  const fields = () => ({ amount: AT_BANK, ...(customId === null ? {} : { customId: newCustomId() }) })
  const orderText = customId ?? 'without customId'

  test(`a bank step that was left open can be continued or started over (${orderText})`, async () => {
    const payer = newPayer()
    const link = toLink(shop, fields())
    const atBank = await payer.pay(link)
    const page = await payer.open(link)
    assert.equal(page.heading, 'Your payment is not finished yet')
    assert.match(page.text, /If you start over, we first cancel the payment/)
    assert.equal(page.links.get('Continue the payment'), atBank.location)
    assert.match(page.text, /<button type="submit"[^>]*>Start over: pay €40\.04<\/button>/)
  })

  test(`before the bank's result is known, the page of a returning payer says to wait and not to pay again (${orderText})`, async () => {
    const payer = newPayer()
    const atBank = await payer.pay(toLink(shop, fields()))
    const url = `/pay/${toTransactionId(atBank.location)}?return=1`
    const page = await payer.open(url)
    assert.equal(page.heading, 'We are waiting for the result from the bank')
    assert.match(page.text, /<strong>If you have already paid on the bank’s page, do not pay again:/)
    assert.doesNotMatch(page.text, /Your payment is not finished yet/)
    assert.equal(page.links.get('Continue the payment'), atBank.location)
    assert.match(page.text, /<button type="submit"[^>]*>Start over: pay €40\.04<\/button>/)
    const inMontenegrin = await payer.open(`${url}&lang=cnr`)
    assert.equal(inMontenegrin.heading, 'Čekamo da banka javi ishod')
    assert.match(inMontenegrin.text, /nemojte plaćati ponovo/)
    const inOtherBrowser = await newPayer().open(url)
    assert.match(inOtherBrowser.text, /do not pay again:/)
    assert.doesNotMatch(inOtherBrowser.text, /start over/i)
    assert.equal(inOtherBrowser.links.get('Continue the payment'), atBank.location)
  })

  test(`starting over first cancels the open payment upstream (${orderText})`, async () => {
    const payer = newPayer()
    const link = toLink(shop, fields())
    const first = toTransactionId((await payer.pay(link)).location)
    const restarted = await payer.press(await payer.open(link))
    const second = toTransactionId(restarted.location)
    assert.notEqual(second, first)
    assert.equal(await chargeOf(first), 'cancelled')
    assert.equal(await stateOf(first), 'expired')
    assert.equal(await stateOf(second), 'requires_action')
  })

  test(`if the upstream does not confirm the cancellation, no new payment begins (${orderText})`, async () => {
    const payer = newPayer()
    const link = toLink(shop, fields())
    const atBank = await payer.pay(link)
    const first = toTransactionId(atBank.location)
    const page = await withoutCancel(async () => payer.press(await payer.open(link)))
    assert.equal(page.status, 200)
    assert.equal(page.heading, 'The first payment could not be cancelled')
    assert.match(page.text, /No new payment was started/)
    assert.equal(page.links.get('Continue the payment'), atBank.location)
    assert.equal(await stateOf(first), 'requires_action')
    // The button on that page sends the cancellation again, and now the upstream confirms.
    const second = toTransactionId((await payer.press(page)).location)
    assert.equal(await stateOf(first), 'expired')
    assert.equal(await stateOf(second), 'requires_action')
  })
}

test('if the bank has charged before the payer starts over, no new payment begins', async () => {
  const [payer, data] = [newPayer(), randomUUID()]
  const link = toLink(shop, { amount: AT_BANK, data })
  const first = toTransactionId((await payer.pay(link)).location)
  const page = await payer.open(link)
  await finishBankStep(deps.db, first, 'approve')
  const response = await payer.press(page)
  assert.equal(response.status, 303)
  assert.match(response.location ?? '', /status=success/)
  assert.equal(toTransactionId(response.location), first)
  assert.deepEqual(await listPaymentIds(deps, data), [first])
})

test('starting over twice at the same time makes one new payment', async () => {
  const payer = newPayer()
  const link = toLink(shop, { amount: AT_BANK })
  await payer.pay(link)
  const page = await payer.open(link)
  const [left, right] = await Promise.all([payer.press(page), payer.press(page)])
  assert.equal(toTransactionId(left.location), toTransactionId(right.location))
})

test('with a signed link another device can start over, but does not see the bank’s page', async () => {
  const link = toLink(shop, { amount: AT_BANK, customId: newCustomId(), signed: true })
  const first = toTransactionId((await newPayer().pay(link)).location)
  const otherDevice = newPayer()
  const page = await otherDevice.pay(link)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'A payment for this order was started elsewhere')
  assert.equal(page.links.has('Continue the payment'), false)
  assert.doesNotMatch(page.text, new RegExp(first))
  const second = toTransactionId((await otherDevice.press(page)).location)
  assert.equal(await chargeOf(first), 'cancelled')
  assert.equal(await stateOf(second), 'requires_action')
  const [failure] = await rows<{ failure_code: string }>(
    deps.db,
    'select failure_code from transactions where id = $1',
    [first],
  )
  assert.equal(failure!.failure_code, 'cancelled')
})

test('if the payment at the bank could not be cancelled, another device is not shown the bank’s page', async () => {
  const link = toLink(shop, { amount: AT_BANK, customId: newCustomId(), signed: true })
  const atBank = await newPayer().pay(link)
  const id = toTransactionId(atBank.location)
  const otherDevice = newPayer()
  const page = await withoutCancel(async () => otherDevice.press(await otherDevice.pay(link)))
  assert.equal(page.heading, 'The first payment could not be cancelled')
  assert.equal(page.links.has('Continue the payment'), false)
  for (const secret of [id, atBank.location!]) assert.ok(!page.text.includes(secret), secret)
  assert.equal(await stateOf(id), 'requires_action')
})

test('a payer whose signed link has another amount can start over while the order’s payment is at the bank', async () => {
  const customId = newCustomId()
  await newPayer().pay(toLink(shop, { amount: AT_BANK, customId }))
  const otherPayer = newPayer()
  const page = await otherPayer.pay(toLink(shop, { amount: '200000', customId, signed: true }))
  assert.equal(page.status, 409)
  assert.equal((await otherPayer.press(page)).status, 303)
})

for (const amount of [AT_BANK, '200000']) {
  const amountText = amount === AT_BANK ? 'the same amount' : 'another amount'

  test(`a stranger whose unsigned link has ${amountText} can neither cancel nor see a payment that is open at the bank`, async () => {
    const customId = newCustomId()
    const payer = newPayer()
    const link = toLink(shop, { amount: AT_BANK, customId })
    const atBank = await payer.pay(link)
    const id = toTransactionId(atBank.location)
    const stranger = newPayer()
    const page = await stranger.pay(toLink(shop, { amount, customId }))
    assert.equal(page.status, amount === AT_BANK ? 200 : 409)
    assert.equal(
      page.heading,
      amount === AT_BANK
        ? 'A payment for this order is already in progress'
        : 'The order details do not match',
    )
    assert.equal(page.form, null)
    for (const secret of [id, atBank.location!]) assert.ok(!page.text.includes(secret), secret)
    assert.deepEqual([await stateOf(id), await chargeOf(id)], ['requires_action', 'requires_action'])
    await finishBankStep(deps.db, id, 'approve')
    assert.match((await payer.open(`/pay/${id}?return=1`)).location ?? '', /status=success/)
  })
}

test('a JSON client with an unsigned link gets only "processing" for an order that is open at the bank', async () => {
  const link = toLink(shop, { amount: AT_BANK, customId: newCustomId() })
  const id = toTransactionId((await newPayer().pay(link)).location)
  const { form } = await newPayer().open(link)
  const { status, json } = await newPayer().pressAsJsonClient(form!.token)
  assert.deepEqual([status, Object.keys(json)], [200, ['status', 'redirectUrl']])
  assert.equal(json['status'], 'processing')
  assert.ok(!JSON.stringify(json).includes(id))
})

test('a browser that left a payment of the order open at the bank may start over with another amount, even if its link is unsigned', async () => {
  const customId = newCustomId()
  const payer = newPayer()
  const id = toTransactionId((await payer.pay(toLink(shop, { amount: AT_BANK, customId }))).location)
  const page = await payer.pay(toLink(shop, { amount: '1500', customId }))
  assert.equal(page.heading, 'A payment for this order was started elsewhere')
  assert.match((await payer.press(page)).location ?? '', /status=success/)
  assert.equal(await chargeOf(id), 'cancelled')
})

test('if a payer starts over and the success of the first payment cannot be stored, the outcome is unknown', async () => {
  const { outcomeUnknown } = catalogue('en').checkout
  const { app, deps: own } = await service.replica()
  const payer = new Payer(app)
  const link = toLink(shop, { amount: AT_BANK, data: `goods ${randomUUID()}` })
  const id = toTransactionId((await payer.pay(link)).location)
  const page = await payer.open(link)
  await finishBankStep(deps.db, id, 'approve')
  const working = { ...own.db }
  own.db.query = (what, values) =>
    what.name === 'payments.settle'
      ? Promise.reject(new ServiceError('unavailable', { retryAfterSec: 2 }))
      : working.query(what, values)
  const pressed = await payer.press(page)
  assert.deepEqual([pressed.status, pressed.heading], [503, outcomeUnknown.heading])
  assert.equal(pressed.headers['retry-after'], '2')
  const { status, json } = await payer.pressAsJsonClient(page.form!.token)
  assert.deepEqual([status, json['code']], [503, 'unavailable'])
  assert.equal(json['detail'], outcomeUnknown.money)
  Object.assign(own.db, working)
  // Once the database is back, the same press shows that the first payment is paid.
  assert.match((await payer.press(page)).location ?? '', /status=success/)
})

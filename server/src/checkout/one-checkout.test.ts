// The attempts of one checkout are linked, even without a customId.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import type { PayerPage } from '../../test/payer.ts'
import { finishBankStep } from '../backends/sandbox.ts'
import { isSuperseded, lockCallback } from '../callbacks/resend-store.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const newPayer = () => new Payer(service.app)
/** A link without customId whose payment is decided at the bank. */
const newLink = () => toLink(shop, { amount: '4004', data: `goods ${randomUUID()}` })

/** Ends the payment to which the response `atBank` redirected, and lets the payer return from the bank. */
async function finish(payer: Payer, atBank: PayerPage, outcome: 'approve' | 'decline'): Promise<PayerPage> {
  const id = toTransactionId(atBank.location)
  await finishBankStep(deps.db, id, outcome)
  return payer.open(`/pay/${id}?return=1`)
}

interface CallbackFacts {
  id: string
  result: string
  status: string
}

async function callbacksFor(link: string): Promise<CallbackFacts[]> {
  const data = new URL(link, 'http://localhost').searchParams.get('data')
  const text = `select c.id, c.result, c.status from callback_states c join transactions t on t.id = c.transaction_id
    where t.data = $1 order by t.created_at, t.id`
  return rows<CallbackFacts>(deps.db, text, [data])
}

async function assertCallbacks(link: string, ...expected: [result: string, status: string][]): Promise<void> {
  const found = await callbacksFor(link)
  assert.deepEqual(
    found.map(({ result, status }) => [result, status]),
    expected,
  )
}

const RETRIES: Record<string, (payer: Payer, link: string, failed: PayerPage) => Promise<PayerPage>> = {
  'on the page of the failed payment': (payer, _link, failed) => payer.press(failed),
  'with the reopened link': (payer, link) => payer.pay(link),
  'in a browser without cookies': (payer, _link, failed) => {
    payer.jar.clear()
    return payer.press(failed)
  },
  'after a press whose payment was never stored': async (payer, link) => {
    const open = await payer.open(link)
    // The press is remembered before the upstream is called, so an error response sets the cookie too.
    const { openingLimiter } = deps
    deps.openingLimiter = {
      ...openingLimiter,
      run: () => Promise.reject(new Error('stopped before the charge')),
    }
    try {
      assert.equal((await payer.press(open)).status, 500)
    } finally {
      deps.openingLimiter = openingLimiter
    }
    return payer.pay(link)
  },
}

for (const [place, tryAgain] of Object.entries(RETRIES)) {
  test(`when a payer pays ${place}, the undelivered callback about the earlier failure is cancelled`, async () => {
    const payer = newPayer()
    const link = newLink()
    const failed = await finish(payer, await payer.pay(link), 'decline')
    assert.equal(failed.heading, 'The payment did not go through')
    await assertCallbacks(link, ['fail', 'pending'])
    const paid = await finish(payer, await tryAgain(payer, link, failed), 'approve')
    assert.match(paid.location ?? '', /status=success/)
    await assertCallbacks(link, ['fail', 'cancelled'], ['success', 'pending'])
  })
}

test('the undelivered callbacks about all failures of a checkout are cancelled when the checkout is paid', async () => {
  const payer = newPayer()
  const link = newLink()
  let page = await finish(payer, await payer.pay(link), 'decline')
  for (let n = 0; n < 3; n += 1) page = await finish(payer, await payer.press(page), 'decline')
  await finish(payer, await payer.press(page), 'approve')
  assert.deepEqual(
    (await callbacksFor(link)).map(({ status }) => status),
    ['cancelled', 'cancelled', 'cancelled', 'cancelled', 'pending'],
  )
})

test('when a payer starts over and pays, the undelivered "fail" of the first payment is cancelled', async () => {
  const payer = newPayer()
  const link = newLink()
  await payer.pay(link)
  const second = await payer.press(await payer.open(link))
  await assertCallbacks(link, ['fail', 'pending'])
  await finish(payer, second, 'approve')
  await assertCallbacks(link, ['fail', 'cancelled'], ['success', 'pending'])
})

test('a second press of an old form leads to the payment that the same browser has paid since then', async () => {
  const payer = newPayer()
  const link = newLink()
  const form = await payer.open(link)
  assert.equal((await payer.press(form)).status, 303)
  payer.jar.clear()
  const atBank = await payer.pay(link)
  const paidId = toTransactionId(atBank.location)
  await finish(payer, atBank, 'approve')
  const repeated = await payer.press(form)
  assert.equal(toTransactionId(repeated.location), paidId)
  assert.match(repeated.location ?? '', /status=success/)
})

test('the callback about a declined attempt is cancelled when the payer pays on the page of the decline', async () => {
  const { live } = deps.backends
  const payer = newPayer()
  const link = toLink(shop, { data: `goods ${randomUUID()}` })
  deps.backends.live = {
    ...live,
    create: async (charge) => ({
      id: charge.id,
      status: 'failed',
      amount: charge.amount,
      currency: charge.currency,
      projectId: charge.projectId,
      actionUrl: null,
      failureCode: 'declined',
      chargeId: null,
    }),
  }
  const declined = await payer.pay(link).finally(() => (deps.backends.live = live))
  assert.equal(declined.status, 402)
  assert.equal((await payer.press(declined)).status, 303)
  await assertCallbacks(link, ['fail', 'cancelled'], ['success', 'pending'])
})

test('a delivered callback about a failure is superseded once its checkout is paid', async () => {
  const payer = newPayer()
  const link = newLink()
  const failed = await finish(payer, await payer.pay(link), 'decline')
  const [fail] = await callbacksFor(link)
  await changeCallbacks(
    deps.db,
    "update callbacks set status = 'delivered', delivered_at = now() where id = $1",
    [fail!.id],
  )
  const isFailSuperseded = () =>
    deps.db.transaction(async (tx) => {
      await lockCallback(tx, shop.id, fail!.id)
      return isSuperseded(tx, shop.id, fail!.id)
    })
  assert.equal(await isFailSuperseded(), false)
  await finish(payer, await payer.press(failed), 'approve')
  assert.equal(await isFailSuperseded(), true)
  await assertCallbacks(link, ['fail', 'delivered'], ['success', 'pending'])
})

test('the callback about a payer’s failure is not cancelled when another payer pays the same link', async () => {
  const [payer, other] = [newPayer(), newPayer()]
  const link = newLink()
  await finish(payer, await payer.pay(link), 'decline')
  await finish(other, await other.pay(link), 'approve')
  await assertCallbacks(link, ['fail', 'pending'], ['success', 'pending'])
})

test('"Pay again" starts a new checkout; the callback about a failure in the new checkout is cancelled when that checkout is paid', async () => {
  const payer = newPayer()
  const link = newLink()
  const failed = await finish(payer, await payer.pay(link), 'decline')
  await finish(payer, await payer.press(failed), 'approve')
  const receipt = await payer.open(link)
  const payAgainPage = await payer.open(receipt.links.get('Pay again') ?? assert.fail())
  const failedAgain = await finish(payer, await payer.press(payAgainPage), 'decline')
  const ofFirstCheckout = [
    ['fail', 'cancelled'],
    ['success', 'pending'],
  ] as [string, string][]
  await assertCallbacks(link, ...ofFirstCheckout, ['fail', 'pending'])
  await finish(payer, await payer.press(failedAgain), 'approve')
  await assertCallbacks(link, ...ofFirstCheckout, ['fail', 'cancelled'], ['success', 'pending'])
})

test('a payment with a customId has no checkout id: only the customId links its attempts', async () => {
  const customId = `order-${randomUUID()}`
  const link = toLink(shop, { customId })
  assert.equal((await newPayer().pay(link)).status, 303)
  const stored = await rows(deps.db, 'select checkout_id from transactions where custom_id = $1', [customId])
  assert.deepEqual(stored, [{ checkout_id: null }])
})

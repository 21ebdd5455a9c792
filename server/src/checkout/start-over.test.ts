import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { addPayShop, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { rows } from '../../test/accounts.ts'
import { finishBankStep } from '../backends/sandbox.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayShop(deps)

const payer = () => new Payer(service.app)
const order = () => `order-${randomUUID()}`
/** An amount whose payment waits at the bank. */
const AT_BANK = '4004'

async function stateOf(id: string): Promise<string> {
  const [row] = await rows<{ state: string }>(deps.db, 'select state from transactions where id = $1', [id])
  return row!.state
}

/** What the upstream's books say of a payment. */
async function chargeOf(id: string): Promise<string> {
  const [row] = await rows<{ status: string }>(deps.db, 'select status from sandbox_charges where id = $1', [
    id,
  ])
  return row!.status
}

/** The upstream cannot promise anything while this runs. */
async function withoutCancel<T>(work: () => Promise<T>): Promise<T> {
  const { live } = deps.backends
  const cancel = () => Promise.reject(new Error('no answer'))
  deps.backends.live = { ...live, cancel }
  try {
    return await work()
  } finally {
    deps.backends.live = live
  }
}

for (const customId of [null, 'with a customId']) {
  const fields = () => ({ amount: AT_BANK, ...(customId === null ? {} : { customId: order() }) })
  const what = customId ?? 'without customId'

  test(`a bank step that was left open can be continued or started anew (${what})`, async () => {
    const one = payer()
    const link = toLink(shop, fields())
    const atBank = await one.pay(link)
    const page = await one.open(link)
    assert.equal(page.heading, 'Your bank is waiting for you to confirm')
    assert.match(page.text, /You will not be charged twice\./)
    assert.equal(page.links.get('Continue to the bank’s page'), atBank.location)
    assert.match(page.text, /<button type="submit"[^>]*>Start over: pay €40\.04<\/button>/)
  })

  test(`starting anew first cancels the open payment upstream (${what})`, async () => {
    const one = payer()
    const link = toLink(shop, fields())
    const first = toTransactionId((await one.pay(link)).location)
    const anew = await one.press(await one.open(link))
    const second = toTransactionId(anew.location)
    assert.notEqual(second, first)
    assert.equal(await chargeOf(first), 'cancelled')
    assert.equal(await stateOf(first), 'expired')
    assert.equal(await stateOf(second), 'requires_action')
  })

  test(`if the upstream does not confirm, no new payment begins (${what})`, async () => {
    const one = payer()
    const link = toLink(shop, fields())
    const atBank = await one.pay(link)
    const first = toTransactionId(atBank.location)
    const page = await withoutCancel(async () => one.press(await one.open(link)))
    assert.equal(page.status, 200)
    assert.equal(page.heading, 'The first payment could not be cancelled')
    assert.match(page.text, /No new payment was started/)
    assert.equal(page.links.get('Continue to the bank’s page'), atBank.location)
    assert.equal(await stateOf(first), 'requires_action')
    // The button on that page tries again, and now the upstream confirms.
    const second = toTransactionId((await one.press(page)).location)
    assert.equal(await stateOf(first), 'expired')
    assert.equal(await stateOf(second), 'requires_action')
  })
}

test('if the bank has charged in the meantime, that payment is the answer and no other begins', async () => {
  const one = payer()
  const link = toLink(shop, { amount: AT_BANK })
  const first = toTransactionId((await one.pay(link)).location)
  const page = await one.open(link)
  await finishBankStep(deps.db, first, 'approve')
  const answer = await one.press(page)
  assert.equal(answer.status, 303)
  assert.match(answer.location ?? '', /status=success/)
  assert.equal(toTransactionId(answer.location), first)
  const [{ n } = { n: 0n }] = await rows<{ n: bigint }>(
    deps.db,
    "select count(*) as n from transactions where project_id = $1 and created_at > now() - interval '1 minute' and data is null and custom_id is null and state = $2",
    [shop.id, 'succeeded'],
  )
  assert.equal(n, 1n)
})

test('pressed twice at once, starting anew is one new payment', async () => {
  const one = payer()
  const link = toLink(shop, { amount: AT_BANK })
  await one.pay(link)
  const page = await one.open(link)
  const [left, right] = await Promise.all([one.press(page), one.press(page)])
  assert.equal(toTransactionId(left.location), toTransactionId(right.location))
})

test('another device can take an order over from a bank’s page left open, but is not shown that page', async () => {
  const link = toLink(shop, { amount: AT_BANK, customId: order() })
  const first = toTransactionId((await payer().pay(link)).location)
  const other = payer()
  const page = await other.pay(link)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'A payment for this order was started elsewhere')
  assert.equal(page.links.has('Continue to the bank’s page'), false)
  assert.doesNotMatch(page.text, new RegExp(first))
  const second = toTransactionId((await other.press(page)).location)
  assert.equal(await chargeOf(first), 'cancelled')
  assert.equal(await stateOf(second), 'requires_action')
  // The first device sees that its own was cancelled, and that nothing was charged.
  const [failure] = await rows<{ failure_code: string }>(
    deps.db,
    'select failure_code from transactions where id = $1',
    [first],
  )
  assert.equal(failure!.failure_code, 'cancelled')
})

test('another amount left open at the bank does not keep the real payer from paying', async () => {
  const customId = order()
  await payer().pay(toLink(shop, { amount: AT_BANK, customId }))
  const real = payer()
  const page = await real.pay(toLink(shop, { amount: '200000', customId }))
  assert.equal(page.status, 409)
  assert.equal((await real.press(page)).status, 303)
})

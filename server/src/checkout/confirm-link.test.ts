import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { listCharges } from '../../test/payments.ts'
import { rows } from '../../test/accounts.ts'
import { countRows } from '../../test/rows.ts'
import { toReference } from '../payments/payment.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const newPayer = () => new Payer(service.app)
const newCustomId = () => `order-${randomUUID()}`

async function stateOf(id: string): Promise<string> {
  const [row] = await rows<{ state: string }>(deps.db, 'select state from transactions where id = $1', [id])
  return row!.state
}

test('after a successful payment the payer is redirected to the merchant with status, transactionId and customId', async () => {
  const customId = newCustomId()
  const response = await newPayer().pay(toLink(shop, { customId, data: 'x' }))
  assert.equal(response.status, 303)
  const id = toTransactionId(response.location)
  assert.equal(
    response.location,
    `https://shop.example.com/hvala?status=success&transactionId=${id}&customId=${customId}`,
  )
  assert.equal(response.headers['cache-control'], 'no-store')
  // The page has the same link, for browsers that do not follow the redirect.
  assert.equal(response.links.get('Continue'), response.location)
  assert.equal(await stateOf(id), 'succeeded')
})

for (const signed of [true, false]) {
  test(`a link that expires while its page is open cannot be paid any more (${signed ? 'signed' : 'unsigned'})`, async () => {
    const { app, deps: own } = await service.replica()
    const payer = new Payer(app)
    const data = `goods ${randomUUID()}`
    const link = toLink(shop, { data, exp: Math.ceil(own.clock.nowMs() / 1000) + 60, signed })
    const page = await payer.open(link)
    assert.ok(page.form)
    const laterMs = own.clock.nowMs() + 120_000
    own.clock = { nowMs: () => laterMs }
    const pressed = await payer.press(page)
    assert.deepEqual([pressed.status, pressed.heading], [410, 'The link has expired'])
    assert.match(pressed.text, /If you pressed “Pay” before, first ask the merchant/)
    const { status, json } = await payer.pressAsJsonClient(page.form.token)
    assert.deepEqual([status, json['code']], [410, 'link_expired'])
    assert.deepEqual(await rows(deps.db, 'select from transactions where data = $1', [data]), [])
  })
}

test('in test mode the return URL has mode=test', async () => {
  const response = await newPayer().pay(toLink(shop, { mode: 'test' }))
  assert.match(response.location ?? '', /status=success&transactionId=[^&]+&mode=test$/)
})

test('a declined payment gets 402 and a page with the reason, the reference and a button to try again', async () => {
  const payer = newPayer()
  const customId = newCustomId()
  const page = await payer.pay(toLink(shop, { amount: '4001', customId }))
  assert.equal(page.status, 402)
  assert.match(page.text, /Insufficient funds\./)
  assert.match(page.text, /This attempt was not charged\./)
  const [{ id } = { id: '' }] = await rows<{ id: string }>(
    deps.db,
    'select id from transactions where custom_id = $1',
    [customId],
  )
  assert.match(page.text, new RegExp(`Payment reference: <code>${toReference(id)}</code>`))
  const retried = await payer.press(page)
  assert.equal(retried.status, 402)
  assert.equal((await listCharges(deps.db, customId)).length, 2, 'the second press was a new attempt')
})

const SANDBOX: [amount: string, status: number, next: RegExp | 'a retry'][] = [
  ['4000', 402, 'a retry'],
  ['4002', 303, /^http:\/\/localhost:3000\/pay\/[0-9a-f-]{36}\?return=1$/],
  ['4003', 303, /^http:\/\/localhost:3000\/pay\/[0-9a-f-]{36}\?return=1$/],
  ['4004', 303, /^http:\/\/localhost:3000\/sandbox\/bank\/[0-9a-f-]{36}$/],
  ['4005', 303, /^http:\/\/localhost:3000\/pay\/[0-9a-f-]{36}\?return=1$/],
  ['4006', 402, 'a retry'],
]
for (const [amount, status, expectedResponse] of SANDBOX) {
  test(`amount ${amount} at the sandbox: the response to Pay is ${status}${expectedResponse instanceof RegExp ? ' with a redirect' : ' with a form for a retry'}`, async () => {
    const response = await newPayer().pay(toLink(shop, { amount }))
    assert.equal(response.status, status)
    if (expectedResponse instanceof RegExp) assert.match(response.location ?? '', expectedResponse)
    else assert.ok(response.form)
  })
}

test('a JSON client gets the outcome of its press as JSON: paid, processing, at the bank or declined', async () => {
  const payer = newPayer()
  const press = async (amount: string) =>
    payer.pressAsJsonClient((await payer.open(toLink(shop, { amount }))).form!.token)
  const paid = await press('1501')
  assert.equal(paid.status, 200)
  assert.deepEqual(Object.keys(paid.json).sort(), ['redirectUrl', 'status', 'transactionId'])
  assert.equal(paid.json['status'], 'succeeded')
  assert.equal((await press('4002')).json['status'], 'processing')
  const atBank = await press('4004')
  assert.equal(atBank.json['status'], 'requires_action')
  assert.match(String(atBank.json['redirectUrl']), /\/sandbox\/bank\//)
  const declined = await press('4001')
  assert.equal(declined.status, 402)
  assert.equal(declined.json['code'], 'payment_failed')
  assert.deepEqual(declined.json['errors'], [
    { path: 'payment', code: 'insufficient_funds', message: 'Insufficient funds.' },
  ])
})

for (const amount of ['1500', '4000', '4003', '4004']) {
  test(`the same token gives the same result, however often it is sent (amount ${amount})`, async () => {
    const page = await newPayer().open(toLink(shop, { amount }))
    const first = await newPayer().press(page)
    const rowsBefore = await countRows(deps.db)
    for (let times = 0; times < 3; times += 1) {
      const next = await newPayer().press(page)
      assert.equal(next.status, first.status)
      assert.equal(next.location, first.location)
    }
    assert.deepEqual(await countRows(deps.db), rowsBefore)
  })
}

test('if the amount in an unsigned link is lowered, the lower amount is charged, unless the project requires signatures', async () => {
  const customId = newCustomId()
  const paid = await newPayer().pay(
    toLink(shop, { customId, data: 'o99' }).replace('amount=1500', 'amount=1'),
  )
  assert.equal(paid.status, 303)
  const [callback] = await rows<{ payload: { amount: string } }>(
    deps.db,
    'select payload from callback_states where transaction_id = $1',
    [toTransactionId(paid.location)],
  )
  assert.equal(callback!.payload.amount, '1')
  const signedOnlyShop = await addPayProject(deps, { requireSignedLinks: true })
  const rowsBefore = await countRows(deps.db)
  const signed = toLink(signedOnlyShop, { customId, data: 'o99', signed: true })
  for (const link of [signed.replace('amount=1500', 'amount=1'), signed.replace(/&sig=[^&]+/, '')])
    assert.equal((await newPayer().open(link)).status, 400)
  assert.deepEqual(await countRows(deps.db), rowsBefore)
})

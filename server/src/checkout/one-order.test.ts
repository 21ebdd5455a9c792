// An order that several browsers open is charged at most once, and each browser sees only what it may see.
// Sandbox amounts: 4000 is declined; 4003 gets no response and is not charged; 4004 waits for the payer at the bank page.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { listCharges } from '../../test/payments.ts'
import { finishBankStep } from '../backends/sandbox.ts'
import { toReference } from '../payments/payment.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const newPayer = () => new Payer(service.app)
const newCustomId = () => `order-${randomUUID()}`

test('50 parallel presses of one form on two replicas make one payment, and all lead to it', async () => {
  const { app } = await service.replica()
  const customId = newCustomId()
  const page = await newPayer().open(toLink(shop, { customId }))
  const presses = Array.from({ length: 50 }, (_, index) =>
    new Payer(index % 2 === 0 ? service.app : app).press(page),
  )
  const responses = await Promise.all(presses)
  assert.deepEqual(await listCharges(deps.db, customId), [{ status: 'succeeded', amount: 1500n }])
  const locations = new Set(
    responses.filter(({ location }) => location?.includes('status=success')).map((one) => one.location),
  )
  assert.equal(locations.size, 1)
  for (const response of responses) {
    assert.equal(response.status, 303)
    assert.equal(toTransactionId(response.location), toTransactionId([...locations][0]!))
  }
})

test('of six browsers that pay one order in parallel with two amounts, only one is charged', async () => {
  const { app } = await service.replica()
  for (let round = 0; round < 5; round += 1) {
    const customId = newCustomId()
    const browsers = [0, 1, 2, 3, 4, 5].map((index) => new Payer(index % 2 === 0 ? service.app : app))
    const pages = await Promise.all(
      browsers.map((payer, index) =>
        payer.open(toLink(shop, { customId, amount: index < 3 ? '1500' : '1600' })),
      ),
    )
    const responses = await Promise.all(browsers.map((payer, index) => payer.press(pages[index]!)))
    assert.equal((await listCharges(deps.db, customId)).length, 1)
    assert.equal(responses.filter(({ status }) => status === 303).length, 1)
    for (const { status } of responses) assert.ok([200, 303, 409].includes(status), String(status))
  }
})

test('another browser that presses Pay for a paid order sees that the order is paid, but not the id of the payment', async () => {
  const customId = newCustomId()
  const link = toLink(shop, { customId })
  const openedBefore = await newPayer().open(link)
  const id = toTransactionId((await newPayer().pay(link)).location)
  const page = await newPayer().press(openedBefore)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'This order is already paid')
  assert.doesNotMatch(page.text, new RegExp(`${id}|${toReference(id)}`))
  const { status, json } = await newPayer().pressAsJsonClient((await newPayer().open(link)).form!.token)
  assert.equal(status, 200)
  assert.deepEqual(json, {
    status: 'succeeded',
    redirectUrl: `https://shop.example.com/hvala?status=success&customId=${customId}`,
  })
  assert.equal((await listCharges(deps.db, customId)).length, 1)
})

test('a signed link whose amount or data differs from the payment is not shown as paid, and pressing Pay is a conflict', async () => {
  const customId = newCustomId()
  const link = toLink(shop, { customId, signed: true })
  await newPayer().pay(link)
  assert.equal((await newPayer().open(link)).heading, 'This order is already paid')
  for (const other of [{ amount: '99900' }, { data: 'another order' }]) {
    const payer = newPayer()
    const page = await payer.open(toLink(shop, { customId, signed: true, ...other }))
    assert.notEqual(page.heading, 'This order is already paid')
    assert.equal((await payer.press(page)).status, 409)
  }
  assert.equal((await listCharges(deps.db, customId)).length, 1)
})

test('if a payer starts over after another browser has paid another amount at the bank, the page shows a conflict, not that the order is paid', async () => {
  const customId = newCustomId()
  const first = toTransactionId((await newPayer().pay(toLink(shop, { amount: '4004', customId }))).location)
  const payer = newPayer()
  const page = await payer.pay(toLink(shop, { customId, signed: true }))
  await finishBankStep(deps.db, first, 'approve')
  const response = await payer.press(page)
  assert.deepEqual([response.status, response.heading], [409, 'The order details do not match'])
  assert.doesNotMatch(response.text, /status=success/)
})

test('if an unsigned link conflicts with a payment, a customId that could be a message to the payer is not shown', async () => {
  const customId = `${newCustomId()} call 069`
  await newPayer().pay(toLink(shop, { customId }))
  const page = await newPayer().pay(toLink(shop, { customId, amount: '5' }))
  assert.equal(page.status, 409)
  assert.doesNotMatch(page.text, /<dt>Order ID/)
})

for (const [caseName, changed] of [
  ['amount', { amount: '5' }],
  ['data', { data: 'another' }],
] as const) {
  test(`a link with another ${caseName} for a paid order is a conflict, and nothing more is charged`, async () => {
    const customId = newCustomId()
    await newPayer().pay(toLink(shop, { customId }))
    const page = await newPayer().pay(toLink(shop, { customId, ...changed }))
    assert.equal(page.status, 409)
    assert.equal(page.heading, 'The order details do not match')
    assert.match(page.text, /<dt>Amount in this link</)
    assert.ok(page.text.includes(`<dt>Order ID</dt><dd><bdi>${customId}<`), page.text)
    assert.match(page.text, /This attempt was not charged\./)
    assert.ok(page.links.has('Return to the merchant’s site'))
    const { token } = (await newPayer().open(toLink(shop, { customId, ...changed }))).form!
    const { status, json } = await newPayer().pressAsJsonClient(token)
    assert.equal(status, 409)
    assert.equal(json['code'], 'custom_id_conflict')
    assert.equal((await listCharges(deps.db, customId)).length, 1)
  })
}

test('after a declined attempt, another browser can pay the order', async () => {
  const customId = newCustomId()
  assert.equal((await newPayer().pay(toLink(shop, { customId, amount: '4000' }))).status, 402)
  assert.equal((await newPayer().pay(toLink(shop, { customId, amount: '1500' }))).status, 303)
})

test('while an order is being paid in another browser, the page says so and links back to the merchant', async () => {
  const customId = newCustomId()
  const link = toLink(shop, { customId, amount: '4003' })
  await newPayer().pay(link)
  const page = await newPayer().pay(link)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'A payment for this order is already in progress')
  assert.match(page.text, /Do not pay again\./)
  assert.doesNotMatch(page.text, /\/pay\/[0-9a-f]{8}-/, 'no other browser gets the address of that payment')
  assert.ok(page.links.has('Check again'))
  assert.ok(page.links.has('Return to the merchant’s site'), [...page.links.keys()].join())
  const { json } = await newPayer().pressAsJsonClient((await newPayer().open(link)).form!.token)
  assert.deepEqual(Object.keys(json).sort(), ['redirectUrl', 'status'])
  assert.equal(json['status'], 'processing')
})

test('an order whose page was opened a hundred times without paying can be paid', async () => {
  const customId = newCustomId()
  const link = toLink(shop, { customId })
  for (let times = 0; times < 100; times += 1) await newPayer().open(link)
  assert.equal((await newPayer().pay(link)).status, 303)
})

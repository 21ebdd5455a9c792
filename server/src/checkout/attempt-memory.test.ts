// Sandbox amounts: 4000 is declined; 4001 is declined for insufficient funds; 4004 waits for the payer at the bank page.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { listPaymentIds, makeDeclinedAttempts, reportCharge } from '../../test/reviewed-payments.ts'
import { insertPayments } from '../../test/transactions.ts'
import { toReference } from '../payments/payment.ts'

const service = await startTestService()
const shop = await addPayProject(service.deps)

const newPayer = () => new Payer(service.app)
const newCustomId = () => `order-${randomUUID()}`

test('a browser whose attempt failed sees that another browser paid the order', async () => {
  const customId = newCustomId()
  const payer = newPayer()
  const link = toLink(shop, { customId, amount: '4000', signed: true })
  const failed = await payer.pay(link)
  assert.equal(failed.status, 402)
  await insertPayments(service.deps, shop.id, [{ customId, amount: 4000 }])
  const page = await payer.open(link)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'This order is already paid')
  assert.doesNotMatch(page.text, /This attempt was not charged\./)
})

test('a link is not shown as paid if its amount differs from the paid amount, even to a browser with a failed attempt', async () => {
  for (const signed of [true, false]) {
    const [payer, customId] = [newPayer(), newCustomId()]
    const link = toLink(shop, { customId, amount: '4000', signed })
    assert.equal((await payer.pay(link)).status, 402)
    await newPayer().pay(toLink(shop, { customId }))
    const page = await payer.open(link)
    assert.notEqual(page.heading, 'This order is already paid')
    assert.doesNotMatch(page.text, /status=success/)
    assert.equal((await payer.press(page)).status, 409)
  }
})

test('a reopened link shows the payment to the browser that paid, and the Pay button to another browser', async () => {
  const payer = newPayer()
  const link = toLink(shop)
  const id = toTransactionId((await payer.pay(link)).location)
  const page = await payer.open(link)
  assert.equal(page.heading, 'You have already paid')
  assert.match(page.text, new RegExp(toReference(id)))
  assert.equal(page.form, null)
  assert.ok((await newPayer().open(link)).form, 'another browser sees the Pay button')
})

test('the link "Pay again", opened twice, starts one payment', async () => {
  const payer = newPayer()
  const link = toLink(shop)
  const first = toTransactionId((await payer.pay(link)).location)
  const payAgainUrl = (await payer.open(link)).links.get('Pay again')
  assert.ok(payAgainUrl)
  const second = toTransactionId((await payer.pay(payAgainUrl)).location)
  assert.notEqual(second, first)
  const reopened = await payer.open(payAgainUrl)
  assert.equal(reopened.heading, 'You have already paid')
  assert.match(reopened.text, new RegExp(toReference(second)))
})

test('after a payment with a customId, its link does not offer to pay again', async () => {
  const payer = newPayer()
  const link = toLink(shop, { customId: newCustomId() })
  await payer.pay(link)
  const page = await payer.open(link)
  assert.equal(page.heading, 'You have already paid')
  assert.equal(page.links.has('Pay again'), false)
})

test('a browser that lost the response to its latest attempt sees that attempt when it opens the link again', async () => {
  const payer = newPayer()
  const link = toLink(shop, { amount: '4000' })
  const declined = await payer.pay(link)
  assert.equal(declined.status, 402)
  const cookies = new Map(payer.jar)
  const retry = await payer.press(declined)
  assert.equal(retry.status, 402)
  // The browser never got that second response, so its cookie still names the first attempt.
  payer.jar.clear()
  for (const [name, value] of cookies) payer.jar.set(name, value)
  const page = await payer.open(link)
  assert.equal(page.status, 200)
  const [latest] = await rows<{ id: string }>(
    service.deps.db,
    'select id from transactions where project_id = $1 order by id desc limit 1',
    [shop.id],
  )
  assert.match(page.text, new RegExp(toReference(latest!.id)))
})

test('two windows of one browser share one attempt: pressing Pay in both makes one payment', async () => {
  const payer = newPayer()
  const link = toLink(shop)
  const [left, right] = [await payer.open(link), await payer.open(link)]
  const firstPress = await payer.press(left)
  const secondPress = await payer.press(right)
  assert.equal(firstPress.status, 303)
  assert.equal(secondPress.location, firstPress.location)
})

test('after a decline the reopened link shows the reason, a form, and a return link with status=fail', async () => {
  const payer = newPayer()
  const link = toLink(shop, { amount: '4001' })
  await payer.pay(link)
  const page = await payer.open(link)
  assert.equal(page.status, 200)
  assert.match(page.text, /role="alert"/)
  assert.match(page.text, /Insufficient funds\. <strong>This attempt was not charged\./)
  assert.ok(page.form)
  const [row] = await rows<{ id: string }>(
    service.deps.db,
    'select id from transactions where project_id = $1 order by id desc limit 1',
    [shop.id],
  )
  assert.equal(
    page.links.get('Cancel and return to the merchant'),
    `https://shop.example.com/hvala?status=fail&transactionId=${row!.id}`,
  )
})

const declineAtBank = (payer: Payer, id: string) =>
  payer.send('POST', `/sandbox/bank/${id}`, 'outcome=decline')

test('a payer who opened the link with a damaged signature can try again after a failure', async () => {
  const payer = newPayer()
  const link = toLink(shop, { amount: '4004', customId: newCustomId(), signed: true })
  const id = toTransactionId((await payer.pay(link)).location)
  await payer.open(link.slice(0, -3))
  await declineAtBank(payer, id)
  const retried = await payer.press(await payer.open(`/pay/${id}?return=1`))
  assert.match(retried.location ?? '', /\/sandbox\/bank\//)
})

test('pressing Pay on a link with a wrong signature does not reveal another browser’s payment in review', async () => {
  const customId = newCustomId()
  const { ids } = await makeDeclinedAttempts(service.deps, shop, newPayer(), 1, { customId })
  const [stranger, data] = [newPayer(), randomUUID()]
  const link = toLink(shop, { amount: '4004', customId, data })
  await stranger.pay(link)
  const [form, formOfWrongLink] = [await stranger.open(link), await stranger.open(`${link}&sig=wrong`)]
  await stranger.press(form)
  const [, second = ''] = await listPaymentIds(service.deps, data)
  await declineAtBank(stranger, second)
  await stranger.open(`/pay/${second}?return=1`)
  await reportCharge(service.deps, ids[0]!)
  const page = await stranger.press(formOfWrongLink)
  assert.equal(page.heading, 'A payment for this order is already in progress')
  assert.ok(!page.text.includes(toReference(ids[0]!)))
})

test('the cookie of an attempt is accepted only for its own link', async () => {
  const payer = newPayer()
  await payer.pay(toLink(shop))
  const [[name, value] = ['', '']] = [...payer.jar].filter(([key]) => key.startsWith('attempt-'))
  assert.match(name, /^attempt-[\w-]{16}$/)
  const otherBrowser = newPayer()
  await otherBrowser.open(toLink(shop, { amount: '2000' }))
  const otherName = [...otherBrowser.jar.keys()].find((key) => key.startsWith('attempt-'))!
  otherBrowser.jar.set(otherName, value)
  assert.ok((await otherBrowser.open(toLink(shop, { amount: '2000' }))).form)
})

test('a browser that opens many links remembers only the latest twelve', async () => {
  const payer = newPayer()
  const listAttempts = () => [...payer.jar.keys()].filter((key) => key.startsWith('attempt-'))
  const opened: string[] = []
  for (let amount = 1; amount <= 30; amount += 1) {
    const earlier = listAttempts()
    await payer.open(toLink(shop, { amount: String(amount) }))
    opened.push(...listAttempts().filter((key) => !earlier.includes(key)))
  }
  assert.equal(opened.length, 30)
  assert.deepEqual(listAttempts().toSorted(), opened.slice(-12).toSorted())
})

test('an hour after a payment, the browser that paid sees the Pay button of the link again', async () => {
  const { app, deps } = await service.replica()
  const payer = new Payer(app)
  await payer.pay(toLink(shop, { amount: '1900' }))
  const laterMs = deps.clock.nowMs() + 60 * 60_000 + 1000
  assert.equal((await payer.open(toLink(shop, { amount: '1900' }))).form, null)
  deps.clock = { nowMs: () => laterMs }
  assert.ok((await payer.open(toLink(shop, { amount: '1900' }))).form)
})

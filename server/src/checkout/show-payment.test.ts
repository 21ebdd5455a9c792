// Sandbox amounts: 4000 is declined; 4002 is charged without a response; 4003 gets no response and is not charged; 4004
// waits for the payer at the bank page.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { rows } from '../../test/accounts.ts'
import { newOrder } from '../../test/payments.ts'
import { newUuidV7 } from '../lib/id.ts'
import { toReference } from '../payments/payment.ts'
import { openPayment } from '../payments/payments-store.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const newPayer = () => new Payer(service.app)
const newCustomId = () => `order-${randomUUID()}`

async function pay(amount: string) {
  const [payer, customId] = [newPayer(), newCustomId()]
  const response = await payer.pay(toLink(shop, { amount, customId }))
  const [row] = await rows<{ id: string }>(deps.db, 'select id from transactions where custom_id = $1', [
    customId,
  ])
  return { id: row!.id, customId, payer, response }
}

test('the page of a paid payment is its receipt, and takes one SQL statement', async () => {
  const { id, customId } = await pay('1500')
  const statementsBefore = deps.db.statementCount()
  const page = await newPayer().open(`/pay/${id}`)
  assert.equal(deps.db.statementCount() - statementsBefore, 1)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'Payment complete')
  for (const fact of ['Knjižara Šćepan', '€15.00', toReference(id), 'This is not a fiscal (tax) receipt.'])
    assert.ok(page.text.includes(fact), fact)
  assert.match(page.text, /Paid on<\/dt><dd><bdi>\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d CES?T</)
  assert.equal(
    page.links.get('Return to the merchant’s site'),
    `https://shop.example.com/hvala?status=success&transactionId=${id}&customId=${customId}`,
  )
})

test('a payer who returns from the bank and has paid is redirected to the merchant', async () => {
  const { id } = await pay('1500')
  const response = await newPayer().open(`/pay/${id}?return=1`)
  assert.equal(response.status, 303)
  assert.match(response.location ?? '', /^https:\/\/shop\.example\.com\/hvala\?status=success/)
})

test('when the page of an open payment is opened, the payment is looked up at the upstream', async () => {
  const { id } = await pay('4002')
  assert.match((await newPayer().open(`/pay/${id}`)).text, /Payment complete/)
})

test('while the result is unknown the page says not to pay again, and reloads itself', async () => {
  const { id, customId } = await pay('4003')
  const page = await newPayer().open(`/pay/${id}`)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'Your payment is being processed')
  assert.match(page.text, /Do not pay again\./)
  assert.ok(
    page.text.includes(
      `<noscript><meta http-equiv="refresh" content="2;url=/pay/${id}?return=1"></noscript>`,
    ),
  )
  assert.match(page.text, new RegExp(`role="status" data-url="/pay/${id}" data-state="processing"`))
  assert.equal(
    page.links.get('Return to the merchant’s site'),
    `https://shop.example.com/hvala?status=pending&transactionId=${id}&customId=${customId}`,
  )
})

test('after two minutes without a result, the page of a payment stops reloading, and offers to check again', async () => {
  const { id } = await pay('4003')
  await rows(deps.db, "update transactions set created_at = now() - interval '121 seconds' where id = $1", [
    id,
  ])
  const page = await newPayer().open(`/pay/${id}`)
  assert.doesNotMatch(page.text, /http-equiv/)
  assert.match(page.text, /The merchant will still get the result/)
  assert.equal(page.links.get('Check again'), `/pay/${id}?return=1`)
})

test('a waiting page without script reloads less and less often', async () => {
  const { id } = await pay('4003')
  const waits: string[] = []
  for (const age of [0, 15, 30, 60]) {
    await rows(
      deps.db,
      'update transactions set created_at = now() - make_interval(secs => $2) where id = $1',
      [id, age],
    )
    waits.push(/content="(\d+);/.exec((await newPayer().open(`/pay/${id}`)).text)?.[1] ?? '')
  }
  assert.deepEqual(waits, ['2', '3', '5', '8'])
})

test('the browser whose payment failed at the bank can try again with one press; another browser cannot', async () => {
  const { id, payer } = await pay('4004')
  await payer.send('POST', `/sandbox/bank/${id}`, 'outcome=decline')
  const page = await payer.open(`/pay/${id}?return=1`)
  assert.equal(page.status, 200)
  assert.equal(page.heading, 'The payment did not go through')
  assert.match(page.text, /This attempt was not charged\./)
  assert.match(page.text, new RegExp(toReference(id)))
  assert.match(page.links.get('Return to the merchant’s site') ?? '', /status=fail/)
  const retried = await payer.press(page)
  assert.match(retried.location ?? '', /\/sandbox\/bank\//)
  assert.equal((await newPayer().open(`/pay/${id}`)).form, null)
})

test("the form on the page of a failed payment tries again with the link's signature", async () => {
  const strict = await addPayProject(deps, { requireSignedLinks: true })
  const payer = newPayer()
  const response = await payer.pay(
    toLink(strict, { amount: '4004', data: 'x', exp: 4_000_000_000, signed: true }),
  )
  const id = toTransactionId(response.location)
  await payer.send('POST', `/sandbox/bank/${id}`, 'outcome=decline')
  const retried = await payer.press(await payer.open(`/pay/${id}?return=1`))
  assert.equal(retried.status, 303)
})

test('while an ended payment is in review, its page says that the payment is being checked, and has no form', async () => {
  const { id, payer, customId } = await pay('4000')
  await rows(deps.db, 'update transactions set needs_review = true where id = $1', [id])
  const pages = [await payer.open(`/pay/${id}`), await payer.open(toLink(shop, { amount: '4000', customId }))]
  for (const page of pages) {
    assert.equal(page.heading, 'Your payment is being checked')
    assert.match(page.text, /Do not pay again\./)
    assert.doesNotMatch(page.text, /This attempt was not charged\./)
    assert.equal(page.form, null)
  }
  const response = await service.app.inject({ url: `/pay/${id}`, headers: { accept: 'application/json' } })
  const body = response.json<Record<string, unknown>>()
  assert.deepEqual([body['status'], body['needsReview']], ['failed', true])
  assert.equal(body['redirectUrl'], pages[0]!.links.get('Return to the merchant’s site'))
  assert.match(String(body['redirectUrl']), /status=pending/)
})

test('a JSON client gets the state, the reference and the next URL', async () => {
  const states: [string, string, RegExp][] = [
    ['1500', 'succeeded', /status=success/],
    ['4000', 'failed', /status=fail/],
    ['4003', 'processing', /\/pay\/[^?]+\?return=1$/],
    ['4004', 'requires_action', /\/sandbox\/bank\//],
  ]
  for (const [amount, status, nextUrl] of states) {
    const { id } = await pay(amount)
    const response = await service.app.inject({ url: `/pay/${id}`, headers: { accept: 'application/json' } })
    const body = response.json<Record<string, string>>()
    assert.equal(response.statusCode, 200)
    assert.equal(response.headers['cache-control'], 'no-store')
    assert.equal(body['status'], status)
    assert.equal(body['transactionId'], id)
    assert.equal(body['reference'], toReference(id))
    assert.equal(body['needsReview'], false)
    assert.match(body['redirectUrl'] ?? '', nextUrl)
  }
})

test('an unknown payment and a malformed payment id get the page "Payment not found"', async () => {
  const unknown = [
    '01a1dd37-308c-7395-a76c-256787d947e0',
    '01A1DD37-308C-7395-A76C-256787D947E0',
    '01a1dd37-308c-4395-a76c-256787d947e0',
    'nonsense',
    '%3Cscript%3E',
    '1',
  ]
  for (const id of unknown) {
    const page = await newPayer().open(`/pay/${id}`)
    assert.equal(page.status, 404, id)
    assert.equal(page.heading, 'Payment not found')
  }
})

test('the sandbox’s bank page refuses payments of another upstream', async () => {
  const { id } = (await openPayment(deps.db, newUuidV7(deps.clock), newOrder(shop.id), 'http'))!
  const payer = newPayer()
  assert.equal((await payer.open(`/sandbox/bank/${id}`)).status, 404)
  assert.equal((await payer.send('POST', `/sandbox/bank/${id}`, 'outcome=approve')).status, 404)
})

test('the sandbox’s bank page shows the amount, accepts an approval, and refuses an unknown outcome', async () => {
  const { id, payer } = await pay('4004')
  const page = await payer.open(`/sandbox/bank/${id}`)
  assert.equal(page.heading, 'Test bank')
  assert.match(page.text, /€40\.04/)
  assert.equal((await payer.send('POST', `/sandbox/bank/${id}`, 'outcome=maybe')).status, 400)
  const approved = await payer.send('POST', `/sandbox/bank/${id}`, 'outcome=approve')
  assert.equal(approved.location, `http://localhost:3000/pay/${id}?return=1`)
  const returned = await payer.open(`/pay/${id}?return=1`)
  assert.match(returned.location ?? '', /status=success/)
  assert.equal((await payer.open('/sandbox/bank/01a1dd37-308c-7395-a76c-256787d947e0')).status, 404)
})

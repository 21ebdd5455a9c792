// GET /pay/successful shows the stored payment. The status in its URL is not trusted.
// Sandbox amounts: 4000 is declined; 4003 gets no response and is not charged.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'
import { ServiceError } from '../lib/service-error.ts'
import { toReference } from '../payments/payment.ts'

const service = await startTestService()
const { deps } = service
const ownPage = `${deps.config.baseUrl}/pay/successful`
const shop = await addPayProject(deps, { resultUrl: ownPage })

const newPayer = () => new Payer(service.app)
const NOBODY = '01a1dd37-308c-7395-a76c-256787d947e0'
const openConfirmation = (query: string, payer = newPayer()) => payer.open(`/pay/successful${query}`)

async function pay(amount: string, fields: Parameters<typeof toLink>[1] = {}) {
  const customId = `order-${randomUUID()}`
  const payer = newPayer()
  const response = await payer.pay(toLink(shop, { amount, customId, ...fields }))
  const find = 'select id from transactions where custom_id = $1'
  const [row] = await rows<{ id: string }>(deps.db, find, [customId])
  return { id: row!.id, customId, payer, response }
}

async function readAsJsonClient(query: string): Promise<object> {
  const url = `/pay/successful${query}`
  const response = await service.app.inject({ url, headers: { accept: 'application/json' } })
  assert.equal(response.statusCode, 200)
  assert.match(String(response.headers['content-type']), /^application\/json/)
  return response.json<object>()
}

test('the confirmation of a paid payment shows its receipt, and takes one SQL statement', async () => {
  const { id, customId, payer, response } = await pay('1500', { data: 'Dvije knjige', signed: true })
  assert.match(response.location ?? '', /\/pay\/successful\?status=success/)
  const statementsBefore = deps.db.statementCount()
  const page = await openConfirmation(`?status=success&transactionId=${id}`)
  assert.equal(deps.db.statementCount() - statementsBefore, 1)
  assert.equal(page.heading, 'Payment complete')
  for (const fact of ['€15.00', 'Dvije knjige', customId, toReference(id), 'Paid on'])
    assert.ok(page.text.includes(fact), fact)
  assert.match(page.text, /Test: no real money/)
  const own = await payer.open(response.location!.replace(deps.config.baseUrl, ''))
  assert.equal(own.heading, 'Payment complete')
})

test('the page and the JSON show the stored state, even if the URL has another status', async () => {
  const states: [amount: string, heading: string, status: string][] = [
    ['1500', 'Payment complete', 'success'],
    ['4000', 'The payment did not go through', 'fail'],
    ['4003', 'Your payment is being processed', 'pending'],
  ]
  for (const [amount, heading, status] of states) {
    const { id } = await pay(amount)
    for (const claimed of ['success', 'fail', 'cancel', 'pending', 'nonsense', '']) {
      const query = `?status=${claimed}&transactionId=${id}`
      assert.equal((await openConfirmation(query)).heading, heading, query)
      assert.deepEqual(await readAsJsonClient(query), { status, transactionId: id }, query)
    }
  }
})

test('if no payment is found, the page does not say in either language whether money was taken', async () => {
  const statuses = ['success', 'fail', 'cancel', 'pending', 'nonsense']
  const queries = [
    '',
    ...statuses.flatMap((status) => [`?status=${status}`, `?status=${status}&transactionId=${NOBODY}`]),
    `?status=cancel&transactionId=${NOBODY}&${toLink(shop).split('?')[1]}`,
    '?transactionId=https://evil.example&status=%22%3E%3Cscript%3E',
  ]
  const texts = {
    en: [
      'You can close this page',
      'Payment not found',
      'You left the payment page',
      /If you paid, |If you are not sure whether you paid, /,
    ],
    cnr: [
      'Možete zatvoriti ovu stranicu',
      'Plaćanje nije pronađeno',
      'Napustili ste stranicu za plaćanje',
      /Ako ste platili, |Ako nijeste sigurni da li ste platili, /,
    ],
  } as const
  for (const [lang, [neutral, unknown, left, money]] of Object.entries(texts)) {
    const payer = newPayer()
    payer.headers['accept-language'] = lang
    for (const query of queries) {
      const page = await openConfirmation(query, payer)
      const heading = query.includes(NOBODY) ? unknown : query === '?status=cancel' ? left : neutral
      assert.deepEqual([page.status, page.heading], [200, heading], query)
      assert.match(page.text, money)
      assert.doesNotMatch(page.text, /class="mark ok"|not charged|nije naplaćen/)
      assert.doesNotMatch(page.text.replaceAll(/href="[^"]*lang=\w+"/g, ''), /evil|"><script>/)
    }
  }
  assert.deepEqual(await readAsJsonClient(''), { status: 'pending' })
  assert.deepEqual(await readAsJsonClient('?status=nonsense&transactionId=1'), { status: 'pending' })
  for (const claimed of ['success', 'cancel']) {
    const query = `?status=${claimed}&transactionId=${NOBODY}`
    assert.deepEqual(await readAsJsonClient(query), { status: 'pending', transactionId: NOBODY }, query)
  }
})

test('while the database is unavailable, the page does not say whether money was taken, and offers to check again', async () => {
  const { id } = await pay('1500')
  const replica = await service.replica()
  replica.deps.db.query = async () => {
    throw new ServiceError('unavailable', { retryAfterSec: 2 })
  }
  const payer = new Payer(replica.app)
  for (const query of [`?status=fail&transactionId=${id}`, `?status=success&transactionId=${id}`]) {
    const page = await payer.open(`/pay/successful${query}`)
    assert.deepEqual([page.status, page.heading], [200, 'This page cannot show whether you have paid'])
    assert.equal(page.links.get('Check again'), `/pay/${id}`)
    assert.doesNotMatch(page.text, /class="mark ok"|not charged/)
  }
  const cancelled = await payer.open(`/pay/successful?status=cancel&${toLink(shop).split('?')[1]}`)
  assert.deepEqual([cancelled.status, cancelled.heading], [200, 'You left the payment page'])
  assert.doesNotMatch(cancelled.text, /not charged|no payment was started/)
})

test('the confirmation page shows no more of a payment than the receipt does', async () => {
  for (const amount of ['1500', '4000', '4003']) {
    const { id } = await pay(amount, { data: 'Tajna', signed: true })
    const withoutAddress = (text: string) =>
      text.replaceAll(/href="\/pay\/[^"]*lang=cnr"/g, '').replaceAll(/content="\d+;/g, '')
    const receipt = await newPayer().open(`/pay/${id}`)
    // The receipt looks up an open payment at the upstream, and the confirmation does not. So the two pages may differ.
    if (amount !== '4003')
      assert.equal(
        withoutAddress((await openConfirmation(`?transactionId=${id}`)).text),
        withoutAddress(receipt.text),
      )
    const unsigned = await pay(amount, { data: 'Tajna' })
    assert.doesNotMatch((await openConfirmation(`?transactionId=${unsigned.id}`)).text, /Tajna/)
  }
})

/** Opens a link and finds the URL of Cancel on its page. The link is signed unless `fields` says otherwise. */
async function findCancelUrl(fields: Parameters<typeof toLink>[1] = {}, payer = newPayer()) {
  const link = toLink(shop, { data: 'Dvije knjige', signed: true, ...fields })
  return { link, cancelUrl: (await payer.open(link)).links.get('Cancel')! }
}
const newOrder = () => ({ customId: `order-${randomUUID()}` })
const BACK = 'Back to the payment: €15.00'

test('a payer who cancels sees the order and the way back to the payment, with and without cookies', async () => {
  const payer = newPayer()
  const { customId } = newOrder()
  const { cancelUrl } = await findCancelUrl({ customId }, payer)
  const browsers: [Payer, money: string][] = [
    [payer, 'So far, this payment has not been started in this browser.'],
    [newPayer(), 'So far, no payment for this order has been received.'],
  ]
  for (const [browser, money] of browsers) {
    const page = await browser.open(cancelUrl)
    assert.equal(page.heading, 'You left before finishing the payment')
    for (const fact of ['Knjižara Šćepan', '€15.00', 'Dvije knjige', customId, money])
      assert.ok(page.text.includes(fact), fact)
    assert.match(page.text, /class="button" href="\/pay\?/)
    assert.equal((await browser.open(page.links.get(BACK)!)).heading, 'Pay Knjižara Šćepan')
  }
  assert.deepEqual(await readAsJsonClient(cancelUrl.slice('/pay/successful'.length)), { status: 'cancel' })
})

test('after Cancel, a link whose amount differs from the paid amount is shown neither as paid nor as unpaid', async () => {
  const { customId } = newOrder()
  const { cancelUrl } = await findCancelUrl({ customId, amount: '99900' })
  await newPayer().pay(toLink(shop, { customId, data: 'Dvije knjige', signed: true }))
  const page = await newPayer().open(cancelUrl)
  assert.equal(page.heading, 'You left the payment page')
  assert.doesNotMatch(page.text, /no payment for this order/)
})

test('if a link is unsigned or has no customId, the page after Cancel does not tell a payer without cookies whether the link was paid', async () => {
  const links = [{}, { signed: false }, { ...newOrder(), signed: false }]
  for (const fields of links) {
    const { cancelUrl } = await findCancelUrl(fields)
    const page = await newPayer().open(cancelUrl)
    assert.equal(page.heading, 'You left the payment page')
    assert.match(page.text, /If you pressed “Pay” before you left, do not pay again/)
    assert.doesNotMatch(page.text, /So far|not charged/)
    assert.ok(page.links.has(BACK))
  }
})

test('after Cancel of an unsigned link, the page shows no more than the checkout page of the link', async () => {
  const { link, cancelUrl } = await findCancelUrl({ ...newOrder(), data: 'Napad', signed: false })
  const [ready, left] = [await newPayer().open(link), await newPayer().open(cancelUrl)]
  for (const page of [ready, left]) {
    assert.ok(page.text.includes('Knjižara Šćepan') && page.text.includes('€15.00'))
    assert.doesNotMatch(page.text, /<bdi>(?:Napad|order-)/)
  }
})

test('a Cancel URL whose link is not valid shows no order and no way back', async () => {
  const { cancelUrl } = await findCancelUrl(newOrder())
  const forged = ['amount=1500', 'amount=1'] as const
  const urls = [
    cancelUrl.replace(...forged),
    cancelUrl.replace('Dvije', 'Tri'),
    cancelUrl.replace(/sig=[\w-]+/, 'sig=AAAA'),
    '/pay/successful?status=cancel',
    '/pay/successful?status=cancel&amount=1500&project=nobody&data=',
  ]
  for (const url of urls) {
    const page = await newPayer().open(url)
    assert.deepEqual([page.status, page.heading], [200, 'You left the payment page'], url)
    assert.doesNotMatch(page.text, /<bdi>(?:Dvije|Tri|order-)|€|Back to the payment|not charged/)
    assert.ok(page.text.includes('If you paid, or are not sure, ask the merchant before you pay again.'))
  }
  // The merchant's name is shown, as on the page of the forged link itself.
  assert.ok((await newPayer().open(urls[0]!)).text.includes('Knjižara Šćepan'))
})

test('after Cancel, a signed link shows that another browser has paid the order or is paying it', async () => {
  const paid = await findCancelUrl(newOrder())
  await newPayer().pay(paid.link)
  const running = await findCancelUrl({ ...newOrder(), amount: '4003' })
  await newPayer().pay(running.link)
  const cases = [
    [paid, 'This order is already paid', 'success'],
    [running, 'A payment for this order is already in progress', 'pending'],
  ] as const
  for (const [{ cancelUrl }, heading, status] of cases) {
    const page = await newPayer().open(cancelUrl)
    assert.equal(page.heading, heading)
    assert.doesNotMatch(page.text, /You cancelled|Back to the payment/)
    assert.deepEqual(await readAsJsonClient(cancelUrl.slice('/pay/successful'.length)), { status })
  }
})

test('after Cancel, an unsigned link does not reveal that another browser has paid the order', async () => {
  const { link, cancelUrl } = await findCancelUrl({ ...newOrder(), signed: false })
  await newPayer().pay(link)
  const page = await newPayer().open(cancelUrl)
  assert.equal(page.heading, 'You left the payment page')
  assert.doesNotMatch(page.text, /So far|already paid/)
  assert.deepEqual(await readAsJsonClient(cancelUrl.slice('/pay/successful'.length)), { status: 'cancel' })
})

// Cases in which a payer could be charged twice, or could see "not charged" after a charge.
// Sandbox amounts: 4000 is declined; 4004 waits for the payer at the bank page.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import type { PayerPage } from '../../test/payer.ts'
import { reportCharge } from '../../test/reviewed-payments.ts'
import { insertPayments } from '../../test/transactions.ts'

const service = await startTestService()
const { deps } = service
const shop = await addPayProject(deps)

const newPayer = () => new Payer(service.app)
const newCustomId = () => `order-${randomUUID()}`

interface Row {
  id: string
  state: string
}

function paymentsOf(data: string): Promise<Row[]> {
  return rows<Row>(deps.db, 'select id, state from transactions where data = $1 order by id', [data])
}

/** Opens the link in two windows at once, so that neither request has the cookie that the response to the other one sets. */
async function openTwice(payer: Payer, link: string): Promise<[PayerPage, PayerPage]> {
  return Promise.all([payer.open(link), payer.open(link)])
}

for (const customId of [undefined, 'with customId']) {
  const orderText = customId ?? 'without customId'
  const fields = (data: string) => ({ amount: '4000', data, ...(customId && { customId: newCustomId() }) })

  test(`if a declined attempt is later reported as charged, pressing Pay on a page that is still open charges nothing (${orderText})`, async () => {
    const data = randomUUID()
    const payer = newPayer()
    const link = toLink(shop, fields(data))
    const firstPage = await payer.open(link)
    const declined = await payer.press(firstPage)
    const [{ id } = { id: '' }] = await paymentsOf(data)
    await reportCharge(deps, id, 'ch_1')
    for (const page of [firstPage, declined]) {
      const response = await payer.press(page)
      assert.equal(response.status, 303)
      assert.equal(response.location, `http://localhost:3000/pay/${id}`)
    }
    assert.equal((await payer.open(`/pay/${id}`)).heading, 'Your payment is being checked')
    assert.equal((await payer.open(link)).form, null)
    assert.equal((await paymentsOf(data)).length, 1)
  })

  test(`if a declined attempt is later reported as charged, sending its token again returns "in_review" (${orderText})`, async () => {
    const data = randomUUID()
    const { token } = (await newPayer().open(toLink(shop, fields(data)))).form!
    const declined = await newPayer().pressAsJsonClient(token)
    assert.deepEqual(
      [declined.status, declined.json['detail']],
      [
        402,
        'This attempt was not charged. You can try again, unless your bank shows a charge: then contact the merchant.',
      ],
    )
    await reportCharge(deps, (await paymentsOf(data))[0]!.id, 'ch_1')
    const { status, json } = await newPayer().pressAsJsonClient(token)
    const message = 'We do not know yet whether money was taken. Do not pay again.'
    assert.equal(status, 402)
    assert.deepEqual(
      [json['code'], json['title'], json['detail'], json['errors']],
      [
        'payment_failed',
        'We do not know the result yet',
        message,
        [{ path: 'payment', code: 'in_review', message }],
      ],
    )
  })

  test(`a payer opens the form to start over while the bank page is open; pressing it after the first attempt has gone into review charges nothing (${orderText})`, async () => {
    const data = randomUUID()
    const payer = newPayer()
    const link = toLink(shop, { ...fields(data), amount: '4004' })
    await payer.pay(link)
    const [{ id } = { id: '' }] = await paymentsOf(data)
    const form = await payer.open(link)
    await payer.send('POST', `/sandbox/bank/${id}`, 'outcome=decline')
    await payer.open(`/pay/${id}?return=1`)
    await reportCharge(deps, id, 'ch_1')
    assert.equal((await payer.press(form)).location, `http://localhost:3000/pay/${id}`)
    assert.deepEqual(await paymentsOf(data), [{ id, state: 'failed' }])
  })
}

test('an order in review is not charged from another device, and a JSON client on that device gets "processing"', async () => {
  const data = randomUUID()
  const link = toLink(shop, { amount: '4000', data, customId: newCustomId() })
  await newPayer().pay(link)
  const [{ id } = { id: '' }] = await paymentsOf(data)
  await reportCharge(deps, id, 'ch_1')
  const page = await newPayer().pay(link)
  assert.equal(page.status, 200)
  assert.match(
    page.text,
    /Do not pay again\.[^]*may still go through\. No money was taken through this page\./,
  )
  assert.doesNotMatch(page.text, new RegExp(id))
  const response = await newPayer().pressAsJsonClient((await newPayer().open(link)).form!.token)
  assert.deepEqual([response.status, response.json['status']], [200, 'processing'])
  assert.equal((await paymentsOf(data)).length, 1)
})

test('a paid payment in review is shown as paid to its payer and their JSON client', async () => {
  const data = randomUUID()
  const payer = newPayer()
  const page = await payer.open(toLink(shop, { data }))
  const paid = await payer.press(page)
  const id = toTransactionId(paid.location)
  await rows(deps.db, 'update transactions set needs_review = true where id = $1', [id])
  assert.equal((await payer.press(page)).location, paid.location)
  const { status, json } = await payer.pressAsJsonClient(page.form!.token)
  assert.deepEqual([status, json['status'], json['redirectUrl']], [200, 'succeeded', paid.location])
  assert.equal((await payer.open(`/pay/${id}`)).heading, 'Payment complete')
})

test('if two windows open a link without customId at the same moment, only one payment is charged', async () => {
  for (const firstIndex of [0, 1]) {
    const data = randomUUID()
    const payer = newPayer()
    const pages = await openTwice(payer, toLink(shop, { data }))
    assert.notEqual(pages[0].form!.token, pages[1].form!.token)
    const responses = [await payer.press(pages[firstIndex]!), await payer.press(pages[1 - firstIndex]!)]
    const reopened = responses.find(({ status }) => status === 410)
    if (reopened) {
      assert.match(reopened.text, /This pay link is also open in another window/)
      assert.match(reopened.text, /This attempt was not charged\./)
      responses.push(await payer.press(reopened))
    }
    assert.ok(responses.some(({ location }) => location?.includes('status=success')))
    for (const page of [...pages, ...(reopened ? [reopened] : [])]) await payer.press(page)
    assert.equal((await paymentsOf(data)).length, 1, `Pay was pressed first in window ${firstIndex}`)
  }
})

test('pressing Pay in a window whose attempt is not in the browser’s cookie charges nothing', async () => {
  const data = randomUUID()
  const payer = newPayer()
  const stray = await newPayer().open(toLink(shop, { data }))
  const page = await payer.open(toLink(shop, { data }))
  assert.equal((await payer.press(stray)).status, 410)
  const refusal = await service.app.inject({
    method: 'POST',
    url: '/pay',
    headers: { cookie: [...payer.jar].map((pair) => pair.join('=')).join('; ') },
    payload: { token: stray.form!.token },
  })
  assert.deepEqual([refusal.statusCode, refusal.json<{ code: string }>().code], [410, 'token_expired'])
  await payer.press(page)
  const response = await payer.press(stray)
  assert.equal(response.status, 200)
  assert.equal(response.heading, 'You have already paid')
  assert.equal((await paymentsOf(data)).length, 1)
})

test('if the page of a failed attempt is still open, pressing Pay on it shows the later attempt that was paid', async () => {
  const data = randomUUID()
  const payer = newPayer()
  const link = toLink(shop, { amount: '4004', data })
  const first = await payer.open(link)
  const decline = async (response: PayerPage) => {
    const id = toTransactionId(response.location)
    await payer.send('POST', `/sandbox/bank/${id}`, 'outcome=decline')
    return payer.open(`/pay/${id}?return=1`)
  }
  const second = await decline(await payer.press(first))
  const third = await decline(await payer.press(second))
  const paying = toTransactionId((await payer.press(third)).location)
  await payer.send('POST', `/sandbox/bank/${paying}`, 'outcome=approve')
  const paid = await payer.open(`/pay/${paying}?return=1`)
  assert.match(paid.location ?? '', /status=success/)
  for (const form of [first, second, third]) {
    const response = await payer.press(form)
    assert.equal(response.status, 303)
    assert.equal(response.location, paid.location)
    assert.equal((await payer.open(link)).heading, 'You have already paid')
  }
  assert.equal((await paymentsOf(data)).length, 3)
})

test('if the page of a failed attempt is still open, pressing Pay on it shows "already paid" if another browser has paid the order', async () => {
  const customId = newCustomId()
  const payer = newPayer()
  const first = await payer.open(toLink(shop, { amount: '4000', customId }))
  const declined = await payer.press(first)
  await insertPayments(deps, shop.id, [{ amount: 4000, customId }])
  for (const form of [first, declined]) {
    const repeated = await payer.press(form)
    assert.equal(repeated.status, 200)
    assert.equal(repeated.heading, 'This order is already paid')
    assert.doesNotMatch(repeated.text, /This attempt was not charged\./)
  }
})

test('if a request fails after the charge, its response still sets the cookie of the attempt', async () => {
  const { app, deps: faulty } = await service.replica()
  const payer = new Payer(app)
  const data = randomUUID()
  const link = toLink(shop, { data })
  const page = await payer.open(link)
  payer.jar.clear()
  faulty.failpoint = (step) => {
    if (step === 'S5') throw new Error('a bug') // S5: the payment is charged and recorded.
  }
  assert.equal((await payer.press(page)).status, 500)
  faulty.failpoint = () => undefined
  const reopened = await payer.open(link)
  assert.equal(reopened.heading, 'You have already paid')
  assert.equal((await paymentsOf(data)).length, 1)
})

test('an invalid form shows the payment that the browser has already made with the link', async () => {
  const payer = newPayer()
  const link = toLink(shop, { data: randomUUID() })
  const page = await payer.open(link)
  await payer.press(page)
  const tampered = await payer.press({ ...page, form: { ...page.form!, token: 'AAAA' } })
  assert.equal(tampered.heading, 'You have already paid')
  assert.equal(tampered.status, 200)
})

test('after a decline, the return URL has status=fail and the payment’s id, even on the page of a refused link', async () => {
  const customId = newCustomId()
  const data = randomUUID()
  const payer = newPayer()
  const link = toLink(shop, { amount: '4000', customId, data, exp: 4_000_000_000, signed: true })
  const declined = await payer.pay(link)
  const [{ id } = { id: '' }] = await paymentsOf(data)
  const returnUrl = `https://shop.example.com/hvala?status=fail&transactionId=${id}&customId=${customId}`
  for (const page of [declined, await payer.open(link)])
    assert.equal(page.links.get('Cancel and return to the merchant'), returnUrl)
  // The same URL is on the page of a link that is refused now.
  const { app } = await service.replica({ REQUIRE_KYC: 'true' })
  const strict = new Payer(app)
  for (const [name, value] of payer.jar) strict.jar.set(name, value)
  const refused = await strict.open(link)
  assert.equal(refused.status, 403)
  assert.equal(refused.links.get('Return to the merchant’s site'), returnUrl)
})

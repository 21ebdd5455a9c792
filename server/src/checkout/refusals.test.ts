// The sandbox declines the amount 4000.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CROSS_SITE_MATRIX, OWN_ORIGIN } from '../../test/cross-site-matrix.ts'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink, toTransactionId } from '../../test/payer.ts'
import { countRows } from '../../test/rows.ts'
import { ServiceError } from '../lib/service-error.ts'

const service = await startTestService()
const shop = await addPayProject(service.deps)

test('when the database fails, pages say what is known about the money and offer a next step', async () => {
  const { app, deps } = await service.replica()
  const payer = new Payer(app)
  const page = await payer.open(toLink(shop))
  const id = toTransactionId((await payer.pay(toLink(shop, { amount: '1700' }))).location)
  deps.db.query = () => Promise.reject(new ServiceError('unavailable', { retryAfterSec: 2 }))

  const opened = await payer.open(toLink(shop))
  assert.equal(opened.status, 503)
  assert.equal(opened.headers['retry-after'], '2')
  // The link may have been paid before, so the page says nothing about charges.
  assert.match(opened.text, /No payment was started this time\./)
  assert.doesNotMatch(opened.text, /This attempt was not charged\./)
  assert.equal(opened.links.get('Try again'), toLink(shop))

  const pressed = await payer.press(page)
  assert.equal(pressed.status, 503)
  assert.match(
    pressed.text,
    /No payment was started this time\.<\/strong><\/p><p>If you also pressed “Pay” earlier/,
  )
  assert.equal(pressed.links.get('Open the pay link again'), page.form!.action)

  const watched = await payer.open(`/pay/${id}`)
  assert.equal(watched.status, 503)
  assert.match(watched.text, /This does not affect your payment\. Do not pay again\./)
  assert.equal(watched.links.get('Try again'), `/pay/${id}`)
})

test('after an internal error during a press, the page says that the result is unknown', async () => {
  const { app, deps } = await service.replica()
  const payer = new Payer(app)
  const page = await payer.open(toLink(shop))
  deps.failpoint = () => Promise.reject(new Error('a bug'))
  const pressed = await payer.press(page)
  assert.equal(pressed.status, 500)
  assert.equal(pressed.heading, 'We do not know the result yet')
  assert.match(pressed.text, /Do not pay again\./)
  assert.doesNotMatch(pressed.text, /a bug|at .*\.ts/)
})

test('after an internal error when a link is opened, the page says only that no payment was started this time', async () => {
  const { app, deps } = await service.replica()
  deps.db.query = () => Promise.reject(new Error('a bug'))
  const page = await new Payer(app).open(toLink(shop))
  assert.equal(page.status, 500)
  assert.match(page.text, /No payment was started this time\./)
  assert.doesNotMatch(page.text, /This attempt was not charged\./)
})

test('a JSON client learns whether the signature is missing or wrong; the payer gets the same page in both cases', async () => {
  const demanding = await addPayProject(service.deps, { requireSignedLinks: true })
  const request = async (url: string) => {
    const response = await service.app.inject({ url, headers: { accept: 'application/json' } })
    const { code, errors } = response.json<{ code: string; errors?: { path: string; message: string }[] }>()
    return [response.statusCode, code, errors?.map(({ path, message }) => `${path}: ${message}`)]
  }
  const missing = [400, 'invalid_signature', ['sig: This link must be signed.']]
  assert.deepEqual(await request(toLink(demanding)), missing)
  assert.deepEqual(await request(`${toLink(shop)}&mode=test`), missing)
  assert.deepEqual(await request(`${toLink(demanding)}&sig=AAAA`), [400, 'invalid_signature', undefined])

  for (const link of [toLink(demanding), `${toLink(demanding)}&sig=AAAA`]) {
    const page = await new Payer(service.app).open(link)
    assert.deepEqual([page.status, page.heading], [400, 'This pay link is not valid'])
    assert.doesNotMatch(page.text, /must be signed/)
  }
})

test('limits: too many requests from one IP address get 429, as a page or as problem JSON', async () => {
  const { app } = await service.replica({
    RATE_LIMITS: 'on',
    RATE_LIMIT_PAY_GET: '3',
    RATE_LIMIT_PAY_POST: '6',
    RATE_LIMIT_PAY_POST_LINK: '2',
    RATE_LIMIT_PAY_STATE: '2',
  })
  const payer = new Payer(app)
  const pages = [await payer.open(toLink(shop)), await payer.open(toLink(shop, { amount: '1600' }))]
  await payer.open(toLink(shop))
  const refused = await payer.open(toLink(shop))
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  assert.match(refused.text, /No payment was started this time\./)
  assert.doesNotMatch(refused.text, /This attempt was not charged\./)

  // The limits of this test are two presses per link and IP address, and six per IP address over all links.
  assert.equal((await payer.press(pages[0]!)).status, 303)
  assert.equal((await payer.press(pages[0]!)).status, 303)
  const third = await payer.press(pages[0]!)
  assert.equal(third.status, 429)
  assert.doesNotMatch(third.text, /not charged/)
  assert.match(third.text, /If you also pressed “Pay” earlier, that payment may have gone through\./)
  assert.equal((await payer.press(pages[1]!)).status, 303)
  assert.equal((await payer.press(pages[1]!)).status, 303)
  assert.equal((await payer.press(pages[1]!)).status, 429)
  const jsonResponse = await app.inject({ method: 'POST', url: '/pay', payload: { token: 'AAAA' } })
  assert.equal(jsonResponse.statusCode, 429)
  assert.equal(jsonResponse.json<{ code: string }>().code, 'rate_limited')
})

test('limits: if one IP address has reached its limit, a payer of the same merchant at another IP address can still pay', async () => {
  const env = { RATE_LIMITS: 'on', RATE_LIMIT_PAY_GET: '2', RATE_LIMIT_PAY_POST_LINK: '1', TRUST_PROXY: '1' }
  const { app } = await service.replica(env)
  const flood = new Payer(app)
  flood.headers = { ...flood.headers, 'x-forwarded-for': '203.0.113.7' }
  for (let times = 0; times < 5; times += 1) await flood.open(toLink(shop))
  assert.equal((await flood.open(toLink(shop))).status, 429)
  const otherPayer = new Payer(app)
  otherPayer.headers = { ...otherPayer.headers, 'x-forwarded-for': '203.0.113.8' }
  assert.equal((await otherPayer.pay(toLink(shop))).status, 303)
})

test('limits: polling the page of one payment does not use up the limit of another', async () => {
  const first = await new Payer(service.app).pay(toLink(shop))
  const second = await new Payer(service.app).pay(toLink(shop, { amount: '1800' }))
  const { app } = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_PAY_STATE: '2' })
  const pollPage = async (location: string | null) =>
    (await new Payer(app).open(`/pay/${toTransactionId(location)}`)).status
  assert.deepEqual([await pollPage(first.location), await pollPage(first.location)], [200, 200])
  assert.equal(await pollPage(first.location), 429)
  assert.equal(await pollPage(second.location), 200)
})

test('a press that comes from the page of another site is refused, and charges nothing', async () => {
  const { app } = await service.replica({ BASE_URL: OWN_ORIGIN })
  const payer = new Payer(app)
  const rowsBefore = await countRows(service.deps.db)
  const page = await payer.open(toLink(shop, { amount: '4000' }))
  for (const { what, headers } of CROSS_SITE_MATRIX.filter(({ passes }) => !passes)) {
    const response = await app.inject({
      method: 'POST',
      url: page.form!.action,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
      payload: `token=${page.form!.token}`,
    })
    assert.equal(response.statusCode, 403, what)
    assert.match(response.payload, /The request did not come from our page/, what)
    assert.match(response.payload, /Open the pay link again/)
  }
  assert.deepEqual(await countRows(service.deps.db), rowsBefore)
})

test('a press sent by our own page, or by a program that is not a browser, is accepted', async () => {
  const { app } = await service.replica({ BASE_URL: OWN_ORIGIN })
  for (const { what, headers } of CROSS_SITE_MATRIX.filter(({ passes }) => passes)) {
    const page = await new Payer(app).open(toLink(shop, { amount: '4000' }))
    const response = await app.inject({
      method: 'POST',
      url: page.form!.action,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
      payload: `token=${page.form!.token}`,
    })
    assert.equal(response.statusCode, 402, what)
  }
})

test('the error page for a link with broken encoding names the merchant and links to the merchant’s site', async () => {
  const page = await new Payer(service.app).open(`/pay?amount=1500&project=${shop.id}&data=%E0%A4%A`)
  assert.deepEqual([page.status, page.heading], [400, 'This pay link is not valid'])
  assert.match(page.text, /Merchant<\/dt><dd><bdi>Knjižara Šćepan</)
  assert.match(
    page.links.get('Return to the merchant’s site') ?? '',
    /^https:\/\/shop\.example\.com\/hvala\?/,
  )
  const url = `/pay?amount=1500&project=${shop.id}&data=%zz`
  const jsonResponse = await service.app.inject({ url, headers: { accept: 'application/json' } })
  assert.deepEqual(jsonResponse.json<{ errors: object[] }>().errors, [
    { path: 'query', code: 'malformed_encoding', message: 'The address has incorrectly encoded characters.' },
  ])
  // Here the broken encoding is in the project's id itself.
  const unknown = await new Payer(service.app).open('/pay?amount=1500&project=%zz&data=')
  assert.equal(unknown.links.get('About Pazar'), '/en')
})

test('an error page leads to the merchant if the URL names one, or else to help or to our own site', async () => {
  const send = (url: string) => new Payer(service.app).send('POST', url, 'token=AAAA')
  const named = await send(`/pay?amount=1e3&project=${shop.id}&data=`)
  assert.equal(named.status, 400)
  assert.match(named.text, /Merchant<\/dt><dd><bdi>Knjižara Šćepan</)
  assert.ok(named.links.has('Return to the merchant’s site'))
  const lost = await send('/pay')
  assert.deepEqual([lost.status, lost.heading], [400, 'The payment was not started'])
  assert.equal(lost.links.get('About Pazar'), '/en')
  const { app } = await service.replica({ SUPPORT_URL: 'https://help.example.me' })
  const notFoundPage = await new Payer(app).open('/pay/01a1dd37-308c-7395-a76c-256787d947e0')
  assert.equal(notFoundPage.links.get('Get help'), 'https://help.example.me/')
})

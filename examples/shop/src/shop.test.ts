import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildCallback, signJwt, signWebhook, verifyPayLinkSig } from '@pazar/sdk'
import type { RefundFacts, SignedCallback } from '@pazar/sdk'
import { findWrongWords } from '@pazar/words'
import { goods } from './goods.ts'
import { words } from './words.ts'
import {
  LIVE_SECRET,
  PROJECT_ID,
  START_MS,
  startShop,
  readPage,
  buy,
  toFacts,
  sign,
  send,
  findOrder,
} from '../test/shop-client.ts'

const TEST_SECRET = 'sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

test('the Buy button redirects to a pay link that is signed for that order', async (t) => {
  const shop = await startShop(t)
  const { link } = await buy(shop)
  const fields = Object.fromEntries(link.searchParams)
  assert.equal(link.origin + link.pathname, 'https://pay.example.me/pay')
  assert.equal(fields['amount'], '1500')
  assert.equal(fields['data'], 'Ground coffee, 1 kg')
  const { sig = '', ...signed } = fields
  assert.ok(
    verifyPayLinkSig({ ...signed, amount: '1500', project: PROJECT_ID, mode: 'live' }, sig, LIVE_SECRET),
  )
})

test('with a test secret the link is in test mode, and the pages say that no real money is charged', async (t) => {
  const shop = await startShop(t, TEST_SECRET)
  const { id, link } = await buy(shop)
  assert.equal(link.searchParams.get('mode'), 'test')
  assert.match(await readPage(shop, '/'), /Test mode: no real money/)
  assert.match(await readPage(shop, `/orders/${id}`), /Test mode: no real money/)
  assert.doesNotMatch(await readPage(await startShop(t), '/'), /Test mode/)
})

test('the shop page offers each item for its price, and an unknown item creates no order', async (t) => {
  const shop = await startShop(t)
  const page = await readPage(shop, '/?lang=cnr')
  for (const { id } of goods) assert.match(page, new RegExp(`name="good" value="${id}"`))
  assert.match(
    page,
    /Odmah plaćeno[^]*15,00\u00a0€[^]*40,07\u00a0€[^]*Nije plaćeno[^]*40,06\u00a0€[^]*Ishod stiže kasnije[^]*40,08\u00a0€/,
  )
  assert.equal(page.match(/<svg class="icon"/g)?.length, goods.length)
  const response = await shop.request('/buy', { method: 'POST', body: new URLSearchParams({ good: 'moon' }) })
  assert.equal(response.status, 404)
  assert.deepEqual(await (await shop.request('/orders.json')).json(), { orders: [] })
})

test('ids of orders contain a running number, and a restarted shop does not repeat an id', async (t) => {
  const firstShop = await startShop(t)
  const restartedShop = await startShop(t, LIVE_SECRET, START_MS + 1)
  const ids = [await buy(firstShop), await buy(firstShop), await buy(restartedShop)].map(({ id }) => id)
  assert.match(ids.join(' '), /^order-1001-\w+ order-1002-\w+ order-1001-\w+$/)
  assert.equal(new Set(ids).size, 3)
})

test('a verified callback makes its order paid, and the same callback sent again only adds to the number of callbacks', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  assert.equal((await findOrder(shop, id))?.state, 'waiting')
  const callback = sign(toFacts(id))
  assert.deepEqual(await send(shop, callback), [200, 'The order is paid.'])
  const paid = await findOrder(shop, id)
  assert.equal(paid?.state, 'paid')
  shop.clock.nowMs += 5000
  assert.deepEqual(await send(shop, callback), [200, 'Known already.'])
  assert.deepEqual(await findOrder(shop, id), { ...paid, callbacksReceived: 2 })
})

function toRefund(customId: string, refundId: string, change: Partial<RefundFacts> = {}): RefundFacts {
  const { status: _status, ...payment } = toFacts(customId)
  return { ...payment, refundId, refundStatus: 'succeeded', amount: '500', refundedTotal: '500', ...change }
}

function signRefund(facts: RefundFacts): SignedCallback {
  const [id, nowSec] = [`msg_${facts.refundId.slice(3)}`, START_MS / 1000]
  const { body } = buildCallback(facts, { secret: LIVE_SECRET, id, iatSec: nowSec })
  return { body, headers: signWebhook({ id, timestampSec: nowSec, body, secret: LIVE_SECRET }) }
}

test('partial refunds make an order partly refunded, then refunded, and a returned refund does not count', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const [first, second] = [`re_${'1'.repeat(32)}`, `re_${'2'.repeat(32)}`]
  const readState = async () => (await findOrder(shop, id))?.state
  await send(shop, sign(toFacts(id)))
  await send(shop, signRefund(toRefund(id, first)))
  assert.equal(await readState(), 'partlyRefunded')
  assert.deepEqual(await send(shop, signRefund(toRefund(id, first))), [200, 'Known already.'])
  await send(shop, signRefund(toRefund(id, second, { amount: '1000' })))
  assert.equal(await readState(), 'refunded')
  for (const [locale, price] of [
    ['en', '€15.00 (€5.00 + €10.00)'],
    ['cnr', '15,00\u00A0€ (5,00\u00A0€ + 10,00\u00A0€)'],
  ] as const) {
    const page = await readPage(shop, `/orders/${id}`, {
      cookie: `lang=${locale}`,
      'accept-language': locale,
    })
    const { states, facts } = words[locale]
    assert.ok(
      page.includes(states.refunded.label) && page.includes(facts.refunded) && page.includes(price),
      page,
    )
  }
  await send(shop, signRefund(toRefund(id, second, { amount: '1000', refundStatus: 'returned' })))
  assert.equal(await readState(), 'partlyRefunded')
  // The success of the same refund arrives late.
  await send(shop, signRefund(toRefund(id, second, { amount: '1000' })))
  assert.equal(await readState(), 'partlyRefunded')
})

test('a refund does not make an unpaid order paid, and a failed refund leaves a paid order paid', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const other = { transactionId: '0199f000-0000-7000-8000-000000000002' }
  await send(shop, signRefund(toRefund(id, `re_${'1'.repeat(32)}`, other)))
  assert.equal((await findOrder(shop, id))?.state, 'waiting')
  await send(shop, sign(toFacts(id)))
  await send(shop, signRefund(toRefund(id, `re_${'2'.repeat(32)}`, { refundStatus: 'failed' })))
  assert.equal((await findOrder(shop, id))?.state, 'paid')
  assert.ok(!(await readPage(shop, `/orders/${id}?lang=en`)).includes(words.en.facts.refunded))
})

test('a forged, stale or mismatching callback is refused with its reason', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const genuine = sign(toFacts(id))
  const staleSec = START_MS / 1000 - 3600
  const cases: [reason: string, callback: SignedCallback][] = [
    ['bad_signature', { ...genuine, body: genuine.body.replace('"1500"', '"1"') }],
    ['bad_signature', sign(toFacts(id), LIVE_SECRET.replace('0123', '3210'))],
    ['bad_signature', sign(toFacts(id, { mode: 'test' }), TEST_SECRET)],
    ['expired', sign(toFacts(id), LIVE_SECRET, staleSec)],
    ['amount_mismatch', sign(toFacts(id, { amount: '1' }))],
    ['wrong_project', sign(toFacts(id, { projectId: 'another' }))],
  ]
  for (const [reason, callback] of cases) {
    const [status, text] = await send(shop, callback)
    assert.equal(status, 400, text)
    assert.equal(text.split(':')[0], reason)
  }
  assert.equal((await shop.request('/callback', { method: 'POST', body: '{}' })).status, 400)
  const order = await findOrder(shop, id)
  assert.equal(order?.state, 'waiting')
  assert.equal(order?.callbacksReceived, 0)
})

test('a late callback about an earlier failed payment is acknowledged, and the order stays paid', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  await send(shop, sign(toFacts(id)))
  const lateFail = toFacts(id, { status: 'fail', failureCode: 'declined', transactionId: 'an-earlier-one' })
  assert.deepEqual(await send(shop, sign(lateFail)), [200, 'The order is paid and stays so.'])
  assert.equal((await findOrder(shop, id))?.state, 'paid')
})

test('an order whose first payment failed can still be paid, under the same customId', async (t) => {
  const shop = await startShop(t)
  const { id, link } = await buy(shop)
  await send(shop, sign(toFacts(id, { status: 'fail', failureCode: 'declined', transactionId: 'first' })))
  const failed = await readPage(shop, `/orders/${id}`)
  assert.match(failed, /Payment failed[^]*the bank declined it[^]*declined/)
  assert.ok(failed.replaceAll('&#38;', '&').includes(`href="${link.href}"`))
  await send(shop, sign(toFacts(id, { transactionId: 'second' })))
  assert.match(await readPage(shop, `/orders/${id}`), />✓<[^]*<h1>Paid<[^]*Buy again[^]*<code>second</)
})

test('an unknown field of a callback is ignored', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const nowSec = START_MS / 1000
  const { hash: _, ...known } = JSON.parse(sign(toFacts(id)).body) as Record<string, string | boolean>
  const facts = { ...known, loyalty: { points: 15 } }
  const hash = signJwt({ ...facts, iat: nowSec, jti: 'msg_7' }, LIVE_SECRET)
  const body = JSON.stringify({ ...facts, hash })
  const headers = signWebhook({ id: 'msg_7', timestampSec: nowSec, body, secret: LIVE_SECRET })
  assert.deepEqual(await send(shop, { body, headers }), [200, 'The order is paid.'])
})

test('the longest data is accepted, and a body longer than any callback is refused', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const longest = sign(toFacts(id, { data: '\u0001'.repeat(2048) }))
  assert.deepEqual(await send(shop, longest), [200, 'The order is paid.'])
  const tooLong = await shop.request('/callback', { method: 'POST', body: 'x'.repeat(64 * 1024 + 1) })
  assert.equal(tooLong.status, 413)
})

test('a callback about an unknown order gets a 404, and a callback without an order gets a 200', async (t) => {
  const shop = await startShop(t)
  assert.equal((await send(shop, sign(toFacts('order-of-nobody'))))[0], 404)
  assert.deepEqual(await send(shop, sign(toFacts(null, { amount: '7' }))), [200, 'Belongs to no order.'])
})

test('an order of the exam exists only in test mode, and a callback is refused if its amount is not the price of the order', async (t) => {
  const shop = await startShop(t, TEST_SECRET)
  const facts = toFacts('exam-1', { mode: 'test' })
  assert.match((await send(shop, sign({ ...facts, amount: '15' }, TEST_SECRET)))[1], /^amount_mismatch/)
  assert.deepEqual(await send(shop, sign(facts, TEST_SECRET)), [200, 'The order is paid.'])
  assert.equal((await findOrder(shop, 'exam-1'))?.state, 'paid')
  const liveShop = await startShop(t)
  assert.equal((await send(liveShop, sign(toFacts('exam-1'))))[0], 404)
})

test('whatever characters the id of an order has, the list of orders and the return page lead to the order; an order URL that cannot be decoded gets a 404', async (t) => {
  const shop = await startShop(t, TEST_SECRET)
  for (const id of ['exam-š', 'exam-a/b?c#d', 'exam-100%', 'exam-%C5%A1']) {
    await send(shop, sign(toFacts(id, { mode: 'test' }), TEST_SECRET))
    const href = `/orders/${encodeURIComponent(id)}`
    assert.ok((await readPage(shop, '/orders')).includes(`href="${href}"`))
    assert.equal((await shop.request(href)).status, 200, id)
    const returned = await shop.request(`/return?${new URLSearchParams({ customId: id, status: 'success' })}`)
    assert.equal(returned.headers.get('location'), href)
  }
  for (const path of ['exam-%', 'exam-%C5', '%E0%A4%A'])
    assert.equal((await shop.request(`/orders/${path}`)).status, 404, path)
})

test('a live shop with a test secret accepts test callbacks, which do not change its orders', async (t) => {
  const shop = await startShop(t, LIVE_SECRET, START_MS, TEST_SECRET)
  const { id } = await buy(shop)
  const testFacts = toFacts(id, { mode: 'test' })
  assert.deepEqual(await send(shop, sign(testFacts, TEST_SECRET)), [200, 'Belongs to no order.'])
  assert.equal((await findOrder(shop, id))?.state, 'waiting')
  assert.deepEqual(await send(shop, sign({ ...testFacts, customId: 'exam-1' }, TEST_SECRET)), [
    200,
    'The order is paid.',
  ])
  const stranger = sign(testFacts, TEST_SECRET.replace('0123', '3210'))
  assert.match((await send(shop, stranger))[1], /^bad_signature/)
  assert.deepEqual(await send(shop, sign(toFacts(id))), [200, 'The order is paid.'])
})

test('the Montenegrin texts pass the language lint', () => {
  const { cameBefore, cameAfter, reasons, ...plain } = words.cnr
  const text = [JSON.stringify(plain), ...reasons.values(), cameBefore('1'), cameAfter('1')].join(' ')
  assert.deepEqual(findWrongWords(text), [])
})

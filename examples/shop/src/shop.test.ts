// Real requests over loopback, with callbacks signed by the same SDK that Pazar signs with.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { buildCallback, signCallback, signJwt, signWebhook, verifyPayLinkSig } from '@pazar/sdk'
import type { CallbackFacts, RefundFacts, SignedCallback } from '@pazar/sdk'
import { findWrongWords } from '@pazar/words'
import { goods } from './goods.ts'
import { createShop } from './shop.ts'
import { words } from './words.ts'

const LIVE_SECRET = 'sk_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
const TEST_SECRET = 'sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
const PROJECT_ID = 'tz4a98xxat96iws9zmbrgj3a'
const START_MS = 1_790_000_000_000

type Shop = Awaited<ReturnType<typeof startShop>>

async function startShop(t: TestContext, secret = LIVE_SECRET, startMs = START_MS, testSecret?: string) {
  const clock = { nowMs: startMs }
  const payBaseUrl = 'https://pay.example.me'
  const server = createServer(
    createShop({ payBaseUrl, projectId: PROJECT_ID, secret, testSecret, nowMs: () => clock.nowMs }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const request = (path: string, init: RequestInit = {}) =>
    fetch(origin + path, { redirect: 'manual', ...init })
  return { clock, request }
}

async function readPage(shop: Shop, path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await shop.request(path, { headers })).text()
}

async function buy(shop: Shop, good = 'coffee'): Promise<{ id: string; link: URL }> {
  const response = await shop.request('/buy', { method: 'POST', body: new URLSearchParams({ good }) })
  assert.equal(response.status, 303)
  const link = new URL(response.headers.get('location') ?? '')
  return { id: link.searchParams.get('customId') ?? '', link }
}

function toFacts(customId: string | null, change: Partial<CallbackFacts> = {}): CallbackFacts {
  return {
    status: 'success',
    projectId: PROJECT_ID,
    transactionId: '0199f000-0000-7000-8000-000000000001',
    amount: '1500',
    currency: 'EUR',
    customId,
    mode: 'live',
    createdAt: '2026-09-21T14:13:20.000Z',
    ...change,
  }
}

function sign(facts: CallbackFacts, secret = LIVE_SECRET, nowSec = START_MS / 1000): SignedCallback {
  return signCallback(facts, { secret, id: `msg_${facts.transactionId.replaceAll('-', '')}`, nowSec })
}

async function send(shop: Shop, { body, headers }: SignedCallback): Promise<[status: number, text: string]> {
  const response = await shop.request('/callback', { method: 'POST', body, headers })
  const answer = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return [response.status, isJson ? (JSON.parse(answer) as { text: string }).text : answer.trim()]
}

interface OrderView {
  id: string
  state: string
  callbacksReceived: number
  outcome: { failureCode: string | null; transactionId: string; atMs: number } | null
  returned: { status: string; atMs: number } | null
}

async function findOrder(shop: Shop, id: string): Promise<OrderView | undefined> {
  const { orders } = (await (await shop.request('/orders.json')).json()) as { orders: OrderView[] }
  return orders.find((order) => order.id === id)
}

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

test('with a test secret the link is in test mode, and every page says that no real money is charged', async (t) => {
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
  assert.match(page, /15,00\u00a0€[^]*40,06\u00a0€/)
  const response = await shop.request('/buy', { method: 'POST', body: new URLSearchParams({ good: 'moon' }) })
  assert.equal(response.status, 404)
  assert.deepEqual(await (await shop.request('/orders.json')).json(), { orders: [] })
})

test('orders have numbers, and a restarted shop uses none that Pazar has seen before', async (t) => {
  const before = await startShop(t)
  const after = await startShop(t, LIVE_SECRET, START_MS + 1)
  const ids = [await buy(before), await buy(before), await buy(after)].map(({ id }) => id)
  assert.match(ids.join(' '), /^order-1001-\w+ order-1002-\w+ order-1001-\w+$/)
  assert.equal(new Set(ids).size, 3)
})

test('a verified callback makes its order paid, and the same one sent again changes nothing', async (t) => {
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

test('a second result of the same payment replaces the first; a result of another payment never undoes a paid order', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const stateAfter = async (fields: Parameters<typeof toFacts>[1]) => {
    await send(shop, sign(toFacts(id, fields)))
    return (await findOrder(shop, id))?.state
  }
  assert.equal(await stateAfter({ status: 'fail', transactionId: 'one' }), 'failed')
  assert.equal(await stateAfter({ status: 'success', transactionId: 'one' }), 'paid')
  assert.equal(await stateAfter({ status: 'fail', transactionId: 'two' }), 'paid')
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

test('a refund in parts makes a paid order partly refunded, then refunded; one that comes back does not count', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const [first, second] = [`re_${'1'.repeat(32)}`, `re_${'2'.repeat(32)}`]
  const state = async () => (await findOrder(shop, id))?.state
  await send(shop, sign(toFacts(id)))
  await send(shop, signRefund(toRefund(id, first)))
  assert.equal(await state(), 'partlyRefunded')
  assert.deepEqual(await send(shop, signRefund(toRefund(id, first))), [200, 'Known already.'])
  await send(shop, signRefund(toRefund(id, second, { amount: '1000' })))
  assert.equal(await state(), 'refunded')
  for (const [locale, price] of [
    ['en', '€15.00'],
    ['cnr', '15,00\u00A0€'],
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
  assert.equal(await state(), 'partlyRefunded')
  // The success of the same refund, late: it has come back since.
  await send(shop, signRefund(toRefund(id, second, { amount: '1000' })))
  assert.equal(await state(), 'partlyRefunded')
})

test('a refund never pays an order, and one that failed or is of another payment leaves it paid', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const other = { transactionId: '0199f000-0000-7000-8000-000000000002' }
  await send(shop, signRefund(toRefund(id, `re_${'1'.repeat(32)}`, other)))
  assert.equal((await findOrder(shop, id))?.state, 'waiting')
  await send(shop, sign(toFacts(id)))
  await send(shop, signRefund(toRefund(id, `re_${'2'.repeat(32)}`, { refundStatus: 'failed' })))
  assert.equal((await findOrder(shop, id))?.state, 'paid')
})

test('a callback that is forged, stale, of another amount, project or mode is refused with its reason', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const good = sign(toFacts(id))
  const staleSec = START_MS / 1000 - 3600
  const cases: [reason: string, callback: SignedCallback][] = [
    ['bad_signature', { ...good, body: good.body.replace('"1500"', '"1"') }],
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

test('a fail that arrives after the success is acknowledged and changes nothing', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  await send(shop, sign(toFacts(id)))
  const late = toFacts(id, { status: 'fail', failureCode: 'declined', transactionId: 'an-earlier-one' })
  assert.deepEqual(await send(shop, sign(late)), [200, 'The order is paid and stays so.'])
  assert.equal((await findOrder(shop, id))?.state, 'paid')
})

test('an order whose first payment failed can still be paid, under the same customId', async (t) => {
  const shop = await startShop(t)
  const { id, link } = await buy(shop)
  await send(shop, sign(toFacts(id, { status: 'fail', failureCode: 'declined', transactionId: 'first' })))
  const failed = await readPage(shop, `/orders/${id}`)
  assert.match(failed, /Not paid[^]*the bank declined it[^]*declined/)
  assert.ok(failed.replaceAll('&#38;', '&').includes(`href="${link.href}"`))
  await send(shop, sign(toFacts(id, { transactionId: 'second' })))
  assert.match(await readPage(shop, `/orders/${id}`), /✓ Paid[^]*second[^]*Buy again/)
})

test('an unknown field is ignored', async (t) => {
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

test('a payment for an unknown order is not acknowledged; one without an order is', async (t) => {
  const shop = await startShop(t)
  assert.equal((await send(shop, sign(toFacts('order-of-nobody'))))[0], 404)
  assert.deepEqual(await send(shop, sign(toFacts(null, { amount: '7' }))), [200, 'Belongs to no order.'])
})

test('orders of the exam exist only in test mode, each for its price', async (t) => {
  const shop = await startShop(t, TEST_SECRET)
  const facts = toFacts('exam-1', { mode: 'test' })
  assert.match((await send(shop, sign({ ...facts, amount: '15' }, TEST_SECRET)))[1], /^amount_mismatch/)
  assert.deepEqual(await send(shop, sign(facts, TEST_SECRET)), [200, 'The order is paid.'])
  assert.equal((await findOrder(shop, 'exam-1'))?.state, 'paid')
  const live = await startShop(t)
  assert.equal((await send(live, sign(toFacts('exam-1'))))[0], 404)
})

test('a live shop that also has the test secret accepts test callbacks, which never change its orders', async (t) => {
  const shop = await startShop(t, LIVE_SECRET, START_MS, TEST_SECRET)
  const { id } = await buy(shop)
  const tested = toFacts(id, { mode: 'test' })
  assert.deepEqual(await send(shop, sign(tested, TEST_SECRET)), [200, 'Belongs to no order.'])
  assert.equal((await findOrder(shop, id))?.state, 'waiting')
  assert.deepEqual(await send(shop, sign({ ...tested, customId: 'exam-1' }, TEST_SECRET)), [
    200,
    'The order is paid.',
  ])
  const stranger = sign(tested, TEST_SECRET.replace('0123', '3210'))
  assert.match((await send(shop, stranger))[1], /^bad_signature/)
  assert.deepEqual(await send(shop, sign(toFacts(id))), [200, 'The order is paid.'])
})

test('the return is recorded with its time and never makes an order paid', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const response = await shop.request(`/return?status=success&transactionId=x&customId=${id}`)
  assert.equal(response.status, 303)
  assert.equal(response.headers.get('location'), `/orders/${id}`)
  const order = await findOrder(shop, id)
  assert.equal(order?.state, 'waiting')
  assert.deepEqual(order?.returned, { status: 'success', atMs: START_MS })
  const page = await readPage(shop, `/orders/${id}`)
  assert.match(
    page,
    /Waiting for the callback[^]*nothing yet[^]*What the browser said[^]*successful[^]*proves nothing/,
  )
  assert.doesNotMatch(
    page,
    /Pay for this order/,
    'while a payment may be in progress, the page does not offer to pay',
  )
})

test('the order page shows how long before or after the return the callback arrived, in both languages', async (t) => {
  const shop = await startShop(t)
  const [early, late] = [await buy(shop), await buy(shop)]
  await send(shop, sign(toFacts(early.id)))
  shop.clock.nowMs += 38
  await shop.request(`/return?status=success&customId=${early.id}`)
  await shop.request(`/return?status=pending&customId=${late.id}`)
  shop.clock.nowMs += 1200
  await send(shop, sign(toFacts(late.id)))
  assert.match(await readPage(shop, `/orders/${early.id}`), /38 ms before the payer returned/)
  assert.match(await readPage(shop, `/orders/${early.id}?lang=cnr`), /38 ms prije povratka kupca/)
  assert.match(await readPage(shop, `/orders/${late.id}`), /1,200 ms after the payer returned/)
  assert.match(await readPage(shop, `/orders/${late.id}?lang=cnr`), /1\.200 ms poslije povratka kupca/)
})

test('the order page reloads until a callback arrives, for two minutes', async (t) => {
  const shop = await startShop(t)
  const { id } = await buy(shop)
  const isRefreshed = async () => (await readPage(shop, `/orders/${id}`)).includes('http-equiv="refresh"')
  assert.equal(await isRefreshed(), true)
  shop.clock.nowMs += 2 * 60_000
  assert.equal(await isRefreshed(), false)
  assert.match(await readPage(shop, `/orders/${id}`), /Check again/)
  await shop.request(`/return?status=pending&customId=${id}`)
  assert.equal(await isRefreshed(), true)
  await send(shop, sign(toFacts(id), LIVE_SECRET, shop.clock.nowMs / 1000))
  assert.equal(await isRefreshed(), false)
})

test('text from requests never becomes markup', async (t) => {
  const shop = await startShop(t)
  const attack = '"><script>alert(1)</script>'
  const { id } = await buy(shop)
  const failure = { status: 'fail', failureCode: attack, transactionId: attack } as const
  const signed = signCallback(toFacts(id, failure), {
    secret: LIVE_SECRET,
    id: 'msg_1',
    nowSec: START_MS / 1000,
  })
  await send(shop, signed)
  await shop.request(`/return?status=${encodeURIComponent(attack)}&customId=${id}`)
  const page = await readPage(shop, `/orders/${id}`)
  assert.match(page, /&#60;script&#62;alert\(1\)/)
  const unknown = await shop.request(`/orders/${encodeURIComponent(attack)}`)
  assert.equal(unknown.status, 404)
  const raw = await shop.request(`/orders/<script>alert(1)</script>?lang=<script>`)
  for (const text of [page, await unknown.text(), await raw.text()]) assert.doesNotMatch(text, /<script/)
  const back = await shop.request(`/return?customId=${encodeURIComponent(`${attack}\r\nx: y`)}`)
  assert.equal(back.headers.get('location'), `/orders/${encodeURIComponent(`${attack}\r\nx: y`)}`)
})

test('pages allow their own style, forms to the shop and the pay service, and nothing else', async (t) => {
  const shop = await startShop(t)
  const { headers } = await shop.request('/')
  const style = /<style>([^]*)<\/style>/.exec(await readPage(shop, '/'))?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  assert.equal(
    headers.get('content-security-policy'),
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; ` +
      "form-action 'self' https://pay.example.me; base-uri 'none'; frame-ancestors 'none'",
  )
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('the language is the one chosen on the page, then the one chosen earlier, then the browser’s', async (t) => {
  const shop = await startShop(t)
  const browser = { 'accept-language': 'sr-ME,sr;q=0.9,en;q=0.5' }
  const chosen = await shop.request('/?lang=en', { headers: browser })
  assert.match(await chosen.text(), /<html lang="en">/)
  const cookie = chosen.headers.get('set-cookie')?.split(';')[0] ?? ''
  assert.match(await readPage(shop, '/', { ...browser, cookie: `a=b; ${cookie}` }), /<html lang="en">/)
  const unchosen = await shop.request('/', { headers: browser })
  assert.match(await unchosen.text(), /<html lang="sr-Latn-ME">/)
  assert.equal(unchosen.headers.get('set-cookie'), null)
  assert.match(await readPage(shop, '/'), /<html lang="en">/)
})

test('the orders are a page for people and JSON for programs, newest first', async (t) => {
  const shop = await startShop(t)
  assert.match(await readPage(shop, '/orders'), /No orders yet/)
  const [first, second] = [await buy(shop), await buy(shop, 'padlock')]
  assert.match(await readPage(shop, '/orders'), new RegExp(`${second.id}[^]*Closed padlock[^]*${first.id}`))
  const response = await shop.request('/orders', { headers: { accept: 'application/json' } })
  assert.equal(await response.text(), await readPage(shop, '/orders.json'))
  assert.equal(response.headers.get('content-type'), 'application/json')
})

test('the Montenegrin texts pass the language lint', () => {
  const { cameBefore, cameAfter, reasons, ...plain } = words.cnr
  const text = [JSON.stringify(plain), ...reasons.values(), cameBefore('1'), cameAfter('1')].join(' ')
  assert.deepEqual(findWrongWords(text), [])
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { signCallback } from '@pazar/sdk'
import {
  LIVE_SECRET,
  START_MS,
  startShop,
  readPage,
  buy,
  toFacts,
  sign,
  send,
  findOrder,
} from '../test/shop-client.ts'

test('the payer’s return is recorded with its time and does not make an order paid', async (t) => {
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
    /Waiting for the callback[^]*Not received yet[^]*What the browser said[^]*Successful[^]*proves nothing/,
  )
  assert.doesNotMatch(
    page,
    /[Pp]ay €/,
    'after a return that may mean success, the page does not offer to pay',
  )
})

test('the order page shows the time between the callback and the payer’s return', async (t) => {
  const shop = await startShop(t)
  const [earlyOrder, lateOrder] = [await buy(shop), await buy(shop)]
  await send(shop, sign(toFacts(earlyOrder.id)))
  shop.clock.nowMs += 38
  await shop.request(`/return?status=success&customId=${earlyOrder.id}`)
  await shop.request(`/return?status=pending&customId=${lateOrder.id}`)
  shop.clock.nowMs += 1200
  await send(shop, sign(toFacts(lateOrder.id)))
  assert.match(await readPage(shop, `/orders/${earlyOrder.id}`), /38 ms before the payer returned/)
  assert.match(await readPage(shop, `/orders/${earlyOrder.id}?lang=cnr`), /38 ms prije povratka kupca/)
  assert.match(await readPage(shop, `/orders/${lateOrder.id}`), /1,200 ms after the payer returned/)
  assert.match(await readPage(shop, `/orders/${lateOrder.id}?lang=cnr`), /1\.200 ms poslije povratka kupca/)
})

test('without a callback, the order page reloads itself for two minutes, and again for two minutes after the return', async (t) => {
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

test('text from requests and callbacks is escaped', async (t) => {
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
  const returnResponse = await shop.request(`/return?customId=${encodeURIComponent(`${attack}\r\nx: y`)}`)
  assert.equal(returnResponse.headers.get('location'), `/orders/${encodeURIComponent(`${attack}\r\nx: y`)}`)
})

test('the content policy allows the page’s own style, images from data URLs, and forms to the shop and to Pazar', async (t) => {
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

test('the language comes from the URL, then from the cookie, then from the browser', async (t) => {
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

test('the newest order is listed first, and “/orders” as JSON is the same as “/orders.json”', async (t) => {
  const shop = await startShop(t)
  assert.match(await readPage(shop, '/orders'), /No orders yet/)
  const [first, second] = [await buy(shop), await buy(shop, 'padlock')]
  assert.match(await readPage(shop, '/orders'), new RegExp(`${second.id}[^]*Closed padlock[^]*${first.id}`))
  const response = await shop.request('/orders', { headers: { accept: 'application/json' } })
  assert.equal(await response.text(), await readPage(shop, '/orders.json'))
  assert.equal(response.headers.get('content-type'), 'application/json')
})

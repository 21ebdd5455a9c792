import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { UPSTREAM_SECRET } from '../../test/upstream-process.ts'
import { systemClock, toDate } from '../lib/clock.ts'
import type { Backend } from './backend.ts'
import { GarbledResponseError, toUpstreamFault, UnknownOutcomeError } from './backend.ts'
import { createHttpBackend } from './http.ts'

const SINCE = toDate(Date.UTC(2026, 10, 1))
const ID = '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913'
const PAID_PAYMENT = { id: ID, status: 'succeeded', amount: '1500', currency: 'EUR' }

async function startBackend(t: TestContext, status: string, body: unknown) {
  const server = await startRawServer(
    t,
    plainResponse(status, JSON.stringify(body), 'content-type: application/json'),
  )
  const url = `http://127.0.0.1:${server.port}`
  return { server, backend: createHttpBackend({ url, secret: UPSTREAM_SECRET, clock: systemClock }) }
}

test('the request for a page is signed, and names the list, the time and the cursor', async (t) => {
  const { server, backend } = await startBackend(t, '200 OK', { items: [], next: null })
  await backend.lists!.payments({ since: SINCE, cursor: null })
  await backend.lists!.refunds({ since: SINCE, cursor: 'a b&c' })
  await backend.disputes!.list({ since: SINCE, cursor: null })
  const since = encodeURIComponent('2026-11-01T00:00:00.000Z')
  const verifier = new Webhook(UPSTREAM_SECRET, { format: 'raw' })
  const seen = server.requests.map((text) => {
    const [start = '', ...lines] = text.split('\r\n\r\n')[0]!.split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
    assert.doesNotThrow(() => verifier.verify('', headers, { jsonParse: false }))
    return [start, headers['webhook-id']?.replace(/_[0-9a-f]{16}$/, '')]
  })
  assert.deepEqual(seen, [
    [`GET /payments?since=${since} HTTP/1.1`, 'list_payments'],
    [`GET /refunds?since=${since}&cursor=a+b%26c HTTP/1.1`, 'list_refunds'],
    [`GET /disputes?since=${since} HTTP/1.1`, 'list_disputes'],
  ])
})

test('items without a time or scale are listed, and unknown fields are ignored', async (t) => {
  const own = { deep: { deeper: { deepest: 1 } } }
  const dated = { ...PAID_PAYMENT, createdAt: '2026-11-16T13:00:00+01:00', scale: 0 }
  const { backend } = await startBackend(t, '200 OK', {
    items: [{ ...PAID_PAYMENT, own }, dated],
    next: 'more',
  })
  const { items, next } = await backend.lists!.payments({ since: SINCE, cursor: null })
  assert.equal(next, 'more')
  assert.deepEqual(
    items.map(({ id, amount, createdAt, scale }) => [id, amount, createdAt?.toISOString() ?? null, scale]),
    [
      [ID, 1500n, null, null],
      [ID, 1500n, '2026-11-16T12:00:00.000Z', 0],
    ],
  )
})

test('items after the requested end are left out, and a page with only such items is the last page', async (t) => {
  const until = toDate(Date.UTC(2026, 10, 30))
  const [inside, outside] = ['2026-11-30T00:00:00.000Z', '2026-11-30T00:00:00.001Z'].map((createdAt) => ({
    ...PAID_PAYMENT,
    createdAt,
  }))
  for (const [items, count, isLast] of [
    [[inside, outside], 1, false],
    [[outside, PAID_PAYMENT], 1, false],
    [[outside, outside], 0, true],
    [[], 0, false],
  ] as const) {
    const { backend } = await startBackend(t, '200 OK', { items, next: 'more' })
    const page = await backend.lists!.payments({ since: SINCE, until, cursor: null })
    assert.deepEqual([page.items.length, page.next], [count, isLast ? null : 'more'])
    const whole = await backend.lists!.payments({ since: SINCE, cursor: null })
    assert.deepEqual([whole.items.length, whole.next], [items.length, 'more'])
  }
})

const readPage = (backend: Backend) => backend.lists!.payments({ since: SINCE, cursor: 'c1' })

test('a page with an invalid part is refused as a whole', async (t) => {
  for (const [caseName, body] of [
    ['a list instead of an object', []],
    ['no items', { next: null }],
    ['an item that is no payment', { items: [PAID_PAYMENT, { id: ID }], next: null }],
    ['a negative amount', { items: [{ ...PAID_PAYMENT, amount: '-1' }], next: null }],
    ['an amount that is not whole', { items: [{ ...PAID_PAYMENT, amount: 15.5 }], next: null }],
    ['an invalid time', { items: [{ ...PAID_PAYMENT, createdAt: 'yesterday' }], next: null }],
    ['an invalid scale', { items: [{ ...PAID_PAYMENT, scale: 99 }], next: null }],
    ['the cursor of the request again', { items: [PAID_PAYMENT], next: 'c1' }],
    ['a cursor that is no text', { items: [PAID_PAYMENT], next: 7 }],
    ['too many items', { items: Array.from({ length: 1001 }, () => PAID_PAYMENT), next: null }],
  ] as const) {
    const { backend } = await startBackend(t, '200 OK', body)
    await assert.rejects(readPage(backend), GarbledResponseError, caseName)
  }
})

test('a page of more than a mebibyte is refused, and a smaller page of a thousand payments is read', async (t) => {
  const items = Array.from({ length: 1000 }, () => ({ ...PAID_PAYMENT, note: 'x'.repeat(800) }))
  const { backend } = await startBackend(t, '200 OK', { items, next: null })
  assert.equal((await readPage(backend)).items.length, 1000)
  const large = items.map((one) => ({ ...one, note: 'x'.repeat(1000) }))
  const { backend: withLargePage } = await startBackend(t, '200 OK', { items: large, next: null })
  await assert.rejects(readPage(withLargePage), UnknownOutcomeError)
})

test('if the request for a page gets an error status, our error names the fault', async (t) => {
  for (const [status, fault] of [
    ['401 Unauthorized', 'key_rejected'],
    ['404 Not Found', 'failing'],
    ['429 Too Many Requests', 'rate_limited'],
    ['500 Internal Server Error', 'failing'],
  ] as const) {
    const { backend } = await startBackend(t, status, { items: [], next: null })
    await assert.rejects(readPage(backend), (error) => toUpstreamFault(error) === fault, status)
  }
})

test('lists are offered if the upstream declares lists; disputes are offered if it declares both lists and disputes', async (t) => {
  for (const [info, lists, disputes] of [
    [{}, false, false],
    [{ lists: true }, true, false],
    [{ disputes: true }, false, false],
    [{ lists: true, disputes: true }, true, true],
  ] as const) {
    const { backend } = await startBackend(t, '200 OK', { currency: 'EUR', scale: 2, ...info })
    assert.equal(await backend.lists!.isOffered(), lists)
    assert.equal(await backend.disputes!.isOffered(), disputes)
  }
  const { backend } = await startBackend(t, '404 Not Found', {})
  assert.equal(await backend.lists!.isOffered(), null)
})

test('a later 404 to /info does not change what the upstream has stated, but a later 200 does', async (t) => {
  const toReply = (status: string, body: object) =>
    plainResponse(status, JSON.stringify(body), 'content-type: application/json')
  const stated = { currency: 'EUR', scale: 2, refunds: true, disputes: true, lists: true }
  let reply = toReply('200 OK', stated)
  const { port } = await startRawServer(t, (socket, request) => reply(socket, request))
  const url = `http://127.0.0.1:${port}`
  const { lists, refunds, disputes } = createHttpBackend({ url, secret: UPSTREAM_SECRET, clock: systemClock })
  assert.equal(await lists!.isOffered(), true)
  reply = toReply('404 Not Found', {})
  assert.deepEqual(
    [await lists!.isOffered(), await refunds!.isOffered(), await disputes!.isOffered()],
    [true, true, true],
  )
  reply = toReply('200 OK', { ...stated, lists: false })
  assert.deepEqual([await lists!.isOffered(), await disputes!.isOffered()], [false, false])
})

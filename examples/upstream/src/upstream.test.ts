// Why this is long: one upstream with its ledger serves every test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { signWebhook, verifyWebhook } from '@pazar/sdk'
import { toAmount, toBankPage } from './bank-page.ts'
import { openLedger } from './ledger.ts'
import { createUpstream } from './upstream.ts'

const SECRET = 'a-secret-that-both-sides-have-0123456789'
const dir = mkdtempSync(path.join(tmpdir(), 'upstream-'))
const file = path.join(dir, 'ledger.jsonl')
const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(dir, { recursive: true, force: true })
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Webhook {
  body: Record<string, unknown>
  isGenuine: boolean
}
const webhooks: Webhook[] = []
const nowSec = () => Math.floor(Date.now() / 1000)
async function recordWebhook(req: IncomingMessage): Promise<void> {
  const raw = await buffer(req)
  const isGenuine = verifyWebhook(raw, req.headers, { secret: SECRET, nowSec: nowSec() }).ok
  webhooks.push({ body: JSON.parse(raw.toString()) as Record<string, unknown>, isGenuine })
}
const webhookUrl = await listen((req, res) => {
  recordWebhook(req).then(
    () => res.end(),
    () => res.destroy(),
  )
})

function start(): Promise<string> {
  const ledger = openLedger(file, Date.now)
  return listen(
    createUpstream({
      ledger,
      secret: SECRET,
      webhookUrl,
      publicUrl: () => 'http://localhost:1',
      nowMs: Date.now,
      money: { currency: 'EUR', scale: 2 },
    }),
  )
}

let url = await start()

interface UpstreamResponse {
  status: number
  body: Record<string, unknown>
}

async function call(
  verb: 'create' | 'find' | 'cancel',
  id: string,
  fields: Record<string, unknown> = {},
  change: { secret?: string; signedId?: string; body?: string; key?: string } = {},
): Promise<UpstreamResponse> {
  const signed =
    verb === 'create'
      ? JSON.stringify({
          id,
          amount: '1500',
          currency: 'EUR',
          scale: 2,
          projectId: 'p1',
          returnUrl: 'http://localhost/',
          ...fields,
        })
      : verb === 'cancel'
        ? JSON.stringify({ id })
        : ''
  const headers = signWebhook({
    id: change.signedId ?? `${verb}_${id}_1`,
    timestampSec: nowSec(),
    body: signed,
    secret: change.secret ?? SECRET,
  })
  const urlPath = { create: '/payments', find: `/payments/${id}`, cancel: `/payments/${id}/cancel` }[verb]
  const answer = await fetch(url + urlPath, {
    method: verb === 'find' ? 'GET' : 'POST',
    headers: { ...headers, 'idempotency-key': change.key ?? id },
    ...(verb === 'find' ? {} : { body: change.body ?? signed }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

async function callRefund(
  verb: 'refund' | 'find_refund',
  refund: { id: string; paymentId: string; amount?: string },
): Promise<Record<string, unknown>> {
  const { id, paymentId, amount } = refund
  const body = verb === 'refund' ? JSON.stringify({ id, amount, currency: 'EUR' }) : ''
  const headers = signWebhook({ id: `${verb}_${id}_1`, timestampSec: nowSec(), body, secret: SECRET })
  const refundsUrl = `${url}/payments/${paymentId}/refunds`
  const response = await (verb === 'refund'
    ? fetch(refundsUrl, { method: 'POST', headers: { ...headers, 'idempotency-key': id }, body })
    : fetch(`${refundsUrl}/${id}`, { headers }))
  return (await response.json()) as Record<string, unknown>
}

async function countCharges(id: string): Promise<number> {
  const ledger = (await (await fetch(`${url}/ledger`)).json()) as { charges: { paymentId: string }[] }
  return ledger.charges.filter((charge) => charge.paymentId === id).length
}

async function untilNotified(id: string): Promise<Webhook> {
  for (;;) {
    const found = webhooks.find((one) => one.body['id'] === id)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('a payment that is requested twice is charged once, and Pazar gets a signed webhook', async () => {
  const id = randomUUID()
  const first = await call('create', id)
  assert.equal(first.status, 201)
  assert.equal(first.body['status'], 'succeeded')
  assert.deepEqual(await call('create', id), { status: 200, body: first.body })
  assert.deepEqual(await call('find', id), { status: 200, body: first.body })
  assert.deepEqual(await call('cancel', id), { status: 200, body: first.body })
  assert.equal(await countCharges(id), 1)
  assert.deepEqual(await untilNotified(id), { body: first.body, isGenuine: true })
})

test('a payment that was cancelled before it arrived is refused when it arrives', async () => {
  const id = randomUUID()
  assert.equal((await call('find', id)).status, 404)
  assert.equal((await call('cancel', id)).body['status'], 'cancelled')
  const lateResponse = await call('create', id)
  assert.deepEqual([lateResponse.status, lateResponse.body['status']], [409, 'cancelled'])
  assert.equal(await countCharges(id), 0)
})

test('a request with a wrong signature, or the signature of another request, does nothing', async () => {
  const id = randomUUID()
  const other = randomUUID()
  const otherBody = JSON.stringify({
    id,
    amount: '1',
    currency: 'EUR',
    projectId: 'p1',
    returnUrl: 'http://localhost/',
  })
  for (const [caseName, answer] of [
    ['another secret', call('create', id, {}, { secret: 'another-secret-of-more-than-32-bytes' })],
    ['another body than was signed', call('create', id, {}, { body: otherBody })],
    ['a signature for a lookup', call('create', id, {}, { signedId: `find_${id}_1` })],
    ['a signature for another payment', call('cancel', id, {}, { signedId: `cancel_${other}_1` })],
    ['a lookup with a signature for a create', call('find', id, {}, { signedId: `create_${id}_1` })],
  ] as const) {
    assert.deepEqual(await answer, { status: 401, body: { error: 'bad_signature' } }, caseName)
  }
  assert.equal((await call('find', id)).status, 404)
})

test('a payment with a wrong idempotency key or an invalid amount is refused', async () => {
  assert.equal((await call('create', randomUUID(), {}, { key: 'other' })).status, 400)
  for (const amount of ['0', '-1', '01', '1.5', 1500, null])
    assert.equal((await call('create', randomUUID(), { amount })).status, 400, String(amount))
})

test('the bank page shows the payment in both languages, and a second decision changes nothing', async () => {
  const id = randomUUID()
  const order = {
    customId: 'order-7',
    metadata: { pazar_data: 'Kafa & kolač', pazar_merchant: 'Knjižara Šćepan' },
  }
  const created = await call('create', id, { amount: '4004', returnUrl: 'http://localhost/back', ...order })
  assert.equal(created.body['redirectUrl'], `http://localhost:1/bank/${id}`)
  const readPage = async (query: string, languages: string) => {
    const page = await fetch(`${url}/bank/${id}${query}`, { headers: { 'accept-language': languages } })
    return page.text()
  }
  const reference = `${id.slice(-10, -5)}-${id.slice(-5)}`.toUpperCase()
  const shown = await readPage('', 'en')
  for (const text of [
    'no real money',
    '<dl><div><dt>Merchant</dt><dd><bdi>Knjižara Šćepan</bdi>',
    '<bdi>Kafa &amp; kolač</bdi>',
    '<bdi>order-7</bdi>',
    `<bdi>${reference}</bdi>`,
  ])
    assert.ok(shown.includes(text), shown)
  for (const [query, languages] of [
    ['', 'de'],
    ['', 'en-GB,sr'],
    ['?lang=en', 'sr'],
  ] as const)
    assert.match(await readPage(query, languages), /lang="en"[^]*>€40\.04<[^]*>Approve payment</)
  for (const [query, languages] of [
    ['', 'de,sr-Latn-ME;q=0.9,en;q=0.8'],
    ['?lang=cnr', 'en'],
  ] as const)
    assert.match(await readPage(query, languages), /lang="cnr"[^]*>40,04\u00A0€<[^]*>Odobri plaćanje</)
  for (const outcome of ['approve', 'decline']) {
    const body = new URLSearchParams({ outcome })
    const response = await fetch(`${url}/bank/${id}`, { method: 'POST', body, redirect: 'manual' })
    assert.deepEqual([response.status, response.headers.get('location')], [303, 'http://localhost/back'])
  }
  const ended = await call('find', id)
  assert.deepEqual([ended.body['status'], ended.body['redirectUrl']], ['succeeded', undefined])
  assert.equal(await countCharges(id), 1)
  const pageAfterwards = await readPage('', 'en')
  assert.match(pageAfterwards, /href="http:\/\/localhost\/back">Show the receipt</)
  assert.doesNotMatch(pageAfterwards, /<form|<button/)
})

test('without a verified merchant the bank page shows the host of the payment page', () => {
  const payment = {
    id: randomUUID(),
    amount: '4004',
    currency: 'EUR',
    projectId: null,
    customId: null,
    returnUrl: 'https://pay.example.com/pay/1',
    status: 'requires_action',
    failureCode: null,
    chargeId: null,
    sequence: 1,
    createdAt: '2026-11-17T18:00:00.000Z',
  } as const
  const page = toBankPage(payment, { scale: 2, language: 'en', host: undefined })
  assert.match(page, /<dl><div><dt>Payment page<\/dt><dd><bdi>pay\.example\.com<\/bdi>/)
  assert.doesNotMatch(page, /undefined|You are at/)
})

test('the bank page shows amounts of any size, with the decimals of their currency', () => {
  const toText = (amount: string, currency: string, scale: number) =>
    toAmount({ amount, currency }, scale, 'en-GB')
  assert.equal(toText('5', 'EUR', 2), '€0.05')
  assert.equal(toText('1500', 'JPY', 0), 'JP¥1,500')
  assert.equal(toText('1500', 'KWD', 3), 'KWD\u00A01.500')
  assert.equal(toText('123456789012345678901', 'EUR', 2), '€1,234,567,890,123,456,789.01')
})

test('the ledger survives a restart, and an incomplete last line is removed', async () => {
  const id = randomUUID()
  const { body } = await call('create', id)
  const ledgerText = readFileSync(file, 'utf8')
  appendFileSync(file, '{"payment":{"id":"half')
  url = await start()
  assert.equal(readFileSync(file, 'utf8'), ledgerText)
  assert.deepEqual((await call('find', id)).body, body)
  const nextId = randomUUID()
  await call('create', nextId)
  url = await start()
  assert.equal((await call('find', nextId)).status, 200)
  assert.equal(await countCharges(id), 1)
})

test('when the upstream starts again, it finishes payments that were in progress', async () => {
  const id = randomUUID()
  assert.equal((await call('create', id, { amount: '4016' })).body['status'], 'processing')
  url = await start()
  assert.equal((await call('find', id)).body['status'], 'succeeded')
})

test('a refused refund of 4009 stays refused, although the money of a successful refund of 4009 comes back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const paymentId = randomUUID()
  await call('create', paymentId)
  const id = randomUUID()
  const refused = await callRefund('refund', { id, paymentId, amount: '4009' })
  assert.deepEqual([refused['status'], refused['failureCode']], ['failed', 'amount_too_large'])
  t.mock.timers.tick(500)
  assert.deepEqual(await callRefund('find_refund', { id, paymentId }), refused)
})

test('when the upstream starts again, it finishes the refunds and disputes that were in progress', async (t) => {
  // The timers of the earlier upstream never run, as if its process had stopped.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const since = new Date().toISOString()
  const paymentId = randomUUID()
  await call('create', paymentId, { amount: '20000' })
  const slow = { id: randomUUID(), paymentId, amount: '4016' }
  const returned = { id: randomUUID(), paymentId, amount: '4009' }
  const plain = { id: randomUUID(), paymentId, amount: '700' }
  assert.equal((await callRefund('refund', slow))['status'], 'processing')
  assert.equal((await callRefund('refund', returned))['status'], 'succeeded')
  assert.equal((await callRefund('refund', plain))['status'], 'succeeded')
  // A refund that is made at the bank succeeds, whatever its amount.
  const body = new URLSearchParams({ amount: '4009' })
  const atBank = await fetch(`${url}/bank/${paymentId}/refunds`, { method: 'POST', body })
  const { id: bankId } = (await atBank.json()) as { id: string }
  const disputedId = randomUUID()
  await call('create', disputedId, { amount: '4007' })

  url = await start()
  const refunds = (await list('refunds', since)).items
  assert.deepEqual(
    [slow.id, returned.id, plain.id, bankId].map((id) => {
      const found = refunds.find((one) => one['id'] === id)
      return [found?.['status'], found?.['failureCode']]
    }),
    [
      ['succeeded', undefined],
      ['failed', 'returned'],
      ['succeeded', undefined],
      ['succeeded', undefined],
    ],
  )
  assert.deepEqual(await listDisputeStates(disputedId, since), ['open'])
  const isReported = (id: string, status: string) =>
    webhooks.some((one) => one.body['id'] === id && one.body['status'] === status)
  while (!isReported(slow.id, 'succeeded') || !isReported(returned.id, 'failed'))
    await new Promise((resolve) => setImmediate(resolve))

  // Another start finds nothing to finish.
  const readLines = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes(paymentId) || line.includes(disputedId))
  const before = readLines()
  url = await start()
  assert.deepEqual(readLines(), before)
})

test('a payment of 4007 is not disputed again if the bank has already reported a lost dispute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const since = new Date().toISOString()
  const id = randomUUID()
  await call('create', id, { amount: '4007' })
  const body = new URLSearchParams({ status: 'lost' })
  await fetch(`${url}/bank/${id}/disputes`, { method: 'POST', body })
  t.mock.timers.tick(5_000)
  assert.deepEqual(await listDisputeStates(id, since), ['lost'])
})

test('the upstream reports its currency and decimals, and refuses amounts with other decimals', async () => {
  const headers = signWebhook({ id: 'info_terms_1', timestampSec: nowSec(), body: '', secret: SECRET })
  const response = await fetch(`${url}/info`, { headers })
  const rest = { methods: ['card'], refunds: true, disputes: true, lists: true }
  assert.deepEqual(await response.json(), { currency: 'EUR', scale: 2, ...rest })
  assert.equal((await fetch(`${url}/info`)).status, 401)
  const id = randomUUID()
  assert.equal((await call('create', id, { scale: 0 })).status, 422)
  assert.equal((await call('create', id, { scale: '2' })).status, 400)
  assert.equal(await countCharges(id), 0)
  assert.equal((await call('create', id, { scale: undefined })).status, 201)
})

interface ListPage {
  items: Record<string, unknown>[]
  next: string | null
}

async function list(name: string, since: string, cursor?: string): Promise<ListPage> {
  const headers = signWebhook({ id: `list_${name}_1`, timestampSec: nowSec(), body: '', secret: SECRET })
  const query = new URLSearchParams({ since, ...(cursor !== undefined && { cursor }) })
  const response = await fetch(`${url}/${name}?${query}`, { headers })
  assert.equal(response.status, 200)
  return (await response.json()) as ListPage
}

async function listDisputeStates(paymentId: string, since: string): Promise<unknown[]> {
  const { items } = await list('disputes', since)
  return items.filter((one) => one['paymentId'] === paymentId).map((one) => one['status'])
}

test('payments are listed page by page, and a payment that was charged twice is listed twice', async () => {
  const since = new Date().toISOString()
  const ids = Array.from({ length: 101 }, () => randomUUID())
  for (const id of ids) await call('create', id)
  const chargedTwiceId = randomUUID()
  await call('create', chargedTwiceId, { amount: '4019' })
  const first = await list('payments', since)
  assert.equal(first.items.length, 100)
  const second = await list('payments', since, first.next!)
  assert.equal(second.next, null)
  assert.deepEqual(
    [...first.items, ...second.items].map(({ id }) => id),
    [...ids, chargedTwiceId, chargedTwiceId],
  )
  const { chargeId, scale, createdAt, status } = first.items[0]!
  assert.deepEqual([typeof chargeId, scale, status], ['string', 2, 'succeeded'])
  assert.ok(String(createdAt) >= since)
  assert.equal(new Set(second.items.map((one) => one['chargeId'])).size, second.items.length)
  url = await start()
  assert.deepEqual((await list('payments', since)).items, first.items)
  assert.deepEqual(await list('payments', '2100-01-01T00:00:00Z'), { items: [], next: null })
})

test('a list is refused with the signature of another list, without a valid time, or with an invalid cursor', async () => {
  const getStatus = async (path: string, id: string) => {
    const headers = signWebhook({ id, timestampSec: nowSec(), body: '', secret: SECRET })
    return (await fetch(url + path, { headers })).status
  }
  const since = '2026-01-01T00:00:00Z'
  assert.equal(await getStatus(`/refunds?since=${since}`, 'list_refunds_1'), 200)
  assert.equal(await getStatus(`/refunds?since=${since}`, 'list_payments_1'), 401)
  for (const query of ['', '?since=yesterday', `?since=${since}&cursor=x`, `?since=${since}&cursor=-1`])
    assert.equal(await getStatus(`/refunds${query}`, 'list_refunds_1'), 400, query)
})

test('a dispute causes one webhook when it is opened and one when it is closed, and the list of disputes has the last status', async () => {
  const since = new Date().toISOString()
  const id = randomUUID()
  await call('create', id)
  const act = async (payment: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields)
    return (await fetch(`${url}/bank/${payment}/disputes`, { method: 'POST', body })).status
  }
  assert.equal(await act(randomUUID(), { status: 'open' }), 404)
  assert.equal(await act(id, { status: 'eaten' }), 404)
  assert.equal(await act(id, { status: 'open', amount: '700' }), 201)
  const opened = await untilNotified(`dp_${id}`)
  const { kind, status, amount, paymentId } = opened.body
  assert.deepEqual([kind, status, amount, paymentId], ['dispute', 'open', '700', id])
  assert.ok(opened.isGenuine)
  webhooks.splice(webhooks.indexOf(opened), 1)
  assert.equal(await act(id, { status: 'lost' }), 201)
  const lost = await untilNotified(`dp_${id}`)
  assert.deepEqual(lost.body, { ...opened.body, status: 'lost' })
  url = await start()
  assert.deepEqual(await list('disputes', since), { items: [lost.body], next: null })
})

test('a payment of 4007 is disputed after 5 s, and a payment of 4008 succeeds after 20 s', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const since = new Date().toISOString()
  const disputedId = randomUUID()
  assert.equal((await call('create', disputedId, { amount: '4007' })).body['status'], 'succeeded')
  const slowId = randomUUID()
  assert.equal((await call('create', slowId, { amount: '4008' })).body['status'], 'processing')
  t.mock.timers.tick(4_999)
  assert.deepEqual((await list('disputes', since)).items, [])
  t.mock.timers.tick(1)
  const [one] = (await list('disputes', since)).items
  assert.deepEqual([one?.['paymentId'], one?.['amount'], one?.['status']], [disputedId, '4007', 'open'])
  t.mock.timers.tick(14_999)
  assert.equal((await call('find', slowId)).body['status'], 'processing')
  t.mock.timers.tick(1)
  assert.equal((await call('find', slowId)).body['status'], 'succeeded')
})

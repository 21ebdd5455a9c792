import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type { AttemptView, CallbackView } from '@pazar/contract'
import { verifyCallback } from '@pazar/sdk'
import { rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { attemptRows, callbackRow, queueCallbacks, untilAttempt, untilStatus } from '../../test/deliveries.ts'
import { startTestService } from '../../test/harness.ts'
import { accept, answerWith, startMerchant } from '../../test/merchant.ts'
import { newOrder } from '../../test/payments.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { readSecret } from '../secrets/secrets.ts'
import { startDeliveryWorker } from './worker-loop.ts'

const shop = await startMerchant()
const service = await startTestService({ CALLBACK_ALLOW_HOSTS: shop.pair })
const { app, deps } = service
const { db } = deps
test.after(() => shop.close())

let owner: Client
let stranger: Client
let projectId: string
let base: string

before(async () => {
  owner = await signUp(app)
  stranger = await signUp(app)
  projectId = (await owner.addProject({ apiUrl: shop.url })).id
  base = `/portal/api/projects/${projectId}`
})

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  Object.assign(shop, { reply: accept, received: [] })
})

type Listed = { items: (CallbackView & { lastAttempt: AttemptView | null })[]; nextCursor: string | null }

async function list(query = '', as = owner): Promise<Listed> {
  const answer = await as.get(`${base}/deliveries${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<Listed>()
}

const ids = (listed: Listed) => listed.items.map((item) => item.id)

/** Lets a worker run until every callback has been tried as often as asked. */
async function deliverAll(tries = 1): Promise<void> {
  const worker = startDeliveryWorker(deps)
  try {
    for (const { id } of await rows<{ id: string }>(
      db,
      `select id from callbacks where status <> 'cancelled'`,
    ))
      await untilAttempt(db, id, tries)
  } finally {
    await worker.stop()
  }
}

const MSG = `msg_${'0'.repeat(32)}`

test('every route is closed without a session, and a stranger gets the 404 of what does not exist', async () => {
  const [id] = await queueCallbacks(db, projectId)
  const nobody = new Client(app)
  const routes: ['GET' | 'POST', string, unknown?][] = [
    ['GET', '/deliveries'],
    ['GET', '/deliveries.csv'],
    ['GET', `/deliveries/${id}`],
    ['GET', '/events'],
    ['POST', `/deliveries/${id}/resend`, {}],
    ['POST', '/deliveries/resend-failed', { since: '2026-01-01T00:00:00Z' }],
    ['POST', '/test-callbacks', { status: 'success', amount: '1500' }],
  ]
  for (const [method, path, body] of routes) {
    const url = `${base}${path}`
    assert.equal((await nobody.send(method, url, body)).code, 'unauthenticated', url)
    const foreign = await stranger.send(method, url, body)
    const missing = await stranger.send(method, url.replace(projectId, 'a'.repeat(24)), body)
    assert.deepEqual([foreign.status, foreign.code], [404, 'not_found'], url)
    assert.equal(missing.code, 'not_found', url)
  }
  assert.equal((await callbackRow(db, id!)).status, 'pending')
  assert.equal(shop.received.length, 0)
})

test('the list has the contract’s fields, newest first, with the last try and its words', async () => {
  const [first] = await queueCallbacks(db, projectId, 1, { customId: 'order-1', data: 'Kafa' })
  shop.reply = answerWith(404, 'no such page')
  await deliverAll()
  const [second] = await queueCallbacks(db, projectId)
  const listed = await list()
  assert.deepEqual(ids(listed), [second, first])
  const { lastAttempt, ...callback } = listed.items[1]!
  assert.deepEqual(Object.keys(callback), [
    'id',
    'projectId',
    'transactionId',
    'mode',
    'result',
    'status',
    'amount',
    'currency',
    'customId',
    'data',
    'attempts',
    'nextAt',
    'createdAt',
    'deliveredAt',
  ])
  assert.deepEqual(
    [callback.status, callback.amount, callback.customId, callback.data, callback.attempts, callback.mode],
    ['pending', '1500', 'order-1', 'Kafa', 1, 'live'],
  )
  assert.ok(callback.nextAt)
  assert.deepEqual(
    [lastAttempt!.outcome, lastAttempt!.statusCode, lastAttempt!.trigger, lastAttempt!.responseExcerpt],
    ['http_error', 404, 'auto', 'no such page'],
  )
  assert.match(lastAttempt!.cause!, /404/)
  assert.ok(lastAttempt!.fix)
  assert.equal(listed.items[0]!.lastAttempt, null)
  const inMontenegrin = (await list('?limit=2', copyWithLanguage('cnr'))).items[1]!.lastAttempt!
  assert.match(inMontenegrin.cause!, /Vaš server/)
})

function copyWithLanguage(lang: string): Client {
  const twin = new Client(app)
  for (const [name, value] of owner.jar) twin.jar.set(name, value)
  twin.jar.set('lang', lang)
  return twin
}

test('pages follow one another without a gap or a double, whatever comes in between', async () => {
  const made = [
    ...(await queueCallbacks(db, projectId, 25)),
    ...(await queueCallbacks(db, projectId, 25, { mode: 'test' })),
  ]
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Listed = await list(`?limit=7${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...ids(page))
    cursor = page.nextCursor
    if (seen.length === 7) await queueCallbacks(db, projectId, 5)
  } while (cursor)
  assert.equal(seen.length, made.length)
  assert.deepEqual(new Set(seen), new Set(made))
})

test('filters narrow the list, alone and together', async () => {
  const [live] = await queueCallbacks(db, projectId, 1, { customId: 'order-10' })
  const [tested] = await queueCallbacks(db, projectId, 1, { mode: 'test', customId: 'order-11' })
  await deliverAll()
  shop.reply = answerWith(500)
  const [bad] = await queueCallbacks(db, projectId, 1, { customId: 'order-2' })
  await deliverAll()
  const [fresh] = await queueCallbacks(db, projectId)
  assert.deepEqual(ids(await list('?mode=test')), [tested])
  assert.deepEqual(ids(await list('?status=delivered')), [tested, live])
  assert.deepEqual(ids(await list('?outcome=delivered&mode=live')), [live])
  assert.deepEqual(ids(await list('?outcome=http_error')), [bad])
  assert.deepEqual(ids(await list('?outcome=timeout')), [])
  assert.deepEqual(ids(await list('?outcome=http_error&status=delivered')), [])
  assert.deepEqual(ids(await list('?status=pending')), [fresh, bad])
  assert.deepEqual(ids(await list('?q=order-1')), [live, tested])
  assert.deepEqual(ids(await list('?q=order-1&status=delivered&mode=test')), [tested])
  assert.deepEqual(ids(await list('?q=order-2&outcome=http_error')), [bad])
  assert.deepEqual(ids(await list(`?q=${bad}`)), [bad])
  assert.deepEqual(ids(await list(`?q=${bad}&mode=test`)), [])
  assert.deepEqual(ids(await list('?q=order-1%25')), [], 'a percent sign is a percent sign')
  const { createdAt } = (await list(`?q=${bad}`)).items[0]!
  assert.deepEqual(ids(await list(`?from=${createdAt}`)), [fresh, bad])
  assert.deepEqual(ids(await list(`?to=${createdAt}`)), [tested, live])
  assert.deepEqual(ids(await list('?from=2020-01-01T00:00:00%2B01:00&to=2020-02-01T00:00:00Z')), [])
})

test('a search by customId pages through its matches in their order', async () => {
  const made: string[] = []
  for (const name of ['a-3', 'a-1', 'b-1', 'a-2', 'a-2', 'A-1'])
    made.push(...(await queueCallbacks(db, projectId, 1, { customId: name })))
  const first = await list('?q=a-&limit=2')
  const second = await list(`?q=a-&limit=2&cursor=${first.nextCursor}`)
  assert.deepEqual(
    [...first.items, ...second.items].map((item) => item.customId),
    ['a-1', 'a-2', 'a-2', 'a-3'],
  )
  assert.equal(second.nextCursor, null)
  assert.deepEqual(ids(first)[1], made[4], 'of one order, the newest first')
})

test('a callback of a payment is found by its transaction', async () => {
  const confirmed = await confirmPayment(deps, newOrder(projectId, { customId: 'by-transaction' }))
  assert.ok(confirmed.kind === 'payment')
  const [item] = (await list(`?q=${confirmed.payment.id}`)).items
  assert.equal(item?.transactionId, confirmed.payment.id)
})

for (const query of [
  'limit=0',
  'limit=101',
  'limit=1.5',
  'limit=5;drop',
  'mode=prod',
  'status=sent',
  'outcome=bad',
  'from=yesterday',
  'q=',
  'cursor=%20',
  `cursor=${Buffer.from('["2026","msg_1"]').toString('base64url')}`,
  `cursor=${Buffer.from(`["2026-99-15T03:00:00.000000Z","${MSG}"]`).toString('base64url')}`,
  'nonsense=1',
  'mode=live&mode=test',
]) {
  test(`the list refuses ${query}`, async () => {
    const answer = await owner.get(`${base}/deliveries?${query}`)
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_request'], answer.text)
  })
}

test('one callback shows what is sent with its hash masked, and every try', async () => {
  const [id] = await queueCallbacks(db, projectId, 1, { customId: 'order-5', data: 'Čaj' })
  shop.reply = answerWith(301, '', { location: 'https://www.shop.example.me/callback' })
  await deliverAll()
  const answer = await owner.get(`${base}/deliveries/${id}`)
  assert.equal(answer.status, 200, answer.text)
  const { callback, body, attempts, payerReturn } = answer.json<{
    callback: CallbackView
    body: Record<string, unknown>
    attempts: AttemptView[]
    payerReturn: unknown
  }>()
  assert.equal(callback.id, id)
  assert.equal(payerReturn, null)
  const { hash, ...sent } = shop.received[0]!.body
  assert.deepEqual(body, { ...sent, hash: '[removed]' })
  assert.match(String(hash), /^eyJ/)
  assert.equal(attempts.length, 1)
  assert.match(attempts[0]!.cause!, /www\.shop\.example\.me/)
  assert.doesNotMatch(answer.text, /eyJ|v1,|sk_live|webhook-signature/)
})

test('a callback that is not there, or whose id is no id, is told apart', async () => {
  assert.equal((await owner.get(`${base}/deliveries/${MSG}`)).status, 404)
  assert.equal((await owner.get(`${base}/deliveries/msg_1`)).status, 400)
})

test('a given-up callback is sent again under the same id, by hand, with the whole schedule before it', async () => {
  const [id] = await queueCallbacks(db, projectId)
  shop.reply = answerWith(410)
  await deliverAll()
  assert.equal((await callbackRow(db, id!)).status, 'exhausted')
  const answer = await owner.post(`${base}/deliveries/${id}/resend`)
  assert.equal(answer.status, 202, answer.text)
  assert.equal(answer.json<{ callback: CallbackView }>().callback.status, 'pending')
  shop.reply = answerWith(500)
  await deliverAll(2)
  const row = await callbackRow(db, id!)
  assert.equal(row.status, 'pending')
  assert.ok(row.due_in_sec < 7, 'the first step of the schedule')
  assert.deepEqual(
    (await attemptRows(db, id!)).map((attempt) => [attempt.attempt, attempt.trigger]),
    [
      [1, 'auto'],
      [2, 'manual'],
    ],
  )
  assert.deepEqual(
    shop.received.map((got) => got.id),
    [id, id],
  )
})

test('a delivered one is sent again only when asked twice, and stays delivered whatever comes of it', async () => {
  const [id] = await queueCallbacks(db, projectId)
  await deliverAll()
  const { delivered_at: deliveredAt } = await callbackRow(db, id!)
  const refused = await owner.post(`${base}/deliveries/${id}/resend`)
  assert.deepEqual([refused.status, refused.code], [409, 'already_delivered'])
  assert.equal((await owner.post(`${base}/deliveries/${id}/resend`, { again: true })).status, 202)
  shop.reply = answerWith(500)
  await deliverAll(2)
  const row = await callbackRow(db, id!)
  assert.deepEqual([row.status, row.delivered_at], ['delivered', deliveredAt])
  assert.deepEqual(
    (await attemptRows(db, id!)).map((attempt) => attempt.outcome),
    ['delivered', 'http_error'],
  )
})

test('a fail whose order was paid after it cannot be sent by hand', async () => {
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId: 'paid-later' }))
  await confirmPayment(deps, newOrder(projectId, { amount: 1500n, customId: 'paid-later' }))
  const [fail] = (await list('?status=cancelled')).items
  for (const body of [{}, { again: true }]) {
    const answer = await owner.post(`${base}/deliveries/${fail!.id}/resend`, body)
    assert.deepEqual([answer.status, answer.code], [409, 'custom_id_conflict'])
  }
  await deliverAll()
  assert.deepEqual(
    shop.received.map((got) => got.body['status']),
    ['success'],
  )
})

test('a given-up fail is cancelled too when its order is paid', async () => {
  await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId: 'given-up' }))
  shop.reply = answerWith(410)
  await deliverAll()
  await confirmPayment(deps, newOrder(projectId, { amount: 1500n, customId: 'given-up' }))
  assert.deepEqual(
    (await list('?mode=live')).items.map((item) => [item.result, item.status]),
    [
      ['success', 'pending'],
      ['fail', 'cancelled'],
    ],
  )
})

test('everything that failed since a time is sent again at once, and nothing else', async () => {
  shop.reply = answerWith(410)
  await queueCallbacks(db, projectId, 1)
  await deliverAll()
  await rows(db, `update callbacks set created_at = now() - interval '2 days'`)
  await queueCallbacks(db, projectId, 2)
  const [tested] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  await deliverAll()
  shop.reply = answerWith(500)
  const [waiting] = await queueCallbacks(db, projectId, 1)
  await deliverAll()
  const [fresh] = await queueCallbacks(db, projectId, 1, { dueInSec: 60 })
  const [yesterday] = await rows<{ at: Date }>(db, `select now() - interval '1 day' as at`)
  const answer = await owner.post(`${base}/deliveries/resend-failed`, {
    since: yesterday!.at.toISOString(),
    mode: 'live',
  })
  assert.equal(answer.status, 202, answer.text)
  assert.deepEqual(answer.json(), { count: 3 })
  assert.deepEqual(
    (
      await rows<{ status: string; n: bigint }>(
        db,
        'select status, count(*) as n from callbacks group by 1 order by 1',
      )
    ).map((row) => [row.status, Number(row.n)]),
    [
      ['exhausted', 2],
      ['pending', 4],
    ],
  )
  assert.equal((await callbackRow(db, waiting!)).trigger, 'manual')
  assert.equal((await callbackRow(db, tested!)).status, 'exhausted')
  assert.equal((await callbackRow(db, fresh!)).trigger, 'auto')
  const both = await owner.post(`${base}/deliveries/resend-failed`, { since: yesterday!.at.toISOString() })
  assert.deepEqual(both.json(), { count: 1 })
})

for (const body of [{}, { since: 'monday' }, { since: '2026-01-01T00:00:00Z', mode: 'all' }, { since: 1 }]) {
  test(`resending what failed refuses ${JSON.stringify(body)}`, async () => {
    assert.equal((await owner.post(`${base}/deliveries/resend-failed`, body)).code, 'invalid_request')
  })
}

test('a test callback is sent at once with the test secret, answered with its real outcome, and makes no payment', async () => {
  const answer = await owner.post(`${base}/test-callbacks`, {
    status: 'success',
    amount: 1500,
    data: 'Kafa',
    customId: 'order-9',
  })
  assert.equal(answer.status, 200, answer.text)
  const { callback, attempt } = answer.json<{ callback: CallbackView; attempt: AttemptView }>()
  assert.deepEqual(
    [callback.status, callback.mode, callback.transactionId, callback.attempts, callback.customId],
    ['delivered', 'test', null, 1, 'order-9'],
  )
  assert.deepEqual(
    [attempt.trigger, attempt.outcome, attempt.statusCode, attempt.cause],
    ['test', 'delivered', 200, null],
  )
  const [got] = shop.received
  const secret = await readSecret(deps, db, projectId, 'test')
  const verified = await verifyCallback(got!.raw, got!.headers, {
    secret,
    mode: 'test',
    expectedAmount: '1500',
  })
  assert.equal(verified.status, 'success')
  assert.match(secret, /^sk_test_/)
  assert.deepEqual(await rows(db, `select from transactions where custom_id = 'order-9'`), [])
  assert.deepEqual(ids(await list('?mode=test')), [callback.id])
})

test('a test callback that fails says why, and is not tried again', async () => {
  shop.reply = answerWith(500, 'Fatal error: Uncaught TypeError')
  const answer = await owner.post(`${base}/test-callbacks`, { status: 'fail', amount: '700' })
  const { callback, attempt } = answer.json<{ callback: CallbackView; attempt: AttemptView }>()
  assert.deepEqual([callback.status, callback.nextAt, callback.result], ['exhausted', null, 'fail'])
  assert.deepEqual([attempt.outcome, attempt.statusCode, attempt.nextAt], ['http_error', 500, null])
  assert.match(attempt.cause!, /500/)
  assert.equal(attempt.responseExcerpt, 'Fatal error: Uncaught TypeError')
  assert.equal(shop.received[0]!.body['failureCode'], 'declined')
  const worker = startDeliveryWorker(deps)
  await worker.stop()
  assert.equal(shop.received.length, 1)
})

test('a test callback goes to the test URL when there is one', async () => {
  const other = (await owner.addProject({ apiUrl: shop.url })).id
  await rows(db, 'update projects set test_api_url = $2 where id = $1', [
    other,
    shop.url.replace('/callback', '/test'),
  ])
  const answer = await owner.post(`/portal/api/projects/${other}/test-callbacks`, {
    status: 'success',
    amount: '1',
  })
  assert.equal(answer.json<{ attempt: AttemptView }>().attempt.url, shop.url.replace('/callback', '/test'))
})

test('a test for listeners says so when nobody listens', async () => {
  const answer = await owner.post(`${base}/test-callbacks`, {
    status: 'success',
    amount: '1',
    to: 'listeners',
  })
  const { callback, attempt } = answer.json<{ callback: CallbackView; attempt: AttemptView }>()
  assert.deepEqual([callback.status, attempt.outcome, attempt.url], ['exhausted', 'connect', 'listeners'])
  assert.match(attempt.cause!, /Nobody is listening/)
  assert.equal(shop.received.length, 0)
})

for (const body of [
  {},
  { status: 'success' },
  { status: 'paid', amount: '1' },
  { status: 'success', amount: '0' },
  { status: 'success', amount: '1.5' },
  { status: 'success', amount: '1', to: 'https://evil.example.com' },
  { status: 'success', amount: '1', url: 'https://evil.example.com' },
  { status: 'success', amount: '1', customId: ' x' },
  { status: 'success', amount: '1', data: 'ž'.repeat(1025) },
]) {
  test(`a test callback refuses ${JSON.stringify(body).slice(0, 60)}`, async () => {
    const answer = await owner.post(`${base}/test-callbacks`, body)
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_request'])
    assert.equal(shop.received.length, 0)
  })
}

test('test callbacks are limited per account', async () => {
  const limited = await service.replica({ RATE_LIMITS: 'on', RATE_LIMIT_TEST_CALLBACK: '2' })
  const twin = new Client(limited.app)
  for (const [name, value] of owner.jar) twin.jar.set(name, value)
  const send = () => twin.post(`${base}/test-callbacks`, { status: 'success', amount: '1' })
  assert.deepEqual([(await send()).status, (await send()).status], [200, 200])
  const third = await send()
  assert.deepEqual([third.status, third.code], [429, 'rate_limited'])
  assert.ok(Number(third.headers['retry-after']) > 0)
  assert.equal(shop.received.length, 2)
})

test('the file holds exactly the set of the filters, and no cell of it can act', async () => {
  await queueCallbacks(db, projectId, 3, { customId: 'order-1', data: '=HYPERLINK("https://evil")' })
  await queueCallbacks(db, projectId, 2, { mode: 'test', customId: '@x;y' })
  shop.reply = answerWith(500)
  await deliverAll()
  const english = await owner.get(`${base}/deliveries.csv?mode=live`)
  assert.equal(english.status, 200)
  assert.match(String(english.headers['content-type']), /^text\/csv/)
  assert.match(String(english.headers['content-disposition']), /attachment; filename="deliveries-/)
  const lines = english.text.split('\r\n')
  assert.equal(lines.length, 1 + 3 + 1)
  assert.ok(lines[0]!.startsWith('\uFEFFTime (UTC),'))
  assert.match(lines[1]!, /,order-1,"'=HYPERLINK\(""https:\/\/evil""\)",1,/)
  assert.match(lines[1]!, /,http_error,500,/)
  const montenegrin = await owner.get(`${base}/deliveries.csv?mode=test&lang=cnr`)
  const [head, row] = montenegrin.text.split('\r\n')
  assert.ok(head!.startsWith('\uFEFFVrijeme (UTC);'))
  assert.match(row!, /;"'@x;y";/)
  assert.match(row!, /;15,00;1500;EUR;/)
})

test('a long file is complete: every callback once', async () => {
  const made = await queueCallbacks(db, projectId, 2_500, { dueInSec: 3600 })
  const answer = await owner.get(`${base}/deliveries.csv`)
  const found = [...answer.text.matchAll(/msg_[0-9a-f]{32}/g)].map(([id]) => id)
  assert.equal(found.length, made.length)
  assert.deepEqual(new Set(found), new Set(made))
})

test('what was delivered before the payer came back is told with its lead', async () => {
  const [id] = await queueCallbacks(db, projectId)
  await deliverAll()
  await untilStatus(db, id!, 'delivered')
  await rows(db, `update callbacks set payer_returned_at = delivered_at + interval '40 milliseconds'`)
  type Detail = { payerReturn: { at: string; aheadMs: number | null } }
  const { payerReturn } = (await owner.get(`${base}/deliveries/${id}`)).json<Detail>()
  assert.equal(payerReturn.aheadMs, 40)
})

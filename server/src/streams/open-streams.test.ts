import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, before, beforeEach, test } from 'node:test'
import type { AttemptView, CallbackView } from '@pazar/contract'
import { verifyCallback } from '@pazar/sdk'
import { rows } from '../../test/accounts.ts'
import { makeToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { attemptRows, queueCallbacks, untilStatus } from '../../test/deliveries.ts'
import { listenLocally, readEvents } from '../../test/event-reader.ts'
import type { EventReader } from '../../test/event-reader.ts'
import { startTestService } from '../../test/harness.ts'
import { accept, answerWith, startMerchant } from '../../test/merchant.ts'
import { until } from '../../test/until.ts'
import { readSecret } from '../secrets/secrets.ts'
import { STREAMS_PER_ACCOUNT_MAX } from '@pazar/contract'
import { startDeliveryWorker } from '../callbacks/worker-loop.ts'

const merchant = await startMerchant()
const service = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.pair })
const { app, deps } = service
const { db } = deps
const elsewhere = await service.replica()
const origin = await listenLocally(app)
const otherOrigin = await listenLocally(elsewhere.app)
test.after(() => merchant.close())

let owner: Client
let projectId: string
let path: string

before(async () => {
  owner = await signUp(app)
  projectId = (await owner.addProject({ apiUrl: merchant.url })).id
  path = `/portal/api/projects/${projectId}/events`
})

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  Object.assign(merchant, { reply: accept, received: [] })
})

const readers = new Set<EventReader>()
const noneIsOpen = async () => (await rows(db, 'select from event_streams')).length === 0

async function open(from = origin, headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await readEvents(from, owner, path, headers)
  readers.add(reader)
  return reader
}

afterEach(async () => {
  for (const reader of readers) reader.close()
  readers.clear()
  await until(noneIsOpen, 'all streams are closed')
})

/** Delivers due callbacks from a process that has no streams. */
async function deliver(ids: readonly string[], ...statuses: string[]): Promise<void> {
  const worker = startDeliveryWorker(deps)
  try {
    for (const id of ids) await untilStatus(db, id, ...statuses)
  } finally {
    await worker.stop()
  }
}

/** As if these had been delivered meanwhile. */
async function markDelivered(ids: readonly string[]): Promise<void> {
  await rows(
    db,
    `with delivered_now as (update callbacks set status = 'delivered', delivered_at = now(), attempts = 1
       where id = any ($1::text[]) returning project_id, id)
     insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
     select project_id, id, 1, 'https://shop.example.com', now(), 1, 'delivered' from delivered_now`,
    [ids],
  )
}

const FOREIGN_READS: [what: string, headers: Record<string, string>][] = [
  ['a navigation from another site', navigation('cross-site')],
  ['a navigation from a neighbouring host', navigation('same-site')],
  ['a navigation from our own page', navigation('same-origin')],
  ['an address that was typed', navigation('none')],
  ['a frame', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ['an image', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  [
    'a script of another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  ],
  ['a script of a neighbouring host', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ['a navigation inside a frame', { 'sec-fetch-mode': 'nested-navigate' }],
  ['a mode given twice', { 'sec-fetch-mode': 'cors, navigate' }],
  ['a document without a mode', { 'sec-fetch-dest': 'document' }],
  ['an old browser on another site', { origin: 'https://evil.example' }],
  ['an old browser sent from another site', { referer: 'https://evil.example/page' }],
  ['a sandboxed page', { origin: 'null' }],
]

function navigation(site: string): Record<string, string> {
  return { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
}

/** Uses node:http, because `fetch` writes its own Sec-Fetch headers. An accepted stream is closed, because it would not end. */
async function requestStream(
  headers: Record<string, string>,
): Promise<{ status: number | undefined; code: unknown }> {
  const cookie = [...owner.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = get(origin + path, { headers: { cookie, ...headers } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { statusCode: status } = response
  if (status === 200) {
    request.destroy()
    return { status, code: null }
  }
  const { code } = JSON.parse(await text(response)) as { code: string }
  return { status, code }
}

for (const [what, headers] of FOREIGN_READS) {
  test(`${what} opens no stream`, async () => {
    assert.deepEqual(await requestStream(headers), { status: 403, code: 'forbidden_origin' })
    assert.ok(await noneIsOpen())
  })
}

test('the portal’s page and programs can open streams', async () => {
  const ours = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
  const own = { ...ours, origin: deps.config.baseUrl, referer: `${deps.config.baseUrl}/en/projects` }
  for (const headers of [{}, ours, own]) assert.equal((await open(origin, headers)).status, 200)
  const { token } = await makeToken(owner, { scope: 'read' })
  const program = new Client(app)
  const reader = await readEvents(origin, program, path, { authorization: `Bearer ${token}` })
  readers.add(reader)
  assert.equal(reader.status, 200)
})

test('a caller without a session gets the same refusal from every site', async () => {
  assert.equal((await new Client(app).get(path, navigation('cross-site'))).code, 'unauthenticated')
})

test('the headers of a stream tell proxies not to buffer it', async () => {
  const { status, headers } = await open()
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'no-store, no-transform')
  assert.equal(headers.get('x-accel-buffering'), 'no')
  assert.equal(headers.get('content-encoding'), null)
  assert.ok(headers.get('content-security-policy'))
  assert.ok(headers.get('x-request-id'))
})

test('live callbacks are sent as ids and states only, on every replica', async () => {
  const both = [await open(), await open(otherOrigin)]
  const [id] = await queueCallbacks(db, projectId, 1, { customId: 'order-1', data: 'Kafa' })
  await deliver([id!], 'delivered')
  for (const reader of both) {
    await until(() => reader.events.length === 1)
    const [event] = reader.events
    assert.deepEqual([event!.event, event!.id], ['callback', id])
    assert.deepEqual(event!.data, { mode: 'live', id, transactionId: null, status: 'delivered', attempts: 1 })
    assert.doesNotMatch(JSON.stringify(event), /eyJ|v1,|order-1|Kafa/)
  }
})

test('test callbacks are sent whole: a listener can forward them and they verify', async () => {
  const reader = await open()
  const response = await owner.post(`/portal/api/projects/${projectId}/test-callbacks`, {
    status: 'success',
    amount: '1500',
    to: 'url',
  })
  assert.equal(response.status, 200, response.text)
  await until(() => reader.events.length === 1)
  const { data, id } = reader.events[0]!
  const { headers, body, mode } = data as { headers: Record<string, string>; body: string; mode: string }
  assert.equal(mode, 'test')
  assert.equal(headers['webhook-id'], id)
  const secret = await readSecret(deps, db, projectId, 'test')
  await verifyCallback(body, headers, { secret, projectId, mode: 'test', expectedAmount: '1500' })
})

test('with a listener and no test URL, test callbacks go to the listener', async () => {
  const reader = await open(otherOrigin)
  const [queued] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  const [live] = await queueCallbacks(db, projectId)
  await deliver([queued!, live!], 'delivered')
  assert.deepEqual(
    merchant.received.map((got) => got.id),
    [live],
  )
  assert.deepEqual(
    (await attemptRows(db, queued!)).map((row) => [row.url, row.outcome]),
    [['listeners', 'delivered']],
  )
  const direct = await owner.post(`/portal/api/projects/${projectId}/test-callbacks`, {
    status: 'fail',
    amount: '5',
  })
  const { callback, attempt } = direct.json<{ callback: CallbackView; attempt: AttemptView }>()
  assert.deepEqual([callback.status, attempt.url], ['delivered', 'listeners'])
  // No response is invented: the explanation says where to find the real one and how to resend.
  assert.equal(attempt.statusCode, null)
  assert.match(attempt.cause!, /forwarded to the CLI.* in that terminal/)
  assert.match(attempt.fix!, /send it again.*deliveries resend/)
  await until(() => reader.events.length === 3)
  assert.deepEqual(new Set(reader.events.map((event) => event.id)), new Set([queued, live, callback.id]))
})

test('with a test URL, test callbacks go there and listeners get a copy', async (t) => {
  await rows(db, 'update projects set test_api_url = api_url where id = $1', [projectId])
  t.after(() => rows(db, 'update projects set test_api_url = null where id = $1', [projectId]))
  const reader = await open()
  const [id] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  await deliver([id!], 'delivered')
  assert.equal(merchant.received.length, 1)
  await until(() => reader.events.length === 1)
})

test('a client that reconnects gets what it missed, in order and once, from any replica', async () => {
  const first = await open()
  const [seen] = await queueCallbacks(db, projectId)
  await deliver([seen!], 'delivered')
  await until(() => first.events.length === 1)
  first.close()
  const missed = [
    ...(await queueCallbacks(db, projectId, 1)),
    ...(await queueCallbacks(db, projectId, 1, { mode: 'test' })),
  ]
  await until(noneIsOpen)
  for (const id of missed) await deliver([id], 'delivered')
  const again = await open(otherOrigin, { 'last-event-id': seen! })
  await until(() => again.events.length === 2)
  const [next] = await queueCallbacks(db, projectId)
  await deliver([next!], 'delivered')
  await until(() => again.events.length === 3)
  assert.deepEqual(
    again.events.map((event) => event.id),
    [...missed, next],
  )
})

test('a client that reconnects before its first event gets what it missed, from any replica', async () => {
  const first = await open()
  assert.match(first.lastId ?? '', /^at_\d{13}$/)
  assert.deepEqual(first.events, [])
  first.close()
  await until(noneIsOpen)
  const [missed] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  await deliver([missed!], 'delivered')
  const again = await open(otherOrigin, { 'last-event-id': first.lastId! })
  await until(() => again.events.length === 1, 'the missed event is replayed')
  assert.deepEqual([again.events[0]!.id, again.lastId], [missed, missed])
})

test('a client that reconnects keeps its position; with an invalid position it starts now', async () => {
  const at = (await open()).lastId!
  assert.equal((await open(origin, { 'last-event-id': at })).lastId, null)
  for (const nonsense of ['at_', 'at_x', `at_${'9'.repeat(16)}`, 'msg_1', 'NaN']) {
    const reader = await open(origin, { 'last-event-id': nonsense })
    assert.match(reader.lastId ?? '', /^at_\d{13}$/, nonsense)
    reader.close()
    await until(async () => (await rows(db, 'select from event_streams')).length === 2)
  }
})

test('when the last received callback was resent meanwhile, the events in between are still replayed', async () => {
  const [seen, between] = await queueCallbacks(db, projectId, 2)
  await markDelivered([seen!])
  await markDelivered([between!])
  await rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
     values ($1, $2, 2, 'https://shop.example.com', now(), 1, 'delivered')`,
    [projectId, seen],
  )
  const reader = await open(origin, { 'last-event-id': seen! })
  await until(() => reader.events.length === 2)
  assert.deepEqual(
    reader.events.map((event) => event.id),
    [between, seen],
  )
})

test('a client that missed thousands of events gets all of them', async () => {
  const [seen] = await queueCallbacks(db, projectId)
  await deliver([seen!], 'delivered')
  const missed = await queueCallbacks(db, projectId, 2_000, { mode: 'test', data: 'x'.repeat(1_000) })
  await markDelivered(missed)
  const reader = await open(origin, { 'last-event-id': seen! })
  await until(() => reader.events.length >= missed.length, 'everything is replayed')
  assert.deepEqual(reader.events.map((event) => event.id).toSorted(), missed.toSorted())
})

test('a client that does not read is disconnected, and the others keep receiving', async () => {
  const [seen] = await queueCallbacks(db, projectId)
  await deliver([seen!], 'delivered')
  const missed = await queueCallbacks(db, projectId, 2_000, { mode: 'test', data: 'x'.repeat(2_000) })
  await markDelivered(missed)
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const cookie = [...owner.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncookie: ${cookie}\r\nlast-event-id: ${seen}\r\n\r\n`,
  )
  socket.pause()
  await until(async () => (await rows(db, 'select from event_streams')).length === 1, 'it has a seat')
  const other = await open()
  const [next] = await queueCallbacks(db, projectId)
  await deliver([next!], 'delivered')
  await until(() => other.events.length === 1, 'the other client receives it')
  await until(async () => (await rows(db, 'select from event_streams')).length === 1, 'its seat is free')
  socket.destroy()
})

test('an open stream whose row was deleted is inserted again, and a watching page gets no row', async () => {
  readers.add(await readEvents(origin, owner, `${path}?watch=true`))
  await open()
  await rows(db, 'delete from event_streams')
  // At the next ping, at most fifteen seconds later.
  const [row] = await until(async () => {
    const found = await rows<{ project_id: string }>(db, 'select project_id from event_streams')
    return found.length > 0 && found
  }, 'the stream is stored again')
  assert.equal(row!.project_id, projectId)
  assert.equal((await rows(db, 'select from event_streams')).length, 1)
})

test('HEAD is refused and uses no stream slot', async () => {
  const response = await app.inject({ method: 'HEAD', url: path })
  assert.equal(response.statusCode, 405)
  assert.equal(response.headers['allow'], 'GET')
  assert.equal(await noneIsOpen(), true)
})

test('events older than five minutes are not replayed', async () => {
  const [old, seen] = await queueCallbacks(db, projectId, 2)
  await deliver([old!, seen!], 'delivered')
  await rows(
    db,
    `update callback_attempts set started_at = now() - interval '6 minutes' where callback_id = $1`,
    [old],
  )
  await rows(
    db,
    `update callback_attempts set started_at = now() - interval '7 minutes' where callback_id = $1`,
    [seen],
  )
  const reader = await open(origin, { 'last-event-id': seen! })
  const [next] = await queueCallbacks(db, projectId)
  await deliver([next!], 'delivered')
  await until(() => reader.events.length > 0)
  assert.deepEqual(
    reader.events.map((event) => event.id),
    [next],
  )
})

test('events whose notifications were lost with the connection are replayed', async () => {
  const reader = await open()
  const [first] = await queueCallbacks(db, projectId)
  await deliver([first!], 'delivered')
  await until(() => reader.events.length === 1)
  await rows(
    db,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
  )
  const [second] = await queueCallbacks(db, projectId)
  await deliver([second!], 'delivered')
  await until(() => reader.events.length === 2)
  assert.equal(reader.events[1]!.id, second)
})

test('every failed attempt is sent too, with the resulting state', async () => {
  const reader = await open()
  merchant.reply = answerWith(410)
  const [id] = await queueCallbacks(db, projectId)
  await deliver([id!], 'exhausted')
  await until(() => reader.events.length === 1)
  assert.equal(reader.events[0]!.data['status'], 'exhausted')
})

test('the number of streams per account is limited over all replicas', async () => {
  for (let n = 0; n < STREAMS_PER_ACCOUNT_MAX; n += 1) {
    const reader = await open(n % 2 === 0 ? origin : otherOrigin)
    assert.equal(reader.status, 200)
  }
  const refused = await readEvents(otherOrigin, owner, path)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '15')
})

test('twenty streams that open at once do not exceed the limit', async () => {
  const opened = await Promise.all(Array.from({ length: 20 }, (_, n) => open(n % 2 ? origin : otherOrigin)))
  assert.equal(opened.filter((reader) => reader.status === 200).length, STREAMS_PER_ACCOUNT_MAX)
})

test('a watching page gets ids and states, uses no stream slot, and leaves test callbacks to the merchant', async () => {
  const reader = await readEvents(origin, owner, `${path}?watch=true`)
  readers.add(reader)
  assert.equal(await noneIsOpen(), true)
  const [id] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  await deliver([id!], 'delivered')
  assert.equal(merchant.received.length, 1)
  await until(() => reader.events.length === 1, 'it is notified')
  const { id: sentId, data } = reader.events[0]!
  assert.equal(sentId, id)
  assert.deepEqual(Object.keys(data).toSorted(), ['attempts', 'id', 'mode', 'status', 'transactionId'])
  assert.equal((await owner.get(`${path}?watch=perhaps`)).status, 400)
})

test('an account’s watching pages are limited too, and use no stream slots of listeners', async () => {
  const watching = await Promise.all(
    Array.from({ length: 25 }, () => readEvents(origin, owner, `${path}?watch=true`)),
  )
  for (const reader of watching) readers.add(reader)
  const statuses = watching.map(({ status }) => status).toSorted()
  assert.deepEqual([statuses.filter((one) => one === 200).length, statuses.at(-1)], [20, 429])
  assert.equal((await open()).status, 200)
  const other = await signUp(app)
  const { id: otherId } = await other.addProject()
  const theirs = await readEvents(origin, other, `/portal/api/projects/${otherId}/events?watch=true`)
  readers.add(theirs)
  assert.equal(theirs.status, 200, 'another account has its own limit')
})

test('the stream slots of a dead process become free after a while', async () => {
  await rows(
    db,
    `insert into event_streams (id, account_id, project_id, expires_at)
     select gen_random_uuid(), owner_id, id, now() - interval '1 second' from projects, generate_series(1, 5) where id = $1`,
    [projectId],
  )
  assert.equal((await open()).status, 200)
})

test('after a sign-out nothing more is sent', async () => {
  const guest = await signUp(app)
  const own = (await guest.addProject({ apiUrl: merchant.url })).id
  const reader = await readEvents(origin, guest, `/portal/api/projects/${own}/events`)
  readers.add(reader)
  await guest.post('/portal/api/sign-out')
  // The next ping checks it, at most fifteen seconds later.
  await reader.ended
})

test('a stream sends nothing of other projects, also when they have listeners in the same process', async () => {
  const stranger = await signUp(app)
  const { id: foreignId } = await stranger.addProject({ apiUrl: merchant.url })
  const reader = await open()
  const other = await readEvents(origin, stranger, `/portal/api/projects/${foreignId}/events`)
  readers.add(other)
  const [foreign] = await queueCallbacks(db, foreignId)
  const [own] = await queueCallbacks(db, projectId)
  await deliver([foreign!, own!], 'delivered')
  await until(() => reader.events.length > 0 && other.events.length > 0)
  assert.deepEqual(
    [reader, other].map(({ events }) => events.map((event) => event.id)),
    [[own], [foreign]],
  )
})

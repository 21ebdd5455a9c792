import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { AttemptView, CallbackView } from '@pazar/contract'
import { verifyCallback } from '@pazar/sdk'
import { rows } from '../../test/accounts.ts'
import { makeToken } from '../../test/api-tokens.ts'
import { Client, signUp } from '../../test/client.ts'
import { listAttemptRows, queueCallbacks } from '../../test/deliveries.ts'
import { readEvents } from '../../test/event-reader.ts'
import { respondWith } from '../../test/merchant.ts'
import { until } from '../../test/until.ts'
import { readSecret } from '../secrets/secrets.ts'
import { startStreamWorld } from '../../test/stream-world.ts'

const world = await startStreamWorld()
const { app, deps, db, origin, otherOrigin, merchant, owner, projectId, path } = world
const { readers, noneIsOpen, open, deliver, markDelivered } = world

const REFUSED_READS: [what: string, headers: Record<string, string>][] = [
  ['a navigation from another site', navigation('cross-site')],
  ['a navigation from another host of the same site', navigation('same-site')],
  ['a navigation from our own page', navigation('same-origin')],
  ['an address that was typed', navigation('none')],
  ['a frame', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ['an image', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  [
    'a script of another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  ],
  ['a script of another host of the same site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ['a navigation inside a frame', { 'sec-fetch-mode': 'nested-navigate' }],
  ['a request with two values of Sec-Fetch-Mode', { 'sec-fetch-mode': 'cors, navigate' }],
  ['a request for a document without Sec-Fetch-Mode', { 'sec-fetch-dest': 'document' }],
  ['an old browser on another site', { origin: 'https://evil.example' }],
  ['an old browser that follows a link of another site', { referer: 'https://evil.example/page' }],
  ['a sandboxed page', { origin: 'null' }],
]

function navigation(site: string): Record<string, string> {
  return { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
}

/** Uses node:http, because `fetch` sets its own Sec-Fetch headers. */
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

for (const [caseName, headers] of REFUSED_READS) {
  test(`${caseName} opens no stream`, async () => {
    assert.deepEqual(await requestStream(headers), { status: 403, code: 'forbidden_origin' })
    assert.ok(await noneIsOpen())
  })
}

test('programs and the portal’s own page can open streams', async () => {
  const ownPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
  const ownPageWithOrigin = {
    ...ownPage,
    origin: deps.config.baseUrl,
    referer: `${deps.config.baseUrl}/en/projects`,
  }
  for (const headers of [{}, ownPage, ownPageWithOrigin])
    assert.equal((await open(origin, headers)).status, 200)
  const { token } = await makeToken(owner, { scope: 'read' })
  const program = new Client(app)
  const reader = await readEvents(origin, program, path, { authorization: `Bearer ${token}` })
  readers.add(reader)
  assert.equal(reader.status, 200)
})

test('a caller without a session is refused as unauthenticated, even from another site', async () => {
  assert.equal((await new Client(app).get(path, navigation('cross-site'))).code, 'unauthenticated')
})

test('the headers of a stream prevent buffering and transformation by proxies', async () => {
  const { status, headers } = await open()
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'no-store, no-transform')
  assert.equal(headers.get('x-accel-buffering'), 'no')
  assert.equal(headers.get('content-encoding'), null)
  assert.ok(headers.get('content-security-policy'))
  assert.ok(headers.get('x-request-id'))
})

test('a live callback is sent as id and state, without its body and signature, on every replica', async () => {
  const streamReaders = [await open(), await open(otherOrigin)]
  const [id] = await queueCallbacks(db, projectId, 1, { customId: 'order-1', data: 'Kafa' })
  await deliver([id!], 'delivered')
  for (const reader of streamReaders) {
    await until(() => reader.events.length === 1)
    const [event] = reader.events
    assert.deepEqual([event!.event, event!.id], ['callback', id])
    assert.deepEqual(event!.data, { mode: 'live', id, transactionId: null, status: 'delivered', attempts: 1 })
    assert.doesNotMatch(JSON.stringify(event), /eyJ|v1,|order-1|Kafa/)
  }
})

test('test callbacks are sent whole, with a valid signature', async () => {
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
  const [testId] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  const [liveId] = await queueCallbacks(db, projectId)
  await deliver([testId!, liveId!], 'delivered')
  assert.deepEqual(
    merchant.received.map((request) => request.id),
    [liveId],
  )
  assert.deepEqual(
    (await listAttemptRows(db, testId!)).map((row) => [row.url, row.outcome]),
    [['listeners', 'delivered']],
  )
  const direct = await owner.post(`/portal/api/projects/${projectId}/test-callbacks`, {
    status: 'fail',
    amount: '5',
  })
  const { callback, attempt } = direct.json<{ callback: CallbackView; attempt: AttemptView }>()
  assert.deepEqual([callback.status, attempt.url], ['delivered', 'listeners'])
  // The explanation says where the real response is and how to resend.
  assert.equal(attempt.statusCode, null)
  assert.match(attempt.cause!, /forwarded to the CLI.* in the CLI’s terminal/)
  assert.match(attempt.fix!, /send it again.*deliveries resend/)
  await until(() => reader.events.length === 3)
  assert.deepEqual(new Set(reader.events.map((event) => event.id)), new Set([testId, liveId, callback.id]))
})

test('with a test URL, test callbacks go to that URL, and listeners get a copy', async (t) => {
  await rows(db, 'update projects set test_api_url = api_url where id = $1', [projectId])
  t.after(() => rows(db, 'update projects set test_api_url = null where id = $1', [projectId]))
  const reader = await open()
  const [id] = await queueCallbacks(db, projectId, 1, { mode: 'test' })
  await deliver([id!], 'delivered')
  assert.equal(merchant.received.length, 1)
  await until(() => reader.events.length === 1)
})

test('a client that does not read is disconnected, and other clients still receive events', async () => {
  const [seen] = await queueCallbacks(db, projectId)
  await deliver([seen!], 'delivered')
  const missed = await queueCallbacks(db, projectId, 2_000, { mode: 'test', data: 'x'.repeat(2_000) })
  await markDelivered(missed)
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined) // The service cuts the connection, which must not end this process.
  const cookie = [...owner.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncookie: ${cookie}\r\nlast-event-id: ${seen}\r\n\r\n`,
  )
  socket.pause()
  await until(
    async () => (await rows(db, 'select from event_streams')).length === 1,
    'the client that does not read has a stream slot',
  )
  const other = await open()
  const [next] = await queueCallbacks(db, projectId)
  await deliver([next!], 'delivered')
  await until(() => other.events.length === 1, 'the other client receives the event')
  await until(
    async () => (await rows(db, 'select from event_streams')).length === 1,
    'the client that does not read has lost its stream slot',
  )
  socket.destroy()
})

test('a deleted row of an open stream is inserted again, and a page that only watches gets no row', async () => {
  readers.add(await readEvents(origin, owner, `${path}?watch=true`))
  await open()
  await rows(db, 'delete from event_streams')
  // The row is inserted at the next ping, at most fifteen seconds later.
  const [row] = await until(async () => {
    const found = await rows<{ project_id: string }>(db, 'select project_id from event_streams')
    return found.length > 0 && found
  }, 'the stream is stored again')
  assert.equal(row!.project_id, projectId)
  assert.equal((await rows(db, 'select from event_streams')).length, 1)
})

test('a failed attempt is sent too, with the resulting state', async () => {
  const reader = await open()
  merchant.reply = respondWith(410)
  const [id] = await queueCallbacks(db, projectId)
  await deliver([id!], 'exhausted')
  await until(() => reader.events.length === 1)
  assert.equal(reader.events[0]!.data['status'], 'exhausted')
})

test('after a sign-out the stream ends', async () => {
  const guest = await signUp(app)
  const ownProjectId = (await guest.addProject({ apiUrl: merchant.url })).id
  const reader = await readEvents(origin, guest, `/portal/api/projects/${ownProjectId}/events`)
  readers.add(reader)
  await guest.post('/portal/api/sign-out')
  // The next ping, at most fifteen seconds later, notices the sign-out.
  await reader.ended
})

test('a stream sends nothing of other projects, even if they have listeners in the same process', async () => {
  const stranger = await signUp(app)
  const { id: foreignId } = await stranger.addProject({ apiUrl: merchant.url })
  const reader = await open()
  const other = await readEvents(origin, stranger, `/portal/api/projects/${foreignId}/events`)
  readers.add(other)
  const foreignIds: string[] = []
  const ownIds: string[] = []
  // There are two rounds. A foreign event of the first round would arrive before the reader's own event of the second round.
  for (let round = 0; round < 2; round += 1) {
    foreignIds.push(...(await queueCallbacks(db, foreignId)))
    ownIds.push(...(await queueCallbacks(db, projectId)))
    await deliver([foreignIds.at(-1)!, ownIds.at(-1)!], 'delivered')
    const hasLast = (events: readonly { id: unknown }[], ids: readonly string[]) =>
      events.some(({ id }) => id === ids.at(-1))
    await until(() => hasLast(reader.events, ownIds) && hasLast(other.events, foreignIds))
  }
  assert.deepEqual(
    [reader, other].map(({ events }) => events.map((event) => event.id)),
    [ownIds, foreignIds],
  )
})

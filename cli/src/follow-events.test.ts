import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { STREAM_PING_EVERY_MS } from '@pazar/contract/limits'
import { catalogue } from '@pazar/words'
import { createApi } from './api.ts'
import { CliError } from './cli-error.ts'
import { FOLLOW_TIMES, followEvents } from './follow-events.ts'
import type { FollowStep } from './follow-events.ts'

const TIMES = { firstWaitMs: 5, waitMaxMs: 20, silenceMaxMs: 2_000 }

type Responder = (response: ServerResponse, lastEventId: string | undefined) => void
let responders: Responder[] = []
const lastEventIds: (string | undefined)[] = []
const server = createServer((request, response) => {
  const lastEventId = request.headers['last-event-id'] as string | undefined
  lastEventIds.push(lastEventId)
  const respond = responders.shift()
  if (respond) respond(response, lastEventId)
  else response.destroy()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})

function toBlock(id: string, attempts = 1): string {
  const data = {
    mode: 'test',
    id,
    transactionId: null,
    status: 'delivered',
    attempts,
    headers: {},
    body: '{}',
  }
  return `event: callback\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}

function sendStream(...pieces: string[]): Responder {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': connected\n\n')
    for (const piece of pieces) response.write(piece)
    response.end()
  }
}

function refuse(status: number, code: string, headers: Record<string, string> = {}): Responder {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers })
    response.end(JSON.stringify({ type: 'u', title: 'T', status, detail: 'D.', code, requestId: 'r' }))
  }
}

function follow(times = TIMES) {
  lastEventIds.length = 0
  const stopping = new AbortController()
  const api = createApi({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'pat_1',
    locale: 'en',
    words: catalogue('en').cli,
    signal: stopping.signal,
  })
  const events = followEvents({ api, path: '/events', signal: stopping.signal }, times)
  return { events, stopping }
}

function toName(step: FollowStep): string {
  return step.kind === 'callback' ? `${step.event.id} ${step.event.attempts}` : step.kind
}

async function readSteps(count: number, times = TIMES): Promise<string[]> {
  const { events, stopping } = follow(times)
  const names: string[] = []
  for await (const step of events) {
    names.push(toName(step))
    if (names.length === count) stopping.abort()
  }
  return names
}

test('a stream that ends is opened again, and replayed events are not returned twice', async () => {
  responders = [
    sendStream(toBlock('msg_1'), toBlock('msg_2')),
    sendStream(toBlock('msg_2'), toBlock('msg_2', 2), toBlock('msg_3')),
    sendStream(),
  ]
  const names = await readSteps(8)
  assert.deepEqual(names, ['open', 'msg_1 1', 'msg_2 1', 'lost', 'open', 'msg_2 2', 'msg_3 1', 'lost'])
  assert.deepEqual(lastEventIds, [undefined, 'msg_2'])
})

test('if a stream ends before its first event, the reconnect sends the event id from the start of the stream', async () => {
  responders = [
    sendStream(': connected\nid: at_1790000000000\n\n'),
    sendStream(),
    sendStream(toBlock('msg_1')),
    sendStream(),
  ]
  assert.deepEqual(await readSteps(7), ['open', 'lost', 'open', 'lost', 'open', 'msg_1 1', 'lost'])
  assert.deepEqual(lastEventIds, [undefined, 'at_1790000000000', 'at_1790000000000'])
})

test('an unreachable service is retried until it is back', async () => {
  const refuseConnection: Responder = (response) => response.destroy()
  responders = [refuseConnection, refuse(503, 'unavailable'), sendStream(toBlock('msg_1'))]
  assert.deepEqual(await readSteps(4), ['lost', 'lost', 'open', 'msg_1 1'])
})

test('a reconnect that is refused with 429 is repeated', async () => {
  responders = [sendStream(), refuse(429, 'rate_limited'), sendStream(toBlock('msg_1'))]
  assert.deepEqual(await readSteps(5), ['open', 'lost', 'lost', 'open', 'msg_1 1'])
})

test('the wait before a reconnect is at least the Retry-After of the response', async () => {
  responders = [refuse(503, 'unavailable', { 'retry-after': '7' })]
  const { events, stopping } = follow()
  for await (const step of events) {
    assert.ok(step.kind === 'lost')
    assert.deepEqual([step.waitMs, step.cause?.facts.code], [7_000, 'unavailable'])
    stopping.abort()
  }
})

test('after a connection that worked, the next wait is the shortest wait again', async () => {
  const dropConnection: Responder = (response) => response.destroy()
  responders = [
    ...Array.from({ length: 3 }, () => dropConnection),
    sendStream(toBlock('msg_1')),
    sendStream(),
  ]
  const { events, stopping } = follow()
  const waits: number[] = []
  for await (const step of events) {
    if (step.kind === 'lost') waits.push(step.waitMs)
    if (waits.length === 4) stopping.abort()
  }
  assert.ok(waits[2]! >= 16 && waits[3]! <= 6, waits.join())
})

test('each wait is about twice as long as the wait before, up to a limit', async () => {
  const dropConnection: Responder = (response) => response.destroy()
  responders = Array.from({ length: 6 }, () => dropConnection)
  const { events, stopping } = follow()
  const waits: number[] = []
  for await (const step of events) {
    if (step.kind === 'lost') waits.push(step.waitMs)
    if (waits.length === 5) stopping.abort()
  }
  for (const [n, expected] of [5, 10, 20, 20, 20].entries())
    assert.ok(waits[n]! >= expected * 0.8 && waits[n]! <= expected * 1.2, waits.join())
})

test('waits are about 1 s at first and about 30 s at most; three missed pings end a connection', () => {
  const silenceMaxMs = 3 * STREAM_PING_EVERY_MS
  assert.deepEqual(FOLLOW_TIMES, { firstWaitMs: 1_000, waitMaxMs: 30_000, silenceMaxMs })
})

for (const [status, code] of [
  [429, 'rate_limited'],
  [401, 'unauthenticated'],
  [403, 'step_up_required'],
  [404, 'not_found'],
] as const) {
  test(`if the first response is ${code}, the error is thrown and nothing is retried`, async () => {
    responders = [refuse(status, code)]
    const { events } = follow()
    await assert.rejects(events.next(), (error: CliError) => error.facts.code === code)
  })
}

test('a 404 of a proxy is thrown if no stream has opened yet, and is retried otherwise', async () => {
  const respondAsProxy: Responder = (response) => response.writeHead(404).end('404 page not found')
  responders = [sendStream(toBlock('msg_1')), respondAsProxy, sendStream(toBlock('msg_2')), sendStream()]
  assert.deepEqual(await readSteps(7), ['open', 'msg_1 1', 'lost', 'lost', 'open', 'msg_2 1', 'lost'])

  responders = [respondAsProxy]
  await assert.rejects(follow().events.next(), (error: CliError) => error.facts.status === 404)
})

test('a connection on which no more data arrives is closed and opened again', async () => {
  const sendOneThenNothing: Responder = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(toBlock('msg_1'))
  }
  responders = [sendOneThenNothing, sendStream(toBlock('msg_2'))]
  const names = await readSteps(5, { ...TIMES, silenceMaxMs: 1_000 })
  assert.deepEqual(names, ['open', 'msg_1 1', 'lost', 'open', 'msg_2 1'])
})

test('an abort ends the iteration, in an open stream and during the wait before a reconnect', async () => {
  responders = [(response) => response.writeHead(200).write(': connected\n\n')]
  const streaming = follow()
  assert.equal((await streaming.events.next()).value?.kind, 'open')
  const rest = streaming.events.next()
  streaming.stopping.abort()
  assert.equal((await rest).done, true)

  responders = [refuse(503, 'unavailable', { 'retry-after': '600' })]
  const waiting = follow()
  assert.equal((await waiting.events.next()).value?.kind, 'lost')
  const next = waiting.events.next()
  waiting.stopping.abort()
  assert.equal((await next).done, true)
})

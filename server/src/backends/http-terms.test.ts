import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { startUpstream, UPSTREAM_SECRET } from '../../test/upstream-process.ts'
import { createLogger } from '../lib/logger.ts'
import type { Backend, NewCharge } from './backend.ts'
import { NeverSentError } from './backend.ts'
import { createHttpBackend } from './http.ts'
import { parseInfo } from './http-terms.ts'

const upstream = await startUpstream()
after(() => upstream.stop())

const logs: string[] = []
const log = createLogger('debug', { out: { write: (line) => logs.push(line) } })
let nowMs = Date.now()
const clock = { nowMs: () => nowMs }

function connect(url: string, money = { currency: 'EUR', scale: 2 }): Backend {
  return createHttpBackend({ url, secret: UPSTREAM_SECRET, clock, terms: { money, log } })
}

function newCharge(n: number): NewCharge {
  const id = `019a8f0e-6b1c-7c3e-9a51-2f60d4b8e9${String(n).padStart(2, '0')}`
  const plain = { mode: 'live' as const, customId: null, data: null, returnUrl: 'http://localhost:3000/' }
  return { ...plain, id, amount: 1500n, currency: 'EUR', scale: 2, projectId: 'tz4a98xxat96iws9zmbrgj3a' }
}

test('if the upstream has our currency and scale, no problem is reported and payments are charged', async () => {
  const backend = connect(upstream.url)
  assert.equal(await backend.findTermsProblem!(), null)
  assert.equal((await backend.create(newCharge(1))).status, 'succeeded')
})

for (const [caseName, money, sentence] of [
  [
    'another currency',
    { currency: 'RSD', scale: 2 },
    /EUR with 2 decimals, but CURRENCY and AMOUNT_SCALE are RSD and 2/,
  ],
  [
    'another number of decimals',
    { currency: 'EUR', scale: 0 },
    /EUR with 2 decimals, but CURRENCY and AMOUNT_SCALE are EUR and 0/,
  ],
] as const) {
  test(`an upstream with ${caseName} is reported at the start, and no charge is sent`, async () => {
    const backend = connect(upstream.url, money)
    const paymentsBefore = (await upstream.books()).payments.length
    assert.match((await backend.findTermsProblem!()) ?? '', sentence)
    await assert.rejects(backend.create(newCharge(2)), NeverSentError)
    assert.equal((await upstream.books()).payments.length, paymentsBefore)
    assert.ok(logs.some((line) => line.includes('no payment is opened')))
  })
}

test('an upstream that responds 404 to /info is used without a check', async (t) => {
  const { port } = await startRawServer(t, plainResponse('404 Not Found', '{"error":"not_found"}'))
  assert.equal(await connect(`http://127.0.0.1:${port}`).findTermsProblem!(), null)
})

test('/info is requested again a minute after a 404, a match or a mismatch', async (t) => {
  let reply = plainResponse('404 Not Found', 'default backend - 404')
  const { port } = await startRawServer(t, (socket, request) => reply(socket, request))
  const backend = connect(`http://127.0.0.1:${port}`)
  const findAfter = async (ms: number) => {
    nowMs += ms
    return backend.findTermsProblem!()
  }
  assert.equal(await findAfter(0), null)
  reply = plainResponse('200 OK', '{"currency":"EUR","scale":0}')
  assert.equal(await findAfter(59_000), null)
  assert.match((await findAfter(1_000)) ?? '', /EUR with 0 decimals/)
  await assert.rejects(backend.create(newCharge(5)), NeverSentError)
  // A later 404 changes nothing.
  reply = plainResponse('404 Not Found', 'default backend - 404')
  assert.match((await findAfter(60_000)) ?? '', /EUR with 0 decimals/)
  reply = plainResponse('200 OK', '{"currency":"EUR","scale":2}')
  assert.equal(await findAfter(60_000), null)
  reply = plainResponse('200 OK', '{"currency":"RSD","scale":2}')
  assert.match((await findAfter(60_000)) ?? '', /RSD with 2 decimals/)
})

test('if /info gives no usable response at the start, /info is requested again for the first payments', async (t) => {
  let text = '{"currency":"EUR"'
  const server = await startRawServer(t, (socket, request) => plainResponse('200 OK', text)(socket, request))
  const backend = connect(`http://127.0.0.1:${server.port}`)
  assert.equal(await backend.findTermsProblem!(), null)
  assert.match(logs.at(-1)!, /\/info is requested again/)
  text =
    '{"currency":"EUR","scale":0,"methods":[],"refunds":true,"disputes":false,"lists":false,"more":{"a":1}}'
  assert.equal(await backend.findTermsProblem!(), null)
  // /info is requested for the payments, although its last request was less than a minute ago.
  await assert.rejects(
    Promise.all([backend.create(newCharge(3)), backend.create(newCharge(4))]),
    NeverSentError,
  )
  assert.ok(server.requests.every((request) => request.startsWith('GET /info ')))
  text = '{"currency":"EUR","scale":2}'
  nowMs += 60_000
  assert.equal(await backend.findTermsProblem!(), null)
  assert.equal(await connect('http://127.0.0.1:9').findTermsProblem!(), null)
})

for (const text of [
  '',
  'null',
  '[]',
  '{"currency":"eur","scale":2}',
  '{"currency":"EUR","scale":"2"}',
  '{"currency":"EUR","currency":"RSD","scale":2}',
])
  test(`${text || 'an empty text'} is not a valid /info response`, () => {
    assert.equal(parseInfo(Buffer.from(text)), null)
  })

test('a valid /info response is parsed', () => {
  const info = parseInfo(Buffer.from('{"currency":"EUR","scale":2,"methods":["card"],"refunds":true}'))
  assert.deepEqual([info?.currency, info?.scale, info?.refunds], ['EUR', 2, true])
})

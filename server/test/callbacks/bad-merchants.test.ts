// Merchants with broken servers: each fault has its own outcome and explanation in the log, delays no other merchant, and
// leaves neither secrets nor megabytes behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { LOCALES } from '@pazar/words'
import type { CallbackDeps } from '../../src/callbacks/deps.ts'
import type { Attempt } from '../../src/deliveries/delivery.ts'
import type { Cause } from '../../src/deliveries/explain.ts'
import { explain, findCause } from '../../src/deliveries/explain.ts'
import { findAttempts } from '../../src/deliveries/log-store.ts'
import { createPublicFetch } from '../../src/egress/public-fetch.ts'
import { startDeliveryWorker } from '../../src/callbacks/worker-loop.ts'
import { readSecret } from '../../src/secrets/secrets.ts'
import { rows } from '../accounts.ts'
import { makeCertificate } from '../certificates.ts'
import { addCallbackProject, callbackRow, queueCallbacks, untilAttempt } from '../deliveries.ts'
import { startMerchant } from '../merchant.ts'
import { startPayments } from '../payments.ts'
import { answer, startRawServer } from '../raw-server.ts'
import type { Reply } from '../raw-server.ts'
import { until } from '../until.ts'

const healthy = await startMerchant()
const { deps: base, logs } = await startPayments()
const { db } = base
const allowHosts = new Set([healthy.pair])
const publicFetch = createPublicFetch({
  resolver: base.resolver,
  allowHosts,
  // Short, because the test waits for it; the behaviour does not depend on its length.
  limits: { totalTimeoutMs: 3_000 },
})
const deps: CallbackDeps = { ...base, publicFetch }
test.after(async () => {
  await publicFetch.close()
  await healthy.close()
})

const MIB_5 = 'x'.repeat(5 * 1024 * 1024)
const MIB = Buffer.alloc(2 ** 20, 'x')

/** Sends as fast as the client reads, until the client disconnects. */
function pour(head: string): Reply {
  return (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(MIB));
    }
    socket.on('drain', more)
    socket.write(head)
    more()
  }
}

function drip(head: string): Reply {
  return (socket) => {
    socket.write(head)
    const timer = setInterval(() => socket.write('z'), 20)
    socket.once('close', () => clearInterval(timer))
  }
}

const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
const gzipBomb: Reply = (socket) => {
  socket.write(`HTTP/1.1 500 Oops\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
  socket.write(bomb)
}

interface Bad {
  reply: Reply
  outcome: Attempt['outcome']
  cause: Cause | null
  isTriedAgain: boolean
  isTls?: boolean
}

const BAD: Record<string, Bad> = {
  'hangs for ever': { reply: () => undefined, outcome: 'timeout', cause: 'timeout', isTriedAgain: true },
  'drips its headers': {
    reply: drip('HTTP/1.1 200 OK\r\nx: '),
    outcome: 'timeout',
    cause: 'timeout',
    isTriedAgain: true,
  },
  'drips its body': {
    reply: drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'),
    outcome: 'delivered',
    cause: 'body_late',
    isTriedAgain: false,
  },
  'resets the connection': {
    reply: (socket) => socket.resetAndDestroy(),
    outcome: 'connect',
    cause: 'connect_lost',
    isTriedAgain: true,
  },
  'responses 5 MB': {
    reply: answer('200 OK', MIB_5),
    outcome: 'delivered',
    cause: null,
    isTriedAgain: false,
  },
  'responses without end': {
    reply: pour('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n'),
    outcome: 'delivered',
    cause: null,
    isTriedAgain: false,
  },
  'fails without end': {
    reply: pour('HTTP/1.1 500 Oops\r\ncontent-length: 1000000000000\r\n\r\n'),
    outcome: 'http_error',
    cause: 'server_error',
    isTriedAgain: true,
  },
  'fails with 5 MB': {
    reply: answer('500 Oops', MIB_5),
    outcome: 'http_error',
    cause: 'server_error',
    isTriedAgain: true,
  },
  'sends a gzip bomb': { reply: gzipBomb, outcome: 'http_error', cause: 'server_error', isTriedAgain: true },
  'redirects to a metadata address': {
    reply: answer('307 Temporary Redirect', '', 'location: http://169.254.169.254/latest/meta-data/'),
    outcome: 'redirect',
    cause: 'redirect',
    isTriedAgain: true,
  },
  'has a certificate nobody issued': {
    reply: answer('200 OK'),
    outcome: 'tls',
    cause: 'tls_chain',
    isTriedAgain: true,
    isTls: true,
  },
  'says that it is gone': {
    reply: answer('410 Gone'),
    outcome: 'http_error',
    cause: 'gone',
    isTriedAgain: false,
  },
  'asks for patience': {
    reply: answer('429 Too Many Requests', '', 'retry-after: 8'),
    outcome: 'http_error',
    cause: 'too_many_requests',
    isTriedAgain: true,
  },
  'is behind a bot check that responds for it': {
    reply: answer('403 Forbidden', '<title>Just a moment...</title>'),
    outcome: 'http_error',
    cause: 'bot_wall',
    isTriedAgain: true,
  },
  'sends a hundred thousand headers': {
    reply: (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}`),
    outcome: 'too_large',
    cause: 'too_large',
    isTriedAgain: true,
  },
  'speaks another protocol': {
    reply: (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
    outcome: 'http_error',
    cause: 'not_http',
    isTriedAgain: true,
  },
}

async function addBadShop(t: TestContext, { reply, isTls }: Pick<Bad, 'reply' | 'isTls'>): Promise<string> {
  const server = await startRawServer(t, reply, isTls ? makeCertificate({ names: ['127.0.0.1'] }) : undefined)
  allowHosts.add(`127.0.0.1:${server.port}`)
  return addCallbackProject(deps, `${isTls ? 'https' : 'http'}://127.0.0.1:${server.port}/callback`)
}

test('each broken merchant gets its own outcome and explanation, and deliveries to a healthy one are not affected', async (t) => {
  const queued = new Map<string, { id: string; projectId: string }>()
  for (const [name, bad] of Object.entries(BAD)) {
    const projectId = await addBadShop(t, bad)
    const ids = await queueCallbacks(db, projectId, 3, { dueInSec: -60 })
    queued.set(name, { id: ids[0]!, projectId })
  }
  const good = await addCallbackProject(deps, healthy.url)
  const rssBefore = process.memoryUsage().rss
  const worker = startDeliveryWorker(deps)
  t.after(() => worker.stop())
  await queueCallbacks(db, good, 300)
  worker.wake()
  await until(
    () => new Set(healthy.received.map((got) => got.id)).size === 300,
    'the healthy merchant has all callbacks',
  )
  for (const [name, { id }] of queued) await t.test(`a merchant that ${name}`, () => check(name, id))
  const grownMiB = (process.memoryUsage().rss - rssBefore) / 2 ** 20
  t.diagnostic(`memory grew by ${grownMiB.toFixed(0)} MiB`)
  // Forty-eight bad responses, six of them endless: without limits, far more than this would be read in the allowed time.
  assert.ok(grownMiB < 150, `${grownMiB} MiB`)
})

async function check(name: string, id: string): Promise<void> {
  const { outcome, cause, isTriedAgain } = BAD[name]!
  const tried = await untilAttempt(db, id, 1)
  assert.equal(tried.outcome, outcome)
  const [attempt] = await findAttempts(db, (await callbackRow(db, id)).project_id, id)
  assert.equal(attempt!.nextAt !== null, isTriedAgain)
  assert.equal(findCause(attempt!), cause)
  for (const locale of LOCALES) assert.equal(explain(locale, attempt!) === null, cause === null)
  assert.ok(Buffer.byteLength(tried.response_excerpt ?? '') <= 4096)
  if (name === 'redirects to a metadata address')
    assert.match(explain('en', attempt!)!.cause, /169\.254\.169\.254\/latest/)
  // Five seconds by the schedule, plus or minus a fifth. Retry-After says eight; at most twice the schedule is accepted.
  const waitMs = (attempt!.nextAt?.getTime() ?? 0) - attempt!.startedAt.getTime()
  if (name === 'asks for patience') assert.ok(waitMs > 6_500, String(waitMs))
}

test('a merchant that echoes everything back leaves nothing secret in database or logs', async (t) => {
  const echo: Reply = (socket, request) => {
    const json = JSON.stringify({ you: { sent: request } }).replaceAll('/', String.raw`\/`)
    const body = `${request}\n${json}\n${encodeURIComponent(request)}`
    socket.write(`HTTP/1.1 500 Oops\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const sendOn: Reply = (socket, request) => {
    const signature = encodeURIComponent(/webhook-signature: (.*)\r\n/.exec(request)![1]!)
    const { hash } = JSON.parse(request.slice(request.indexOf('{'))) as { hash: string }
    answer('302 Found', '', `location: https://shop.me/?s=${signature}&h%3D${hash}`)(socket, request)
  }
  let requests = 0
  const reply: Reply = (...got) => ((requests += 1) % 2 === 0 ? echo : sendOn)(...got)
  const projectId = await addBadShop(t, { reply })
  const ids = await queueCallbacks(db, projectId, 20, { customId: 'echo', data: 'Kafa' })
  const worker = startDeliveryWorker(deps)
  t.after(() => worker.stop())
  for (const id of ids) await untilAttempt(db, id, 1)
  const [stored] = await rows<{ text: string }>(
    db,
    `select string_agg(a::text, '') || (select string_agg(c::text, '') from callbacks c where project_id = $1) as text
     from callback_attempts a where project_id = $1`,
    [projectId],
  )
  const secret = await readSecret(deps, db, projectId, 'live')
  assert.match(stored!.text, /\[removed\]/)
  for (const text of [stored!.text, logs.join('\n')]) {
    assert.ok(!text.includes(secret))
    assert.doesNotMatch(text, /eyJ[A-Za-z0-9_-]{20,}|v1(?:,|%2C)[A-Za-z0-9+/%]{20,}/)
  }
})

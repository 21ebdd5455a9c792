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
import { addCallbackProject, readCallbackRow, queueCallbacks, untilAttempt } from '../deliveries.ts'
import { startMerchant } from '../merchant.ts'
import { startPayments } from '../payments.ts'
import { plainResponse, startRawServer } from '../raw-server.ts'
import type { Reply } from '../raw-server.ts'
import { until } from '../until.ts'

const healthy = await startMerchant()
const { deps: base, logs } = await startPayments()
const { db } = base
const allowHosts = new Set([healthy.hostAndPort])
const publicFetch = createPublicFetch({
  resolver: base.resolver,
  allowHosts,
  // The limit is short, because the test waits for this timeout.
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
    const writeMore = () => {
      while (!socket.destroyed && socket.write(MIB));
    }
    socket.on('drain', writeMore)
    socket.write(head)
    writeMore()
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

interface BrokenServer {
  reply: Reply
  outcome: Attempt['outcome']
  cause: Cause | null
  isRetried: boolean
  isTls?: boolean
}

const BROKEN_SERVERS: Record<string, BrokenServer> = {
  'hangs for ever': { reply: () => undefined, outcome: 'timeout', cause: 'timeout', isRetried: true },
  'sends its headers byte by byte': {
    reply: drip('HTTP/1.1 200 OK\r\nx: '),
    outcome: 'timeout',
    cause: 'timeout',
    isRetried: true,
  },
  'sends its body byte by byte': {
    reply: drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'),
    outcome: 'delivered',
    cause: 'body_late',
    isRetried: false,
  },
  'resets the connection': {
    reply: (socket) => socket.resetAndDestroy(),
    outcome: 'connect',
    cause: 'connect_lost',
    isRetried: true,
  },
  'responds with a body of 5 MB': {
    reply: plainResponse('200 OK', MIB_5),
    outcome: 'delivered',
    cause: null,
    isRetried: false,
  },
  'responds with an endless body': {
    reply: pour('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n'),
    outcome: 'delivered',
    cause: null,
    isRetried: false,
  },
  'fails with an endless body': {
    reply: pour('HTTP/1.1 500 Oops\r\ncontent-length: 1000000000000\r\n\r\n'),
    outcome: 'http_error',
    cause: 'server_error',
    isRetried: true,
  },
  'fails with a body of 5 MB': {
    reply: plainResponse('500 Oops', MIB_5),
    outcome: 'http_error',
    cause: 'server_error',
    isRetried: true,
  },
  'sends a gzip bomb': { reply: gzipBomb, outcome: 'http_error', cause: 'server_error', isRetried: true },
  'redirects to a metadata address': {
    reply: plainResponse('307 Temporary Redirect', '', 'location: http://169.254.169.254/latest/meta-data/'),
    outcome: 'redirect',
    cause: 'redirect',
    isRetried: true,
  },
  'has a self-signed certificate': {
    reply: plainResponse('200 OK'),
    outcome: 'tls',
    cause: 'tls_chain',
    isRetried: true,
    isTls: true,
  },
  'says that it is gone': {
    reply: plainResponse('410 Gone'),
    outcome: 'http_error',
    cause: 'gone',
    isRetried: false,
  },
  'asks for a later retry': {
    reply: plainResponse('429 Too Many Requests', '', 'retry-after: 8'),
    outcome: 'http_error',
    cause: 'too_many_requests',
    isRetried: true,
  },
  'is behind a bot check': {
    reply: plainResponse('403 Forbidden', '<title>Just a moment...</title>'),
    outcome: 'http_error',
    cause: 'bot_wall',
    isRetried: true,
  },
  'sends a hundred thousand headers': {
    reply: (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}`),
    outcome: 'too_large',
    cause: 'too_large',
    isRetried: true,
  },
  'speaks another protocol': {
    reply: (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
    outcome: 'http_error',
    cause: 'not_http',
    isRetried: true,
  },
}

async function addBrokenProject(
  t: TestContext,
  { reply, isTls }: Pick<BrokenServer, 'reply' | 'isTls'>,
): Promise<string> {
  const server = await startRawServer(t, reply, isTls ? makeCertificate({ names: ['127.0.0.1'] }) : undefined)
  allowHosts.add(`127.0.0.1:${server.port}`)
  return addCallbackProject(deps, `${isTls ? 'https' : 'http'}://127.0.0.1:${server.port}/callback`)
}

test('the log shows the outcome and the cause for each broken merchant, and a healthy merchant gets all its callbacks', async (t) => {
  const queued = new Map<string, { id: string; outcome: string }>()
  for (const [name, bad] of Object.entries(BROKEN_SERVERS)) {
    const projectId = await addBrokenProject(t, bad)
    const ids = await queueCallbacks(db, projectId, 3, { dueInSec: -60 })
    queued.set(name, { id: ids[0]!, outcome: bad.outcome })
  }
  const healthyProjectId = await addCallbackProject(deps, healthy.url)
  const rssBefore = process.memoryUsage().rss
  const worker = startDeliveryWorker(deps)
  t.after(() => worker.stop())
  await queueCallbacks(db, healthyProjectId, 300)
  worker.wake()
  await until(
    () => new Set(healthy.received.map((request) => request.id)).size === 300,
    'the healthy merchant has all callbacks',
  )
  for (const [name, { id, outcome }] of queued)
    await t.test(`a merchant that ${name} is logged with outcome "${outcome}"`, () => assertLogged(name, id))
  const grownMiB = (process.memoryUsage().rss - rssBefore) / 2 ** 20
  t.diagnostic(`memory grew by ${grownMiB.toFixed(0)} MiB`)
  // Without limits, the endless responses would use far more memory than this.
  assert.ok(grownMiB < 150, `${grownMiB} MiB`)
})

async function assertLogged(name: string, id: string): Promise<void> {
  const { outcome, cause, isRetried } = BROKEN_SERVERS[name]!
  const stored = await untilAttempt(db, id, 1)
  assert.equal(stored.outcome, outcome)
  const [attempt] = await findAttempts(db, (await readCallbackRow(db, id)).project_id, id)
  assert.equal(attempt!.nextAt !== null, isRetried)
  assert.equal(findCause(attempt!), cause)
  for (const locale of LOCALES) assert.equal(explain(locale, attempt!) === null, cause === null)
  assert.ok(Buffer.byteLength(stored.response_excerpt ?? '') <= 4096)
  if (name === 'redirects to a metadata address')
    assert.match(explain('en', attempt!)!.cause, /169\.254\.169\.254\/latest/)
  // The planned delay is five seconds, plus or minus a fifth. The merchant requests eight seconds with Retry-After.
  const waitMs = (attempt!.nextAt?.getTime() ?? 0) - attempt!.startedAt.getTime()
  if (name === 'asks for a later retry') assert.ok(waitMs > 6_500, String(waitMs))
}

test('if a merchant echoes the request, no secret, signature or hash is stored or logged', async (t) => {
  const echo: Reply = (socket, request) => {
    const json = JSON.stringify({ you: { sent: request } }).replaceAll('/', String.raw`\/`)
    const body = `${request}\n${json}\n${encodeURIComponent(request)}`
    socket.write(`HTTP/1.1 500 Oops\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const redirectWithSignature: Reply = (socket, request) => {
    const signature = encodeURIComponent(/webhook-signature: (.*)\r\n/.exec(request)![1]!)
    const { hash } = JSON.parse(request.slice(request.indexOf('{'))) as { hash: string }
    plainResponse('302 Found', '', `location: https://shop.me/?s=${signature}&h%3D${hash}`)(socket, request)
  }
  let requests = 0
  const reply: Reply = (...got) => ((requests += 1) % 2 === 0 ? echo : redirectWithSignature)(...got)
  const projectId = await addBrokenProject(t, { reply })
  const ids = await queueCallbacks(db, projectId, 20, { customId: 'echo', data: 'Kafa' })
  const worker = startDeliveryWorker(deps)
  t.after(() => worker.stop())
  for (const id of ids) await untilAttempt(db, id, 1)
  const [stored] = await rows<{ text: string }>(
    db,
    `select string_agg(a::text, '') || (select string_agg(c::text, '') from callback_states c where project_id = $1) as text
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

// One trace leads from the payer's request to the upstream and to the merchant's callback, even across processes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startDeliveryWorker } from '../src/callbacks/worker-loop.ts'
import { readSecret } from '../src/secrets/secrets.ts'
import { addCallbackProject } from './deliveries.ts'
import { startTestService } from './harness.ts'
import { startMerchant } from './merchant.ts'
import { toLink } from './payer.ts'
import { until } from './until.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT_ID = '00f067aa0ba902b7'
const HEADERS = { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01`, 'x-request-id': 'request-of-the-proxy' }

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
}
type OtlpBody = { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }

/** One server is both the upstream, which charges every payment, and the collector. Headers and spans are recorded. */
const upstreamHeaders: IncomingHttpHeaders[] = []
const collected: OtlpSpan[] = []
const upstreamAndCollector = createServer((request, reply) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.method !== 'POST') return reply.writeHead(404).end()
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string> & OtlpBody
    if (request.url === '/v1/traces') {
      collected.push(...body.resourceSpans.flatMap((one) => one.scopeSpans).flatMap((one) => one.spans))
      return reply.writeHead(200).end('{}')
    }
    upstreamHeaders.push(request.headers)
    const { id, amount, currency } = body
    const payment = JSON.stringify({ id, status: 'succeeded', amount, currency })
    return reply.writeHead(200, { 'content-type': 'application/json' }).end(payment)
  })
})
upstreamAndCollector.listen(0, '127.0.0.1')
await once(upstreamAndCollector, 'listening')
const address = `http://127.0.0.1:${(upstreamAndCollector.address() as AddressInfo).port}`
const merchant = await startMerchant()
after(async () => {
  await merchant.close()
  upstreamAndCollector.closeAllConnections()
  upstreamAndCollector.close()
})
const service = await startTestService({
  CALLBACK_ALLOW_HOSTS: merchant.hostAndPort,
  BACKEND: 'http',
  BACKEND_URL: address,
  BACKEND_SECRET: 'a-secret-of-32-bytes-at-the-least',
  ROLE: 'web',
})
const { app, deps, logs } = service
const id = await addCallbackProject(deps, merchant.url)
const secrets = {
  live: await readSecret(deps, deps.db, id, 'live'),
  test: await readSecret(deps, deps.db, id, 'test'),
}

async function pay(payApp: typeof app, customId: string, headers: Record<string, string>) {
  const accept = { accept: 'application/json' }
  const opened = await payApp.inject({ url: toLink({ id, secrets }, { customId }), headers: accept })
  const { token } = opened.json<{ token: string }>()
  const paid = await payApp.inject({
    method: 'POST',
    url: '/pay',
    headers: { ...accept, ...headers },
    payload: { token },
  })
  assert.equal(paid.statusCode, 200, paid.body)
  return paid
}

const findLines = (msg: string, transactionId: string) =>
  logs
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['msg'] === msg && line['transactionId'] === transactionId)

async function deliverAll(replicaDeps: typeof deps, count: number): Promise<void> {
  const worker = startDeliveryWorker(replicaDeps)
  await until(() => merchant.received.length === count)
  await worker.stop()
}

test('the request id and trace of a caller reach the log and the upstream, and a callback sent by another process has the trace', async () => {
  const paid = await pay(app, 'order-1', HEADERS)
  assert.equal(paid.headers['x-request-id'], HEADERS['x-request-id'])
  const { transactionId } = paid.json<{ transactionId: string }>()
  assert.match(String(upstreamHeaders[0]!['traceparent']), new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`))
  assert.equal(upstreamHeaders[0]!['x-request-id'], HEADERS['x-request-id'])
  const [ended] = findLines('payment ended', transactionId)
  assert.deepEqual([ended!['reqId'], ended!['traceId']], [HEADERS['x-request-id'], TRACE_ID])

  const deliveryReplica = await service.replica({ ROLE: 'delivery' })
  await deliverAll(deliveryReplica.deps, 1)
  const callback = merchant.received[0]!
  assert.match(String(callback.headers['traceparent']), new RegExp(`^00-${TRACE_ID}-`))
  assert.equal('traceparent' in callback.body, false)
  await until(() => findLines('callback attempted', transactionId).length === 1)
  assert.equal(findLines('callback attempted', transactionId)[0]!['traceId'], TRACE_ID)
})

test('without a trace from the caller, the upstream gets only the request id, and the merchant gets no trace', async () => {
  const paid = await pay(app, 'order-2', {})
  assert.equal(upstreamHeaders[1]!['traceparent'], undefined)
  assert.equal(upstreamHeaders[1]!['x-request-id'], paid.headers['x-request-id'])
  await deliverAll(deps, 2)
  assert.equal(merchant.received[1]!.headers['traceparent'], undefined)
})

test('malformed headers are replaced or dropped, and appear in no log line, response or request', async () => {
  const GARBAGE = 'garbage$(reboot)'
  const LONG = 'x'.repeat(5_000)
  for (const [index, value] of [GARBAGE, LONG].entries()) {
    const sent = { 'x-request-id': value, traceparent: `00-${value}` }
    const paid = await pay(app, `order-3-${index}`, sent)
    assert.match(String(paid.headers['x-request-id']), /^[0-9a-f]{16}$/)
    assert.equal(upstreamHeaders.at(-1)!['x-request-id'], paid.headers['x-request-id'])
    assert.equal(upstreamHeaders.at(-1)!['traceparent'], undefined)
    const refused = await app.inject({ method: 'POST', url: '/pay', headers: sent, payload: '{' })
    assert.equal(refused.body.includes(value), false)
  }
  assert.equal(
    logs.some((line) => line.includes(GARBAGE) || line.includes(LONG)),
    false,
  )
})

test('spans of the request, the upstream call and the callback reach the collector as one trace', async () => {
  const tracedReplica = await service.replica({ OTEL_EXPORTER_OTLP_ENDPOINT: address, ROLE: 'all' })
  const receivedBefore = merchant.received.length
  // This delivers the callbacks of the two payments of the test above.
  await deliverAll(deps, receivedBefore + 2)
  await pay(tracedReplica.app, 'order-4', HEADERS)
  await deliverAll(tracedReplica.deps, receivedBefore + 3)
  await tracedReplica.deps.spans.close()
  const find = (name: string) => collected.find((one) => one.name === name && one.traceId === TRACE_ID)
  const serverSpan = find('POST /pay')
  assert.equal(serverSpan?.parentSpanId, PARENT_ID)
  for (const name of ['http create', 'callback payment.result'])
    assert.equal(find(name)?.parentSpanId, serverSpan?.spanId, name)
  const opened = collected.find((one) => one.name === 'GET /pay')
  assert.ok(opened && opened.traceId !== TRACE_ID && opened.parentSpanId === undefined)
})

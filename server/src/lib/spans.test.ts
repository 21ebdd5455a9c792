import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { until } from '../../test/until.ts'
import { createSpans, toOtlpSpan } from './spans.ts'
import type { Span } from './spans.ts'
import { startTrace } from './trace.ts'

const SPAN: Span = {
  trace: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentId: null },
  name: 'POST /pay',
  kind: 'server',
  endedMs: 1_700_000_000_500,
  durationMs: 250,
  isError: true,
  attributes: { 'http.route': '/pay', 'http.response.status_code': 503, share: 0.5, 'pazar.none': null },
}

test('a span is converted to the JSON form of OTLP', () => {
  assert.deepEqual(toOtlpSpan(SPAN), {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    name: 'POST /pay',
    kind: 2,
    startTimeUnixNano: '1700000000250000000',
    endTimeUnixNano: '1700000000500000000',
    attributes: [
      { key: 'http.route', value: { stringValue: '/pay' } },
      { key: 'http.response.status_code', value: { intValue: '503' } },
      { key: 'share', value: { doubleValue: 0.5 } },
    ],
    status: { code: 2 },
  })
})

async function startCollector(reply: RequestListener): Promise<{ endpoint: string; stop(): void }> {
  const server = createServer(reply)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  after(stop)
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop }
}

const newSpan = (): Span => ({ ...SPAN, trace: startTrace(null, true) })

test('each batch of spans is sent with the resource, and the last spans are sent when the exporter is closed', async () => {
  const bodies: { resourceSpans: { resource: object; scopeSpans: { spans: object[] }[] }[] }[] = []
  const paths = new Set<string>()
  const { endpoint } = await startCollector((request, reply) => {
    paths.add(`${request.method} ${request.url} ${request.headers['content-type']}`)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(chunks).toString()) as (typeof bodies)[number])
      reply.writeHead(200).end('{}')
    })
  })
  let dropped = 0
  const spans = createSpans({
    endpoint,
    resource: { 'service.name': 'pazar' },
    onDropped: (count) => (dropped += count),
    sendEveryMs: 20,
  })
  const count = () => bodies.flatMap((body) => body.resourceSpans[0]!.scopeSpans[0]!.spans).length
  for (let made = 0; made < 600; made += 1) spans.record(newSpan())
  await until(() => count() === 600, 'all arrived')
  // A batch has at most 512 spans.
  assert.equal(bodies.length, 2)
  spans.record(newSpan())
  await spans.close()
  await until(() => count() === 601)
  assert.deepEqual([...paths], ['POST /v1/traces application/json'])
  assert.deepEqual(bodies[0]!.resourceSpans[0]!.resource, {
    attributes: [{ key: 'service.name', value: { stringValue: 'pazar' } }],
  })
  assert.equal(dropped, 0)
})

test('while the collector does not respond, spans that do not fit into the queue are dropped and counted', async () => {
  let requests = 0
  const collector = await startCollector(() => void (requests += 1))
  let dropped = 0
  const spans = createSpans({
    endpoint: collector.endpoint,
    resource: {},
    onDropped: (count) => (dropped += count),
    sendEveryMs: 10,
  })
  spans.record(newSpan())
  await until(() => requests === 1, 'the first batch is on its way')
  for (let made = 0; made < 5_000; made += 1) spans.record(newSpan())
  // The queue has room for 4,096 spans.
  assert.equal(dropped, 5_000 - 4_096, 'spans that do not fit are dropped immediately')
  assert.equal(requests, 1, 'only one batch is sent at a time')
  collector.stop()
  await spans.close()
  assert.equal(dropped, 5_001)
})

test('spans that the collector refuses are counted as dropped', async () => {
  const { endpoint } = await startCollector((_request, reply) => reply.writeHead(503).end())
  let dropped = 0
  const spans = createSpans({ endpoint, resource: {}, onDropped: (count) => (dropped += count) })
  spans.record(newSpan())
  await spans.close()
  assert.equal(dropped, 1)
})

test('spans are not sent to another address if the collector redirects to it', async () => {
  let received = 0
  const other = await startCollector((_request, reply) => {
    received += 1
    reply.writeHead(200).end()
  })
  const { endpoint } = await startCollector((_request, reply) =>
    reply.writeHead(307, { location: other.endpoint }).end(),
  )
  let dropped = 0
  const spans = createSpans({ endpoint, resource: {}, onDropped: (count) => (dropped += count) })
  spans.record(newSpan())
  await spans.close()
  assert.deepEqual([received, dropped], [0, 1])
})

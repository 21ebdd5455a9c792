import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Db } from './db/pool.ts'
import { systemClock } from './lib/clock.ts'
import { createLogger } from './lib/logger.ts'
import { createServiceMetrics, createServiceSpans } from './service-metrics.ts'

const withoutDatabase: Pick<Db, 'countConnections' | 'query'> = {
  countConnections: () => ({ busy: 3, idle: 2, waiting: 1 }),
  query: () => Promise.reject(new Error('no database')),
}
const SETTINGS = { role: 'web', backend: 'http', backendsKept: ['sandbox', 'stripe'] } as const
const metrics = await createServiceMetrics(
  SETTINGS,
  withoutDatabase as Db,
  systemClock,
  createLogger('silent'),
)

test('before the first call, the metrics name the current upstream and each previous one, except the sandbox', async () => {
  const lines = (await metrics.text()).split('\n')
  const upstreams = new Set(
    lines.flatMap((line) => /^pazar_upstream_calls_total\{upstream="(\w+)",/.exec(line)?.[1] ?? []),
  )
  assert.deepEqual([...upstreams].toSorted(), ['http', 'stripe'], 'the sandbox is part of this service')
  assert.ok(lines.includes('pazar_pool_connections{state="busy"} 3'))
  assert.ok(lines.includes('pazar_ready 0'), 'the database does not respond')
  assert.ok(lines.some((line) => line.startsWith('pazar_build_info{') && line.includes('role="web"')))
})

test('spans that the collector refuses are counted, and without a collector no spans are exported', async (t) => {
  const bodies: string[] = []
  const collector = createServer((request, response) => {
    request.on('data', (part: Buffer) => bodies.push(part.toString()))
    request.on('end', () => response.writeHead(503).end())
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  t.after(() => collector.close())
  const { port } = collector.address() as AddressInfo
  const spans = createServiceSpans({ role: 'delivery', otlpEndpoint: `http://127.0.0.1:${port}` }, metrics)
  assert.equal(spans.isExported, true)
  const trace = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), parentId: null }
  spans.record({
    trace,
    name: 'x',
    kind: 'client',
    endedMs: 1,
    durationMs: 1,
    isError: false,
    attributes: {},
  })
  await spans.close()
  assert.match(bodies.join(''), /"pazar\.role","value":\{"stringValue":"delivery"\}/)
  assert.match(await metrics.text(), /^pazar_spans_dropped_total 1$/m)
  assert.equal(createServiceSpans({ role: 'delivery', otlpEndpoint: null }, metrics).isExported, false)
})

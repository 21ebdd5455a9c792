import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { freePort } from '../../test/service-process.ts'
import { readSchemaVersion } from '../db/migration-file.ts'
import { createMetrics } from '../lib/metrics.ts'
import { VERSION } from '../lib/version.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { readGauges } from '../payments/watch-background.ts'
import { startMetricsServer } from './metrics-server.ts'

const TOKEN = 'metrics-for-the-operator'
const service = await startTestService({ METRICS_TOKEN: TOKEN })
const { app, deps } = service

const scrape = (authorization?: string) =>
  app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } })

test('the metrics can be read with the token, and they count incidents and responses', async () => {
  await app.inject('/healthz')
  await raiseIncident(deps, { kind: 'charged_twice', transactionId: null, subject: 'tx', facts: {} })
  const response = await scrape(`Bearer ${TOKEN}`)
  assert.equal(response.statusCode, 200)
  assert.match(response.headers['content-type'] ?? '', /^text\/plain/)
  assert.match(response.body, /^pazar_incidents_total\{kind="charged_twice"\} 1$/m)
  assert.match(response.body, /^pazar_http_answers_total\{method="GET",route="\/healthz",status="200"\} 1$/m)
  assert.match(response.body, /^nodejs_eventloop_lag_seconds /m)
})

test('a counter whose labels are known in advance is served as 0 before its first event', async () => {
  const { deps: freshDeps } = await service.replica({
    BACKEND: 'http',
    BACKEND_URL: 'https://bank.example.com',
    BACKEND_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  })
  const text = await freshDeps.metrics.text()
  for (const line of [
    'pazar_incidents_total{kind="charged_twice"} 0',
    'pazar_payments_total{mode="live",state="succeeded"} 0',
    'pazar_payments_total{mode="test",state="expired"} 0',
    'pazar_refunds_total{mode="live",state="processing"} 0',
    'pazar_refunds_total{mode="test",state="returned"} 0',
    'pazar_callback_attempts_total{outcome="timeout"} 0',
    'pazar_upstream_calls_total{upstream="http",outcome="answered"} 0',
    'pazar_upstream_calls_total{upstream="http",outcome="unreachable"} 0',
    'pazar_upstream_call_seconds_count{upstream="http",outcome="answered"} 0',
    'pazar_upstream_call_seconds_count{upstream="http",outcome="unreachable"} 0',
    'pazar_spans_dropped_total 0',
    'pazar_http_answers_total{method="POST",route="/pay",status="500"} 0',
    'pazar_http_answers_total{method="POST",route="/sdk/transaction/refund",status="503"} 0',
    'pazar_pool_connections{state="waiting"} 0',
  ])
    assert.ok(text.includes(`${line}\n`), `${line} is missing in:\n${text}`)
  assert.match(text, /^pazar_pool_connections\{state="idle"\} [1-9]/m)
  assert.match(
    text,
    new RegExp(`^pazar_build_info\\{version="${VERSION}",schema="\\d{4}",role="all"\\} 1$`, 'm'),
  )
  assert.doesNotMatch(text, /upstream="sandbox"/)
})

test('gauges are read from the database, and each loop has its heartbeat', async () => {
  const metrics = createMetrics(() => readGauges(deps))
  metrics.recordLoopStep('delivery')
  const text = await metrics.text()
  assert.match(text, /^pazar_callbacks_due 0$/m)
  assert.match(text, /^pazar_callbacks_oldest_due_seconds 0$/m)
  assert.match(text, /^pazar_payments_open 0$/m)
  assert.match(text, /^pazar_payments_oldest_open_seconds 0$/m)
  assert.match(text, /^pazar_incidents_open 1$/m)
  assert.match(text, /^pazar_mails_waiting 0$/m)
  assert.match(text, new RegExp(`^pazar_schema_version ${Number(await readSchemaVersion())}$`, 'm'))
  assert.match(text, /^pazar_clock_offset_seconds -?\d/m)
  assert.match(text, /^pazar_loop_heartbeat_seconds\{loop="delivery"\} 0/m)
})

test('every metric in the alerts and in the dashboard is served, and every pazar_ metric is documented', async () => {
  const { deps: otherDeps } = await service.replica({})
  otherDeps.metrics.recordLoopStep('delivery')
  const served = await otherDeps.metrics.text()
  const names = new Set([...served.matchAll(/^# TYPE (\w+) \w+$/gm)].map(([, name = '']) => name))
  const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
  const used = `${read('deploy/alerts.yaml')}${read('deploy/dashboard.json')}`.matchAll(
    /\b(?:pazar|process|nodejs)(?:_[a-z0-9]+)+/g,
  )
  const missing = [...used].map(([name]) => name.replace(/_bucket$/, '')).filter((name) => !names.has(name))
  assert.deepEqual(missing, [])
  const guide = read('docs/operate.md')
  const ownNames = [...names].filter((name) => name.startsWith('pazar_'))
  assert.ok(ownNames.length > 15)
  assert.deepEqual(
    ownNames.filter((name) => !guide.includes(`\`${name}\``)),
    [],
  )
})

test('if the database does not respond, the metrics can still be read', async () => {
  for (const read of [() => Promise.reject(new Error('away')), () => new Promise<never>(() => undefined)]) {
    assert.match(await createMetrics(read).text(), /^pazar_callbacks_due 0$/m)
  }
})

test('an incident that is reported twice is counted once', async () => {
  // The first test has already reported this incident.
  await raiseIncident(deps, { kind: 'charged_twice', transactionId: null, subject: 'tx', facts: {} })
  assert.match((await scrape(`Bearer ${TOKEN}`)).body, /^pazar_incidents_total\{kind="charged_twice"\} 1$/m)
})

test('without the token, or with another token, the metrics are refused', async () => {
  for (const authorization of [undefined, '', 'Bearer', `Bearer ${TOKEN}x`, TOKEN, `Basic ${TOKEN}`]) {
    const response = await scrape(authorization)
    assert.equal(response.statusCode, 401)
    assert.equal(response.json().code, 'unauthenticated')
  }
})

test('if no token is configured, /metrics is 404', async () => {
  const { app: appWithoutToken } = await service.replica({ METRICS_TOKEN: '' })
  assert.equal((await appWithoutToken.inject('/metrics')).statusCode, 404)
})

test('on a separate port the metrics need no token, and every other URL or method is 404', async (t) => {
  const port = await freePort()
  const server = await startMetricsServer(deps.metrics, { port, host: '127.0.0.1' })
  t.after(() => server.close())
  const request = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })
  assert.match(await (await request('/metrics')).text(), /^pazar_incidents_total/m)
  assert.equal((await request('/')).status, 404)
  assert.equal((await request('/metrics', 'POST')).status, 404)
})

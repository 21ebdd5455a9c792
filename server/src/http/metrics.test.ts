import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { freePort } from '../../test/service-process.ts'
import { createMetrics } from '../lib/metrics.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { readGauges } from '../payments/watch-background.ts'
import { startMetricsServer } from './metrics-server.ts'

const TOKEN = 'metrics-for-the-operator'
const service = await startTestService({ METRICS_TOKEN: TOKEN })
const { app, deps } = service

const scrape = (authorization?: string) =>
  app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } })

test('the metrics are read with the token, and count an open incident', async () => {
  await app.inject('/healthz')
  await raiseIncident(deps, { kind: 'charged_twice', transactionId: null, subject: 'tx', facts: {} })
  const answer = await scrape(`Bearer ${TOKEN}`)
  assert.equal(answer.statusCode, 200)
  assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
  assert.match(answer.body, /^pazar_incidents_total\{kind="charged_twice"\} 1$/m)
  assert.match(answer.body, /^pazar_http_answers_total\{method="GET",route="\/healthz",status="200"\} 1$/m)
  assert.match(answer.body, /^nodejs_eventloop_lag_seconds /m)
})

test('what is due and open is read from the database, 0 where there is none, and each loop has its heartbeat', async () => {
  const metrics = createMetrics(() => readGauges(deps))
  metrics.loopBeat('delivery')
  const text = await metrics.text()
  assert.match(text, /^pazar_callbacks_due 0$/m)
  assert.match(text, /^pazar_callbacks_oldest_due_seconds 0$/m)
  assert.match(text, /^pazar_payments_open 0$/m)
  assert.match(text, /^pazar_payments_oldest_open_seconds 0$/m)
  assert.match(text, /^pazar_incidents_open 1$/m)
  assert.match(text, /^pazar_loop_heartbeat_seconds\{loop="delivery"\} 0/m)
})

test('without a response of the database the other metrics are still read', async () => {
  for (const read of [() => Promise.reject(new Error('away')), () => new Promise<never>(() => undefined)]) {
    assert.match(await createMetrics(read).text(), /^pazar_callbacks_due 0$/m)
  }
})

test('the same incident reported again is counted once', async () => {
  await raiseIncident(deps, { kind: 'charged_twice', transactionId: null, subject: 'tx', facts: {} })
  assert.match((await scrape(`Bearer ${TOKEN}`)).body, /^pazar_incidents_total\{kind="charged_twice"\} 1$/m)
})

test('without the token, or with another, nothing is shown', async () => {
  for (const authorization of [undefined, '', 'Bearer', `Bearer ${TOKEN}x`, TOKEN, `Basic ${TOKEN}`]) {
    const answer = await scrape(authorization)
    assert.equal(answer.statusCode, 401)
    assert.equal(answer.json().code, 'unauthenticated')
  }
})

test('with no token set there is no such page', async () => {
  const { app: bare } = await service.replica({ METRICS_TOKEN: '' })
  assert.equal((await bare.inject('/metrics')).statusCode, 404)
})

test('on a port of their own the metrics need no token, and nothing else is there', async (t) => {
  const port = await freePort()
  const server = await startMetricsServer(deps.metrics, { port, host: '127.0.0.1' })
  t.after(() => server.close())
  const at = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })
  assert.match(await (await at('/metrics')).text(), /^pazar_incidents_total/m)
  assert.equal((await at('/')).status, 404)
  assert.equal((await at('/metrics', 'POST')).status, 404)
})

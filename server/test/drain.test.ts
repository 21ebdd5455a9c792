// After SIGTERM a process serves requests for DRAIN_SECONDS, so that load balancers have time to stop using it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase, toDatabaseEnv } from './database.ts'
import { startServiceProcess } from './service-process.ts'
import { TEST_KEY } from './harness.ts'
import { until } from './until.ts'

test('during DRAIN_SECONDS a process is not ready, but still responds to requests, with the header `connection: close`', async (t) => {
  const database = await createTestDatabase()
  // DRAIN_SECONDS is longer than the test takes.
  const env = {
    NODE_ENV: 'test',
    ...toDatabaseEnv(database.url),
    SECRETS_KEY: TEST_KEY,
    DRAIN_SECONDS: '300',
  }
  const service = await startServiceProcess(env)
  t.after(async () => {
    await service.kill()
    await database.drop()
  })
  const get = (path: string) => fetch(`${service.baseUrl}${path}`)
  assert.equal((await get('/readyz')).status, 200)
  service.child.kill('SIGTERM')
  await until(async () => (await get('/readyz')).status === 503, '/readyz responds with 503')
  const page = await get('/pay?project=unknown&amount=100')
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.equal(page.headers.get('connection'), 'close')
  assert.equal((await get('/healthz')).status, 200)
})

test('after DRAIN_SECONDS the process exits with 0, and the log names the cause', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const env = { NODE_ENV: 'test', ...toDatabaseEnv(database.url), SECRETS_KEY: TEST_KEY, DRAIN_SECONDS: '1' }
  const service = await startServiceProcess(env)
  assert.equal(await service.stop(), 0)
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const [stopping, stopped] = lines.map((line) => JSON.parse(line) as Record<string, unknown>).slice(-2)
  const { msg, cause, drainSeconds } = stopping!
  assert.deepEqual({ msg, cause, drainSeconds }, { msg: 'stopping', cause: 'SIGTERM', drainSeconds: 1 })
  assert.deepEqual([stopped!['msg'], stopped!['exitCode']], ['stopped', 0])
})

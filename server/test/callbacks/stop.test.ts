// A stopping process must not claim a callback (reserve it for sending), because the attempt would be interrupted and
// repeated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DUE_CHANNEL } from '../../src/callbacks/ownership.ts'
import { startDeliveryWorker } from '../../src/callbacks/worker-loop.ts'
import { toDatabaseEnv } from '../database.ts'
import { addCallbackProject, readCallbackRow, queueCallbacks } from '../deliveries.ts'
import { startTestService } from '../harness.ts'
import { HttpClient } from '../http-client.ts'
import { startMerchant } from '../merchant.ts'
import { until } from '../until.ts'
import { startFleet } from './fleet.ts'

/** With this many projects, each of two claiming processes would get some callbacks. */
const LATE_PROJECTS = 20

test('while a stopping process finishes a request, it claims no callback', async (t) => {
  const released = Promise.withResolvers<void>()
  const slow = await startMerchant(
    (response) => void released.promise.then(() => response.writeHead(200).end()),
  )
  const quick = await startMerchant()
  const CALLBACK_ALLOW_HOSTS = `${slow.hostAndPort},${quick.hostAndPort}`
  const { deps, databaseUrl } = await startTestService({ CALLBACK_ALLOW_HOSTS })
  const { db } = deps
  const fleet = await startFleet(1, { ...toDatabaseEnv(databaseUrl), CALLBACK_ALLOW_HOSTS })
  t.after(async () => {
    released.resolve()
    await fleet.stopAll()
    await Promise.all([slow.close(), quick.close()])
  })
  const { baseUrl } = fleet.at(0)
  const owner = new HttpClient(baseUrl)
  await owner.ok('POST', '/portal/api/sign-up', { email: 'stop@example.com', password: 'planinska rosa 7' })
  const settings = { name: 'Slow', resultUrl: 'https://shop.example.com', apiUrl: slow.url }
  const project = String((await owner.ok('POST', '/sdk/project/add', settings))['id'])

  const testCallback = owner.ok('POST', `/portal/api/projects/${project}/test-callbacks`, {
    status: 'success',
    amount: '1500',
  })
  const [queuedBefore] = await queueCallbacks(db, project)
  await until(() => slow.received.length === 2)
  const stopped = fleet.stop(0)
  await until(
    () =>
      fetch(`${baseUrl}/healthz`).then(
        (response) => response.status === 503,
        () => true,
      ),
    'no new request is accepted',
  )

  // The second worker would send fewer callbacks if the stopping process claimed one.
  let sent = 0
  const post: typeof deps.publicFetch.post = (...request) => {
    sent += 1
    return deps.publicFetch.post(...request)
  }
  const secondWorker = startDeliveryWorker({ ...deps, publicFetch: { ...deps.publicFetch, post } })
  t.after(() => secondWorker.stop())
  for (let n = 0; n < LATE_PROJECTS; n += 1) {
    await queueCallbacks(db, await addCallbackProject(deps, quick.url))
    deps.db.signals.notify(DUE_CHANNEL)
  }
  await until(() => quick.received.length === LATE_PROJECTS)
  assert.equal(sent, LATE_PROJECTS)

  released.resolve()
  const { attempt } = (await testCallback) as { attempt: { outcome: string } }
  assert.equal(attempt.outcome, 'delivered')
  assert.equal(await stopped, 0)
  const ended = await readCallbackRow(db, queuedBefore!)
  assert.deepEqual([ended.status, ended.attempts, slow.received.length], ['delivered', 1, 2])
})

// A real worker sends to merchants that hang, fail and recover. After 20 failures in a row a lane (one project in one
// mode) trips and gets only probes.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks } from '../../test/deliveries.ts'
import { accept, respondWith, startMerchant } from '../../test/merchant.ts'
import { startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import { PROBE_GAP_SEC } from './lanes.ts'
import { startDeliveryWorker } from './worker-loop.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const shop = await startMerchant()
const other = await startMerchant()
const hangingServer = await startMerchant(() => undefined)
const sharedServer = await startMerchant(() => undefined)
const { deps } = await startPayments({
  CALLBACK_ALLOW_HOSTS: [shop, other, hangingServer, sharedServer]
    .map(({ hostAndPort }) => hostAndPort)
    .join(),
})
const { db } = deps
test.after(() => Promise.all([shop.close(), other.close()]))

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  for (const merchant of [shop, other]) Object.assign(merchant, { reply: accept, received: [] })
})

function startWorker(t: TestContext) {
  const worker = startDeliveryWorker(deps)
  t.after(() => worker.stop())
  return worker
}

test('a merchant that hangs does not delay the others', async (t) => {
  const hanging = await addCallbackProject(deps, hangingServer.url)
  const healthy = await addCallbackProject(deps, other.url)
  await queueCallbacks(db, hanging, 500, { dueInSec: -60 })
  const worker = startDeliveryWorker(deps)
  // Closing the sockets ends the hanging requests.
  t.after(() => Promise.all([hangingServer.close(), worker.stop()]))
  // The hanging requests occupy nearly all slots that a single lane can get.
  await until(() => hangingServer.received.length >= 90)
  await queueCallbacks(db, healthy, 200)
  worker.wake()
  await until(() => other.received.length === 200)
  const [lane] = await rows<{ sending: string[] }>(
    db,
    'select sending from callback_lanes where project_id = $1',
    [hanging],
  )
  assert.ok(lane!.sending.length >= 90, 'the hanging requests are still in flight')
  assert.deepEqual(await rows(db, 'select from callback_attempts where project_id = $1', [hanging]), [])
})

test('many merchants on one hanging host, live and in test mode, do not delay the others', async (t) => {
  const healthy = await addCallbackProject(deps, other.url)
  for (let n = 0; n < 12; n += 1) {
    const hanging = await addCallbackProject(deps, sharedServer.url)
    await queueCallbacks(db, hanging, 30, { dueInSec: -60 })
    await queueCallbacks(db, hanging, 30, { dueInSec: -60, mode: 'test' })
  }
  const worker = startDeliveryWorker(deps)
  t.after(() => Promise.all([sharedServer.close(), worker.stop()]))
  // The hanging requests occupy nearly all slots that a single host can get.
  await until(() => sharedServer.received.length >= 90)
  await queueCallbacks(db, healthy, 100)
  worker.wake()
  await until(() => other.received.length === 100)
  assert.deepEqual(
    await rows(db, 'select outcome from callback_attempts where project_id <> $1', [healthy]),
    [],
    'no hanging request has timed out yet',
  )
})

/** Waits until failures have tripped the lane, then plans the next attempts for five hours later. */
async function failUntilTripped(worker: { wake(): void }, projectId: string, count: number): Promise<void> {
  shop.reply = respondWith(503)
  const ids = await queueCallbacks(db, projectId, count)
  worker.wake()
  await until(async () => {
    const [lane] = await rows<{ n: number }>(db, 'select failures_in_row as n from callback_lanes')
    return (lane?.n ?? 0) >= 20
  }, 'the lane trips')
  await until(
    async () => (await rows(db, 'select from callback_attempts')).length === shop.received.length,
    'nothing is in flight',
  )
  await changeCallbacks(db, `update callbacks set next_at = now() + interval '5 hours' where id = any($1)`, [
    ids,
  ])
}

async function queueProbe(worker: { wake(): void }, projectId: string): Promise<void> {
  await rows(db, 'update callback_lanes set probe_at = now()')
  await queueCallbacks(db, projectId, 1)
  worker.wake()
}

const untilAllDelivered = () =>
  until(async () => {
    const remaining = await rows(db, `select from callback_states where status <> 'delivered'`)
    return remaining.length === 0
  }, 'all are delivered')

test('a merchant that recovers gets all waiting callbacks at once, even those planned for much later', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const worker = startWorker(t)
  await failUntilTripped(worker, projectId, 40)
  shop.reply = accept
  await queueProbe(worker, projectId)
  await untilAllDelivered()
  const accepted = new Set(shop.received.map((request) => request.id))
  assert.equal(accepted.size, 41)
})

test('while a recovering merchant refuses some requests, its callbacks use at most two steps of the schedule', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const worker = startWorker(t)
  await failUntilTripped(worker, projectId, 120)
  // Pretends that the owner was notified of the outage. Even then, only the first success may make all waiting callbacks
  // due.
  await rows(db, 'update callback_lanes set told_at = now(), down_since = failing_since')
  let openRequests = 0
  shop.reply = (response) => {
    if (openRequests >= 5) return response.writeHead(503).end()
    openRequests += 1
    setTimeout(() => {
      openRequests -= 1
      response.writeHead(200).end()
    }, 20)
  }
  // Requests are counted from here, because callbacks that were sent before the lane tripped are sent again.
  const receivedBefore = shop.received.length
  await queueProbe(worker, projectId)
  const countSince = () => new Set(shop.received.slice(receivedBefore).map((request) => request.id)).size
  const dueNow = `select from callback_states where status = 'pending' and next_at <= now()`
  await until(
    async () => countSince() === 121 && (await rows(db, dueNow)).length === 0,
    'the remaining callbacks wait for their due time',
  )
  const [most] = await rows<{ steps: number }>(
    db,
    'select max(attempts - round_from) as steps from callback_states',
  )
  assert.ok(most!.steps <= 2, `${most!.steps} steps of eleven`)
})

test('after the URL for test callbacks has failed, listeners (pazar-cli listen) still get all waiting test callbacks at once', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  await rows(
    db,
    `insert into callback_lanes (project_id, mode, failures_in_row, failing_since) values ($1, 'test', 20, now())`,
    [projectId],
  )
  await rows(
    db,
    `insert into event_streams (id, account_id, project_id, expires_at)
     select gen_random_uuid(), owner_id, id, now() + interval '1 minute' from projects where id = $1`,
    [projectId],
  )
  await queueCallbacks(db, projectId, 10, { mode: 'test' })
  startWorker(t)
  await untilAllDelivered()
  assert.deepEqual(shop.received, [])
  const [times] = await rows<{ sec: number }>(
    db,
    'select extract(epoch from max(started_at) - min(started_at))::float8 as sec from callback_attempts',
  )
  assert.ok(times!.sec < PROBE_GAP_SEC, `sending took ${times!.sec} s, as if each callback were a probe`)
})

// Why this is long: all tests share two merchants.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { jwtVerify } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import { verifyCallback } from '@pazar/sdk'
import { Webhook } from 'standardwebhooks'
import { rows } from '../../test/accounts.ts'
import {
  addCallbackProject,
  listAttemptRows,
  readCallbackRow,
  makeCallbackDue,
  queueCallbacks,
  untilAttempt,
  untilStatus,
  isRecording,
} from '../../test/deliveries.ts'
import { accept, respondWith, startMerchant } from '../../test/merchant.ts'
import { newOrder, startPayments, recordStatements } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import { ServiceError } from '../lib/service-error.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { readSecret, rotateSecret } from '../secrets/secrets.ts'
import type { CallbackDeps } from './deps.ts'
import { UNRESERVED_SLOTS } from './lanes.ts'
import { DUE_CHANNEL } from './ownership.ts'
import { startDeliveryWorker, UNRECORDED_MAX } from './worker-loop.ts'

const shop = await startMerchant()
const other = await startMerchant()
const { deps, replica } = await startPayments({
  CALLBACK_ALLOW_HOSTS: [shop, other].map(({ hostAndPort }) => hostAndPort).join(),
})
const { db } = deps
test.after(() => Promise.all([shop.close(), other.close()]))

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes cascade')
  for (const merchant of [shop, other]) Object.assign(merchant, { reply: accept, received: [] })
})

function startWorker(t: TestContext, workerDeps: CallbackDeps = deps) {
  const worker = startDeliveryWorker(workerDeps)
  t.after(() => worker.stop())
  return worker
}

test('a callback arrives signed, and the SDK, standardwebhooks, jose and jsonwebtoken accept it', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const secret = await readSecret(deps, db, projectId, 'live')
  const [id] = await queueCallbacks(db, projectId, 1, { customId: 'order-7', data: 'Kafa 1 kg' })
  startWorker(t)
  await untilStatus(db, id!, 'delivered')
  const [request] = shop.received
  const headers = Object.fromEntries(
    Object.entries(request!.headers).map(([name, value]) => [name, String(value)]),
  )
  assert.equal(request!.id, id)
  assert.equal(headers['content-type'], 'application/json')

  new Webhook(secret, { format: 'raw' }).verify(request!.raw.toString(), headers)
  const { hash, ...fields } = request!.body as Record<string, unknown> & { hash: string }
  const key = new TextEncoder().encode(secret)
  const byJose = (await jwtVerify(hash, key, { algorithms: ['HS256'] })).payload
  const byJsonwebtoken = jsonwebtoken.verify(hash, secret, { algorithms: ['HS256'] })
  for (const claims of [byJose, byJsonwebtoken as Record<string, unknown>]) {
    const { iat, jti, ...payload } = claims
    assert.equal(jti, id)
    assert.equal(typeof iat, 'number')
    assert.deepEqual(payload, fields)
  }
  const verified = await verifyCallback(request!.raw, request!.headers, {
    secret,
    projectId,
    expectedAmount: '1500',
  })
  assert.deepEqual([verified.customId, verified.data, verified.mode], ['order-7', 'Kafa 1 kg', 'live'])
})

test('a failed attempt is retried under the same id, and nothing is sent after the first 2xx', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const [id] = await queueCallbacks(db, projectId)
  shop.reply = respondWith(500, 'Internal Server Error')
  startWorker(t)
  await untilAttempt(db, id!, 1)
  const failed = await readCallbackRow(db, id!)
  assert.equal(failed.status, 'pending')
  assert.ok(failed.due_in_sec > 2 && failed.due_in_sec < 7, String(failed.due_in_sec))
  shop.reply = accept
  await makeCallbackDue(db, id!)
  await untilStatus(db, id!, 'delivered')
  assert.deepEqual(
    (await listAttemptRows(db, id!)).map((row) => [row.attempt, row.trigger, row.outcome, row.status_code]),
    [
      [1, 'auto', 'http_error', 500],
      [2, 'auto', 'delivered', 200],
    ],
  )
  assert.deepEqual(
    shop.received.map((request) => request.id),
    [id, id],
  )
})

test('outcomes that wait for the database occupy no slots; if too many outcomes wait, sending stops; all are recorded in the end', async (t) => {
  const shops = await Promise.all(Array.from({ length: 12 }, () => addCallbackProject(deps, shop.url)))
  for (const projectId of shops) await queueCallbacks(db, projectId, 100)
  const { promise: isRestored, resolve: restore } = Promise.withResolvers<void>()
  const query: typeof db.query = async (prepared, values) => {
    if (isRecording(prepared.name)) await isRestored
    return db.query(prepared, values)
  }
  startWorker(t, { ...deps, db: { ...db, query } })
  await until(
    () => shop.received.length > UNRESERVED_SLOTS,
    'more callbacks are sent than there are slots for one host',
  )
  await until(async () => {
    const sent = shop.received.length
    // Waits longer than the time between two polls.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    return shop.received.length === sent
  }, 'sending stops')
  assert.ok(shop.received.length < UNRECORDED_MAX + UNRESERVED_SLOTS, `${shop.received.length} sent`)
  restore()
  await until(async () => {
    const [remaining] = await rows<{ count: number }>(
      db,
      `select count(*)::int as count from callback_states where status <> 'delivered'`,
    )
    return remaining!.count === 0
  }, 'everything is delivered')
  const ids = shop.received.map((request) => request.id)
  assert.deepEqual([ids.length, new Set(ids).size], [1_200, 1_200], 'each callback is sent once')
})

test('if the database’s response to a fetch is lost, the same callbacks are fetched again and sent as their first attempt', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const ids = await queueCallbacks(db, projectId, 10)
  let lost = 0
  const query: typeof db.query = async (prepared, values) => {
    const response = await db.query<never>(prepared, values)
    if (prepared.name !== 'callbacks.fetch' || lost > 0) return response
    // One row of the response is not a callback: it has the URL and the secret of the lane.
    lost = response.length - 1
    throw new Error('the connection was lost')
  }
  // The logger is not copied, because its methods need its prototype.
  const log = Object.assign(Object.create(deps.log) as typeof deps.log, { error: () => undefined })
  startWorker(t, { ...deps, log, db: { ...db, query } })
  for (const id of ids) await untilStatus(db, id, 'delivered')
  assert.equal(lost, ids.length, 'the lost response had all callbacks')
  assert.deepEqual(
    (await Promise.all(ids.map((id) => listAttemptRows(db, id))))
      .flat()
      .map((row) => [row.attempt, row.outcome]),
    ids.map(() => [1, 'delivered']),
  )
})

test('after the secret is rotated, the next attempt of a callback is signed with the new secret and has the same id', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const oldSecret = await readSecret(deps, db, projectId, 'live')
  const [id] = await queueCallbacks(db, projectId)
  shop.reply = respondWith(401)
  startWorker(t)
  await untilAttempt(db, id!, 1)
  const newSecret = await db.transaction((tx) => rotateSecret(deps, tx, projectId, 'live'))
  await makeCallbackDue(db, id!)
  await untilAttempt(db, id!, 2)
  const [first, second] = shop.received
  assert.equal(first!.id, second!.id)
  const verify = (request: typeof first, secret: string) =>
    verifyCallback(request!.raw, request!.headers, { secret, expectedAmount: '1500' })
  await verify(first, oldSecret)
  await verify(second, newSecret)
  await assert.rejects(verify(second, oldSecret))
  assert.deepEqual(
    (await listAttemptRows(db, id!)).map((row) => row.secret_version),
    [1, 2],
  )
})

test('a callback about a failed payment is not sent if another payment of the order has succeeded in the meantime', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const order = (amount: bigint) => newOrder(projectId, { amount, customId: 'second-try' })
  // The sandbox declines this amount.
  await confirmPayment(deps, order(4000n))
  await confirmPayment(deps, order(1500n))
  startWorker(t)
  const [paid] = await until(() => shop.received.length > 0 && shop.received)
  assert.equal(paid!.body['status'], 'success')
  await untilStatus(db, paid!.id, 'delivered')
  const fails = await rows<{ status: string; attempts: number }>(
    db,
    `select * from callback_states where result = 'fail'`,
  )
  assert.deepEqual(
    fails.map((row) => [row.status, row.attempts]),
    [['cancelled', 0]],
  )
  assert.equal(shop.received.length, 1)
})

for (const [responseText, status, body] of [
  ['refused', 500, 'later'],
  ['accepted', 200, 'ok'],
] as const) {
  test(`if an order is paid while its "fail" callback is in flight, the callback is cancelled for good, and its attempt, which the merchant ${responseText}, is logged`, async (t) => {
    const projectId = await addCallbackProject(deps, shop.url)
    const arrived = Promise.withResolvers<void>()
    const paid = Promise.withResolvers<void>()
    shop.reply = (response, callback) => {
      if (callback.body['status'] === 'success') return accept(response, callback)
      arrived.resolve()
      void paid.promise.then(() => response.writeHead(status).end(body))
    }
    await confirmPayment(deps, newOrder(projectId, { amount: 4000n, customId: `overtaken-${responseText}` }))
    startWorker(t)
    await arrived.promise
    await confirmPayment(deps, newOrder(projectId, { amount: 1500n, customId: `overtaken-${responseText}` }))
    paid.resolve()
    const { id } = shop.received.find((request) => request.body['status'] === 'fail')!
    await untilAttempt(db, id, 1)
    const row = await readCallbackRow(db, id)
    assert.deepEqual([row.status, row.claim, row.delivered_at], ['cancelled', null, null])
    assert.equal(shop.received.filter((request) => request.id === id).length, 1)
  })
}

test('if outcomes cannot be recorded, recording is retried, and nothing is sent again', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const [id] = await queueCallbacks(db, projectId)
  let failures = 3
  const watched = recordStatements(deps, async (name, run) => {
    if (!isRecording(name) || failures === 0) return run()
    failures -= 1
    throw new ServiceError('unavailable')
  })
  startWorker(t, watched.deps)
  await untilStatus(db, id!, 'delivered')
  assert.equal(failures, 0)
  assert.equal(shop.received.length, 1)
  assert.equal((await listAttemptRows(db, id!)).length, 1)
})

test('callbacks are fetched in batches, and their outcomes are recorded in batches', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const release = Promise.withResolvers<void>()
  shop.reply = (response) => void release.promise.then(() => response.writeHead(200).end())
  const ids = await queueCallbacks(db, projectId, 30)
  const watched = recordStatements(deps)
  startWorker(t, watched.deps)
  await until(() => shop.received.length === 30)
  release.resolve()
  for (const id of ids) await untilStatus(db, id, 'delivered')
  // The other statements are about lanes.
  const lanes = ['lanes.beat', 'lanes.owned', 'lanes.take']
  assert.deepEqual(
    new Set(watched.statements),
    new Set(['callbacks.fetch', 'callbacks.record_new', ...lanes]),
  )
  const writes = watched.statements.filter(isRecording).length
  assert.ok(writes < 10, `${writes} writes`)
})

test('with two processes, each callback arrives exactly once', async (t) => {
  const projects = [await addCallbackProject(deps, shop.url), await addCallbackProject(deps, other.url)]
  for (const projectId of projects) await queueCallbacks(db, projectId, 300)
  startWorker(t)
  startWorker(t, await replica())
  await until(async () => {
    const [row] = await rows<{ n: bigint }>(
      db,
      `select count(*) as n from callback_states where status = 'delivered'`,
    )
    return row!.n === 600n
  }, 'all delivered')
  const ids = [...shop.received, ...other.received].map((request) => request.id)
  assert.equal(ids.length, 600)
  assert.equal(new Set(ids).size, 600)
})

test('a callback that cannot be signed is recorded as interrupted by an internal error, and stays pending', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const [oldRow] = await rows<{ sealed: Buffer }>(
    db,
    `update project_secrets s set sealed = '\\x00' from project_secrets old
     where s.project_id = $1 and s.mode = 'live' and old.project_id = s.project_id and old.mode = s.mode
     returning old.sealed`,
    [projectId],
  )
  t.after(() =>
    rows(db, "update project_secrets set sealed = $2 where project_id = $1 and mode = 'live'", [
      projectId,
      oldRow!.sealed,
    ]),
  )
  const [id] = await queueCallbacks(db, projectId)
  startWorker(t)
  const attempt = await untilAttempt(db, id!, 1)
  assert.deepEqual([attempt.outcome, attempt.error], ['interrupted', 'internal error'])
  assert.equal((await readCallbackRow(db, id!)).status, 'pending')
  assert.equal(shop.received.length, 0)
})

test('an attempt in which `deliver` throws an error is recorded as interrupted and retried', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const [id] = await queueCallbacks(db, projectId)
  let isBroken = true
  const info = () => {
    if (isBroken) throw new Error('the log is broken')
  }
  startWorker(t, { ...deps, log: { ...deps.log, info, warn: () => undefined, error: () => undefined } })
  const attempt = await untilAttempt(db, id!, 1)
  assert.equal(attempt.outcome, 'interrupted')
  isBroken = false
  await makeCallbackDue(db, id!)
  await untilStatus(db, id!, 'delivered')
})

test('a fault of the egress proxy is recorded and does not count against the merchant', async (t) => {
  const projectId = await addCallbackProject(deps, shop.url)
  const [id] = await queueCallbacks(db, projectId)
  let faults = 1
  const publicFetch: CallbackDeps['publicFetch'] = {
    ...deps.publicFetch,
    async post(...args) {
      const outcome = await deps.publicFetch.post(...args)
      return faults-- > 0 ? { ...outcome, outcome: 'connect', isEgressFault: true } : outcome
    },
  }
  startWorker(t, { ...deps, publicFetch })
  const attempt = await untilAttempt(db, id!, 1)
  assert.deepEqual([attempt.outcome, attempt.error], ['interrupted', 'our egress failed'])
  const [waiting] = await rows(db, 'select status, attempts, not_ready from callback_states')
  assert.deepEqual(waiting, { status: 'pending', attempts: 1, not_ready: 1 }, 'no retry step is used up')
  await makeCallbackDue(db, id!)
  await untilStatus(db, id!, 'delivered')
  assert.deepEqual(
    (await listAttemptRows(db, id!)).map((row) => [row.attempt, row.outcome]),
    [
      [1, 'interrupted'],
      [2, 'delivered'],
    ],
  )
  assert.deepEqual(await rows(db, 'select failures_in_row from callback_lanes'), [{ failures_in_row: 0 }])
})

test('a stopping worker waits for its requests in flight and loses no outcome', async () => {
  const projectId = await addCallbackProject(deps, shop.url)
  const release = Promise.withResolvers<void>()
  shop.reply = (response) => void release.promise.then(() => response.writeHead(200).end())
  await queueCallbacks(db, projectId, 20)
  const worker = startDeliveryWorker(deps)
  await until(() => shop.received.length === 20)
  const stopped = worker.stop()
  await queueCallbacks(db, projectId, 5)
  worker.wake()
  release.resolve()
  await stopped
  const found = await rows<{ status: string; attempts: number; n: bigint }>(
    db,
    'select status, attempts, count(*) as n from callback_states group by 1, 2 order by 1',
  )
  assert.deepEqual(
    found.map((row) => [row.status, row.attempts, Number(row.n)]),
    [
      ['delivered', 1, 20],
      ['pending', 0, 5],
    ],
  )
})

test('a process that delivers no callbacks notifies the delivering processes of a new callback', async (t) => {
  const web = await replica()
  const notifications: (string | null)[] = []
  t.after(db.signals.listen(DUE_CHANNEL, (notification) => notifications.push(notification)))
  await until(() => notifications.length === 1)
  const projectId = await addCallbackProject(deps, shop.url)
  await confirmPayment(web, newOrder(projectId))
  await until(() => notifications.includes(`${projectId} live`))
})

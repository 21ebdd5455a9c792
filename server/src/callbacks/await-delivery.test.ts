import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject } from '../../test/deliveries.ts'
import { accept, respondWith, startMerchant } from '../../test/merchant.ts'
import { listCallbacks, newOrder, startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import type { Listener } from '../db/signals.ts'
import { confirmPayment } from '../payments/confirm.ts'
import type { Deps } from '../wire.ts'
import { createDeliveryWaits } from './await-delivery.ts'
import { startDeliveryWorker } from './worker-loop.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const merchant = await startMerchant()
const { deps, replica } = await startPayments({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { db } = deps
test.after(() => merchant.close())

/** No test runs this long. */
const LONG_MS = 600_000
const SHORT_MS = 50

let projectId: string

beforeEach(async () => {
  Object.assign(merchant, { reply: accept, received: [] })
  projectId = await addCallbackProject(deps, merchant.url)
})

async function pay(payDeps: Deps = deps): Promise<string> {
  const outcome = await confirmPayment(payDeps, newOrder(projectId))
  return outcome.kind === 'payment' ? outcome.payment.id : assert.fail()
}

async function addAccepted(count: number, durationMs = 20): Promise<void> {
  await rows(
    db,
    `with made as (
       insert into callbacks (project_id, id, mode, result, payload, status, attempts, last_outcome, delivered_at)
       select $1, 'msg_' || md5(random()::text), 'live', 'success', '{}', 'delivered', 1, 'delivered', now()
       from generate_series(1, $2::integer) returning project_id, id)
     insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
     select project_id, id, 1, 'u', now(), $3, 'delivered' from made`,
    [projectId, count, durationMs],
  )
}

function startWorker(t: TestContext): void {
  const worker = startDeliveryWorker(deps, (recorded) => deps.deliveryWaits.onRecorded(recorded))
  t.after(() => worker.stop())
}

/** The wait that ends first must return `expected`. */
async function assertReleased(waits: readonly Promise<boolean>[], expected: boolean): Promise<void> {
  const released: boolean[] = []
  for (const wait of waits) void wait.then((isDelivered) => released.push(isDelivered))
  await until(() => released.length > 0, 'the payer is redirected')
  assert.equal(released[0], expected)
}

const untilReturnIsStored = (transactionId: string) =>
  until(async () => {
    const [row] = await rows<{ at: Date | null }>(
      db,
      'select payer_returned_at as at from callback_states where transaction_id = $1',
      [transactionId],
    )
    return row?.at ?? null
  }, 'the time of the return is stored')

test('the payer waits until the merchant accepts the callback, and the time of the return is stored', async (t) => {
  await addAccepted(5)
  const release = Promise.withResolvers<void>()
  merchant.reply = (response) => void release.promise.then(() => response.writeHead(200).end())
  const id = await pay()
  let isReleased = false
  const wait = deps.deliveryWaits.waitForDelivery(id, LONG_MS).then((isDelivered) => {
    isReleased = true
    return isDelivered
  })
  startWorker(t)
  await until(() => merchant.received.length === 1)
  assert.equal(isReleased, false)
  release.resolve()
  assert.equal(await wait, true)
  await untilReturnIsStored(id)
})

test('in a process without a worker, a notification ends the wait of a payer', async (t) => {
  await addAccepted(5)
  const web = await replica()
  const wait = web.deliveryWaits.waitForDelivery(await pay(web), LONG_MS)
  startWorker(t)
  assert.equal(await wait, true)
})

test('a payer whose callback was already accepted does not wait', async (t) => {
  await addAccepted(5)
  const id = await pay()
  startWorker(t)
  await until(async () => (await listCallbacks(db, id))[0]?.status === 'delivered')
  assert.equal(await deps.deliveryWaits.waitForDelivery(id, LONG_MS), true)
})

test('the wait of a payer ends when the merchant refuses the callback', async (t) => {
  await addAccepted(5)
  merchant.reply = respondWith(500)
  const id = await pay()
  const wait = deps.deliveryWaits.waitForDelivery(id, LONG_MS)
  startWorker(t)
  await assertReleased([wait], false)
})

test('a payer waits no longer than the given time', async () => {
  await addAccepted(5)
  assert.equal(await deps.deliveryWaits.waitForDelivery(await pay(), SHORT_MS), false)
})

for (const [who, prepare] of Object.entries({
  'a merchant that has accepted fewer than five callbacks': () => addAccepted(4),
  'a merchant that needed three seconds for one of its last five callbacks': async () => {
    await addAccepted(4)
    await addAccepted(1, 3_000)
  },
  'a merchant with a new callback that has waited for three seconds': async () => {
    await addAccepted(5)
    await pay()
    await rows(
      db,
      `update new_callbacks set created_at = now() - interval '3 seconds' where project_id = $1`,
      [projectId],
    )
  },
  'a merchant that is failing': async () => {
    await addAccepted(5)
    await rows(
      db,
      `insert into callback_lanes (project_id, mode, failures_in_row, failing_since) values ($1, 'live', 1, now())`,
      [projectId],
    )
  },
})) {
  test(`a payer does not wait for ${who}`, async () => {
    await prepare()
    await assertReleased([deps.deliveryWaits.waitForDelivery(await pay(), LONG_MS)], false)
  })
}

test('a payer who returns again does not wait for a retry, and the time of the first return stays stored', async () => {
  await addAccepted(5)
  const id = await pay()
  assert.equal(await deps.deliveryWaits.waitForDelivery(id, SHORT_MS), false)
  const firstReturn = await untilReturnIsStored(id)
  await changeCallbacks(db, 'update callbacks set attempts = 1 where transaction_id = $1', [id])
  await assertReleased([deps.deliveryWaits.waitForDelivery(id, LONG_MS)], false)
  const setDelivered =
    "update callbacks set status = 'delivered', delivered_at = now() where transaction_id = $1"
  await rows(db, setDelivered, [id])
  assert.equal(await deps.deliveryWaits.waitForDelivery(id, LONG_MS), true)
  assert.deepEqual(await untilReturnIsStored(id), firstReturn)
})

test('a payer waits for a merchant that needed one millisecond less than three seconds for one of its last five callbacks', async (t) => {
  await addAccepted(4)
  await addAccepted(1, 2_999)
  const wait = deps.deliveryWaits.waitForDelivery(await pay(), LONG_MS)
  startWorker(t)
  await assertReleased([wait], true)
})

test('while as many payers wait as the limit allows, another payer does not wait', async (t) => {
  await addAccepted(5)
  const waits = createDeliveryWaits(deps, 2)
  const ids = [await pay(), await pay(), await pay()]
  const waiting = ids.slice(0, 2).map((id) => waits.waitForDelivery(id, LONG_MS))
  await assertReleased([waits.waitForDelivery(ids[2]!, LONG_MS)], false)
  startWorker(t)
  assert.deepEqual(await Promise.all(waiting), [true, true])
  await assertReleased([waits.waitForDelivery(await pay(), LONG_MS)], true)
})

const markDelivered = (transactionId: string) =>
  changeCallbacks(
    db,
    `update callbacks set status = 'delivered', delivered_at = now(), attempts = 1 where transaction_id = $1`,
    [transactionId],
  )

/** `waits` receives no notifications. `loseNotifications` sends it the signal that notifications were lost. */
function createIsolatedWaits(afterStatement: (name: string) => Promise<unknown> | void) {
  let listener: Listener | null = null
  const listen = (_channel: string, newListener: Listener) => {
    listener = newListener
    return () => undefined
  }
  const query: Deps['db']['query'] = async (prepared, values) => {
    const found = await db.query(prepared, values)
    await afterStatement(prepared.name)
    return found as never
  }
  const isolatedDb = { ...db, query, signals: { ...db.signals, listen } }
  return { waits: createDeliveryWaits({ ...deps, db: isolatedDb }), loseNotifications: () => listener!(null) }
}

test('the wait of a payer ends even if the notification was lost', async () => {
  await addAccepted(5)
  let isWaiting = false
  const { waits, loseNotifications } = createIsolatedWaits((name) => {
    isWaiting ||= name === 'callbacks.find_accepted'
  })
  const id = await pay()
  const wait = waits.waitForDelivery(id, LONG_MS)
  await until(() => isWaiting)
  await markDelivered(id)
  loseNotifications()
  await assertReleased([wait], true)
})

test('the wait of a payer ends even if the callback arrived just before the wait began', async () => {
  await addAccepted(5)
  const id = await pay()
  const { waits } = createIsolatedWaits((name) =>
    name === 'callbacks.find_awaited_result' ? markDelivered(id) : undefined,
  )
  await assertReleased([waits.waitForDelivery(id, LONG_MS)], true)
})

test('when two requests redirect the payer of the same payment, only one of the requests waits', async (t) => {
  await addAccepted(5)
  const id = await pay()
  const waits = [1, 2].map(() => deps.deliveryWaits.waitForDelivery(id, LONG_MS))
  await assertReleased(waits, false)
  startWorker(t)
  assert.deepEqual((await Promise.all(waits)).toSorted(), [false, true])
})

test('a payer is redirected even if the database cannot be reached', async () => {
  const unreachable = { ...deps.db, query: () => Promise.reject(new Error('connection lost')) }
  const waits = createDeliveryWaits({ ...deps, db: unreachable })
  await assertReleased([waits.waitForDelivery('019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913', LONG_MS)], false)
})

test('a payment without a result causes no wait', async () => {
  const wait = deps.deliveryWaits.waitForDelivery('019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913', LONG_MS)
  await assertReleased([wait], false)
})

// Operators turn compact storage on after an upgrade, and off before a rollback.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { ACCEPTED, claimAll, queueCallbacks, toAttemptRecord, untilStatus } from '../../test/deliveries.ts'
import { startMerchant } from '../../test/merchant.ts'
import { startPayments } from '../../test/payments.ts'
import { addCallbackProject } from '../../test/deliveries.ts'
import { findUnsound, listNewIds, setCompact } from '../../test/stored-forms.ts'
import { callbacks } from '../cli/callbacks.ts'
import { RefusedError, toPrinted, UsageError } from '../cli/command.ts'
import { hasCompactCallbacks } from '../db/installation-store.ts'
import { turnCompactOff, turnCompactOn } from './compact-storage.ts'
import { renewProcess } from './lane-store.ts'
import { recordAttempts } from './record-store.ts'
import { startDeliveryWorker } from './worker-loop.ts'

const merchant = await startMerchant()
const { deps } = await startPayments({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { db } = deps
const projectId = await addCallbackProject(deps, merchant.url)
test.after(() => merchant.close())

const isOnAtFirst = await hasCompactCallbacks(db)

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes, delivery_processes cascade')
  await setCompact(db, true)
  merchant.received.length = 0
})
test.afterEach(async () => assert.deepEqual(await findUnsound(db), []))

/** Registers a process, or renews its lease, as an earlier release does: without the column reads_compact. */
const beatAsEarlierRelease = (id: string = randomUUID()) =>
  rows(
    db,
    `insert into delivery_processes (id, lease_until) values ($1, now() + interval '5 seconds')
     on conflict (id) do update set lease_until = excluded.lease_until`,
    [id],
  )
const audited = () =>
  rows<{ changes: object }>(
    db,
    `select changes from audit_events where action = 'callback_storage_changed' order by id`,
  )

test('compact storage is on in a new installation, and the command "compact" without "on" or "off" says so', async () => {
  assert.equal(isOnAtFirst, true)
  assert.equal(await callbacks.run(deps, ['compact']), 'Compact storage is on.')
})

test('the database refuses a process of an earlier release while compact storage is on', async () => {
  await assert.rejects(beatAsEarlierRelease(), (error: Error) => {
    assert.match(
      error.cause instanceof Error ? error.cause.message : error.message,
      /cannot read compact callbacks/,
    )
    return true
  })
  await renewProcess(db, randomUUID(), 'none')
  await setCompact(db, false)
  const id = randomUUID()
  await beatAsEarlierRelease(id)
  await setCompact(db, true)
  await assert.rejects(beatAsEarlierRelease(id), 'a process that was already running is refused too')
})

test('compact storage is turned on only if no process of an earlier release runs, and each change is audited', async () => {
  await setCompact(db, false)
  const id = randomUUID()
  await beatAsEarlierRelease(id)
  await assert.rejects(Promise.resolve(callbacks.run(deps, ['compact', 'on'])), RefusedError)
  assert.equal(await hasCompactCallbacks(db), false)
  await rows(
    db,
    `update delivery_processes set lease_until = now() - interval '1 second', reads_compact = true where id = $1`,
    [id],
  )
  const before = (await audited()).length
  assert.match(toPrinted(await callbacks.run(deps, ['compact', 'on'])).text, /^Compact storage is on\. /)
  assert.match(toPrinted(await callbacks.run(deps, ['compact', 'on'])).text, /already/)
  assert.equal(await turnCompactOff(deps, 0), 0)
  assert.deepEqual(
    (await audited()).slice(before).map(({ changes }) => changes),
    [{ compact: true }, { compact: false }],
  )
})

test('wrong arguments are refused with the usage', async () => {
  for (const args of [[], ['compact', 'maybe'], ['compact', 'on', 'now'], ['large']])
    await assert.rejects(async () => callbacks.run(deps, args), UsageError)
})

test('when compact storage is turned off, callbacks without an attempt are stored as pending, and delivered callbacks with their delivery time', async () => {
  const ids = await queueCallbacks(db, projectId, 1_200)
  const [first] = await claimAll(db, 1)
  await recordAttempts(db, [toAttemptRecord(first!, ACCEPTED)])
  assert.equal(await turnCompactOff(deps, 0), ids.length - 1)
  assert.deepEqual(await listNewIds(db), [])
  assert.deepEqual(
    await rows(
      db,
      `select status, attempts, last_outcome, delivered_at is null as no_time, count(*)::int as n from callbacks
       group by 1, 2, 3, 4 order by 1`,
    ),
    [
      { status: 'delivered', attempts: 1, last_outcome: 'delivered', no_time: false, n: 1 },
      { status: 'pending', attempts: 0, last_outcome: null, no_time: true, n: ids.length - 1 },
    ],
  )
})

test('a new callback that is committed just after compact storage was turned off is also stored as pending', async () => {
  let turningOff: Promise<number> = Promise.resolve(0)
  const [id] = await db.transaction(async (tx) => {
    const queued = await queueCallbacks(tx, projectId)
    turningOff = turnCompactOff(deps, 1_500)
    await new Promise((resolve) => setTimeout(resolve, 700))
    return queued
  })
  assert.equal(await turningOff, 1)
  assert.deepEqual(await listNewIds(db), [])
  await untilStatus(db, id!, 'pending')
})

test('each callback arrives exactly once while compact storage is turned off and on', async (t) => {
  const worker = startDeliveryWorker(deps)
  t.after(() => worker.stop())
  const ids: string[] = []
  for (let round = 0; round < 3; round += 1) {
    ids.push(...(await queueCallbacks(db, projectId, 60)))
    worker.wake()
    await turnCompactOff(deps, 0)
    ids.push(...(await queueCallbacks(db, projectId, 60)))
    worker.wake()
    assert.equal(await turnCompactOn(deps), 'on')
  }
  for (const id of ids) await untilStatus(db, id, 'delivered')
  const received = merchant.received.map((request) => request.id)
  assert.deepEqual([received.length, new Set(received).size], [ids.length, ids.length])
})

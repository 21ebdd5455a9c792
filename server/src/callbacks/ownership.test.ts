import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rows } from '../../test/accounts.ts'
import {
  addCallbackProject,
  claimAll,
  queueCallbacks,
  readCallbackRow,
  untilStatus,
} from '../../test/deliveries.ts'
import { startMerchant } from '../../test/merchant.ts'
import { startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import type { Db } from '../db/pool.ts'
import { systemClock } from '../lib/clock.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { CallbackDeps } from './deps.ts'
import { EXPIRED_GAP_MS } from './lane-owner.ts'
import { RECOVER_GRACE_MS } from './lanes.ts'
import { startDeliveryWorker } from './worker-loop.ts'

const merchant = await startMerchant()
const { deps } = await startPayments({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
const { db } = deps
const first = await addCallbackProject(deps, merchant.url)
const second = await addCallbackProject(deps, merchant.url)
test.after(() => merchant.close())

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes, delivery_processes cascade')
})

/** `beforeStatement` runs before each statement. If `beforeStatement` throws, the statement fails. */
function watchStatements(
  beforeStatement: (name: string, values: readonly unknown[]) => Promise<void>,
): CallbackDeps {
  const query: Db['query'] = async (prepared, values = []) => {
    await beforeStatement(prepared.name, values)
    return db.query(prepared, values)
  }
  const log = { ...deps.log, info: () => undefined, warn: () => undefined, error: () => undefined }
  return { ...deps, log, db: Object.assign(Object.create(db) as Db, { query }) }
}

test('a process takes no lane before other processes can see its session', async (t) => {
  const [id] = await queueCallbacks(db, first)
  const sessions: (string | null)[] = []
  const watched = watchStatements(async (name) => {
    if (name !== 'lanes.take') return
    const found = await rows<{ session: string | null }>(db, 'select session from delivery_processes')
    sessions.push(...found.map(({ session }) => session))
  })
  const worker = startDeliveryWorker(watched)
  t.after(() => worker.stop())
  await untilStatus(db, id!, 'delivered')
  assert.deepEqual(new Set(sessions), new Set([db.sessionName]))
})

test('while the clock of the machine is wrong, the process sends nothing and gives back its lanes', async (t) => {
  const owned = () => rows(db, 'select from callback_lanes where owner is not null')
  const worker = startDeliveryWorker(deps)
  t.after(() => worker.stop())
  const [sent] = await queueCallbacks(db, first)
  await untilStatus(db, sent!, 'delivered')
  for (const wrongByMs of [3_600_000, -86_400_000]) {
    const clock = t.mock.method(systemClock, 'nowMs', () => Date.now() + wrongByMs)
    await until(async () => (await owned()).length === 0)
    const [id] = await queueCallbacks(db, first)
    worker.wake({ projectId: first, mode: 'live' })
    await sleep(1_500)
    assert.equal((await readCallbackRow(db, id!)).attempts, 0)
    assert.equal((await owned()).length, 0)
    clock.mock.restore()
    await untilStatus(db, id!, 'delivered')
  }
})

test('a lane whose interrupted callbacks cannot be recovered does not stop the other lanes', async (t) => {
  await queueCallbacks(db, first)
  await queueCallbacks(db, second)
  const lost = await claimAll(db)
  let nowMs = 0
  let failed = 0
  const watched = watchStatements(async (name, values) => {
    if (name !== 'callbacks.interrupt' || values[0] !== first) return
    failed += 1
    throw new TypeError('a fault')
  })
  const worker = startDeliveryWorker(watched, undefined, () => nowMs)
  t.after(() => worker.stop())
  const takenLanes = 'select from callback_lanes l join delivery_processes p on p.id = l.owner'
  await until(async () => (await rows(db, takenLanes)).length === 2)
  nowMs += RECOVER_GRACE_MS
  await until(() => failed > 1)
  await untilStatus(db, lost.find(({ projectId }) => projectId === second)!.id, 'delivered')
  const [id] = await queueCallbacks(db, first)
  await untilStatus(db, id!, 'delivered')
})

test('after a failed statement, an expired lease must be seen twice again before its process counts as dead', async (t) => {
  const expired = randomUUID()
  await rows(
    db,
    `insert into delivery_processes (id, lease_until, reads_compact) values ($1, now() - interval '1 second', true)`,
    [expired],
  )
  await queueCallbacks(db, first)
  await rows(db, `insert into callback_lanes (project_id, mode, owner) values ($1, 'live', $2)`, [
    first,
    expired,
  ])
  let lateMs = 0
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + lateMs)
  let beats = 0
  let fault: 'none' | 'next' | 'over' = 'none'
  let faultAtBeat = Infinity
  const takes: { beats: number; dead: unknown }[] = []
  const watched = watchStatements(async (name, values) => {
    if (name === 'lanes.beat') {
      beats += 1
      // If the sighting from before the fault still counted, the process would count as dead after this time.
      if (beats === faultAtBeat + 1) lateMs += EXPIRED_GAP_MS
    }
    if (name === 'lanes.take') takes.push({ beats, dead: values[3] })
    if (name !== 'callbacks.fetch' || fault !== 'next') return
    fault = 'over'
    faultAtBeat = beats
    throw new ServiceError('unavailable', { cause: new Error('no response') })
  })
  const worker = startDeliveryWorker(watched)
  t.after(() => worker.stop())
  const deliverSecond = async () => {
    const [id] = await queueCallbacks(db, second)
    worker.wake({ projectId: second, mode: 'live' })
    await untilStatus(db, id!, 'delivered')
  }
  await deliverSecond()
  await until(() => takes.some((take) => take.beats >= 2), 'the expired lease was seen')
  fault = 'next'
  await deliverSecond()
  const takeAfterFault = await until(() => takes.find((take) => take.beats > faultAtBeat))
  assert.deepEqual(takeAfterFault.dead, [])
  await until(
    () => takes.some(({ dead }) => Array.isArray(dead) && dead.includes(expired)),
    'the expired process counts as dead in the end',
  )
})

test('while the clock of the machine is wrong, new callbacks wake the only other process', async (t) => {
  const other = randomUUID()
  await rows(
    db,
    `insert into delivery_processes (id, lease_until, reads_compact) values ($1, now() + interval '10 seconds', true)`,
    [other],
  )
  const woken: unknown[] = []
  const watched = watchStatements(async () => undefined)
  const notify: Db['signals']['notify'] = (_channel, payload) => void woken.push(payload)
  Object.assign(watched.db, { signals: { ...db.signals, notify } })
  t.mock.method(systemClock, 'nowMs', () => Date.now() + 3_600_000)
  const worker = startDeliveryWorker(watched)
  t.after(() => worker.stop())
  await until(() => {
    worker.wake({ projectId: first, mode: 'live' })
    return woken.length > 0
  })
  assert.equal(woken[0], `${first} live`)
})

test('a process that stops gives its lanes back and is no longer listed', async () => {
  const [id] = await queueCallbacks(db, first)
  const worker = startDeliveryWorker(watchStatements(async () => undefined))
  await untilStatus(db, id!, 'delivered')
  assert.equal((await rows(db, 'select from callback_lanes where owner is not null')).length, 1)
  await worker.stop()
  assert.equal((await rows(db, 'select from callback_lanes where owner is not null')).length, 0)
  assert.equal((await rows(db, 'select from delivery_processes')).length, 0)
})

// Each lane (the callbacks of one project in one mode) is served by one process at a time. The tests kill, pause, add
// and stop processes. Only `npm run prove` also checks the time limits (the constants `…_WITHIN_MS`).
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../../src/db/pool.ts'
import { rows } from '../accounts.ts'
import { DUE_CHANNEL } from '../../src/callbacks/ownership.ts'
import { countRounds, runShare } from '../counts.ts'
import { toDatabaseEnv } from '../database.ts'
import { addCallbackProject, queueCallbacks } from '../deliveries.ts'
import { startTestService } from '../harness.ts'
import { startMerchant } from '../merchant.ts'
import { until } from '../until.ts'
import { countArrivals, startFleet, untilAllDelivered } from './fleet.ts'

const MERCHANTS = 12
/**
 * How many merchants the test with three processes has. A hash chooses the preferred process of each lane. With this many
 * merchants, each process is the preferred one of at least one lane. With 12 merchants, in 1 of 130 runs no lane would prefer
 * the third process.
 */
const MERCHANTS_OF_THREE = 30

/** The time limit from queueing to the first attempt, even after a kill. Interrupted callbacks do not count. */
const FIRST_SENT_WITHIN_MS = 3_000
/** The time limit from a kill to the repeat of an interrupted callback. */
const REPEATED_WITHIN_MS = 40_000
/** The time limit from a pause until another process serves every lane. */
const SERVED_WITHIN_MS = 15_000

function checkTime(t: TestContext, taskName: string, tookMs: number, limitMs: number): void {
  t.diagnostic(`${taskName} after ${Math.round(tookMs)} ms`)
  if (runShare === 'prove') assert.ok(tookMs <= limitMs, `${taskName} after ${tookMs} ms`)
}

// Why this is long: many short functions that share the processes and the arrival times.
async function startTrial(
  hooks: { after: (stop: () => Promise<void>) => void },
  { processes = 2, merchants = MERCHANTS }: { processes?: number; merchants?: number } = {},
) {
  const queuedMs = new Map<string, number>()
  const arrivedMs = new Map<string, number[]>()
  // The merchant responds slowly, so that callbacks are in flight whenever a process is killed, paused, started or stopped.
  const merchant = await startMerchant((response, { id }) => {
    arrivedMs.set(id, [...(arrivedMs.get(id) ?? []), performance.now()])
    setTimeout(() => response.writeHead(200).end('ok'), 15)
  })
  const { deps, databaseUrl } = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })
  const { db } = deps
  const projects: string[] = []
  while (projects.length < merchants) projects.push(await addCallbackProject(deps, merchant.url))
  const env = { ...toDatabaseEnv(databaseUrl), CALLBACK_ALLOW_HOSTS: merchant.hostAndPort, ROLE: 'delivery' }
  const fleet = await startFleet(processes, env, [], 2)
  hooks.after(async () => {
    await fleet.stopAll()
    await merchant.close()
  })
  const queue = async (each: number) => {
    const ids: string[] = []
    for (const project of projects) {
      const queued = await queueCallbacks(db, project, each)
      for (const id of queued) queuedMs.set(id, performance.now())
      ids.push(...queued)
    }
    db.signals.notify(DUE_CHANNEL)
    return ids
  }
  const startLoad = () => {
    let isOver = false
    const running = (async () => {
      // The number of callbacks a second is about the same for both numbers of merchants.
      for (; !isOver; await sleep(100)) await queue(merchants > MERCHANTS ? 1 : 2)
    })()
    return async () => {
      isOver = true
      await running
    }
  }
  const hasArrived = (ids: readonly string[]) => ids.every((id) => arrivedMs.has(id))
  const countOwners = async () => {
    const [row] = await rows<{ n: number }>(
      db,
      'select count(distinct owner)::integer as n from callback_lanes where owner is not null',
    )
    return row!.n
  }
  /** A process gets lanes only if there is something to send. */
  const untilBothServe = () =>
    until(
      async () => {
        await queue(1)
        return (await countOwners()) === 2
      },
      'both processes have lanes',
      60_000,
    )
  const countInterrupted = async () => {
    const found = await rows<{ id: string }>(
      db,
      `select callback_id as id from callback_attempts where outcome = 'interrupted'`,
    )
    return new Map([...Map.groupBy(found, ({ id }) => id)].map(([id, list]) => [id, list.length]))
  }
  /** Returns how many callbacks arrived more than once. */
  const assertNoneLost = async () => {
    await untilAllDelivered(db)
    const arrivals = countArrivals(merchant)
    const interrupted = await countInterrupted()
    for (const { id } of await rows<{ id: string }>(db, 'select id from callback_states')) {
      const times = arrivals.get(id) ?? 0
      assert.ok(times >= 1, `${id} is lost`)
      assert.ok(times <= 1 + (interrupted.get(id) ?? 0), `${id} arrived ${times} times`)
    }
    return [...arrivals.values()].filter((times) => times > 1).length
  }
  /**
   * Returns the longest time from queueing to the first attempt, and the longest time from a kill to the repeat of a
   * callback that the kill interrupted. A later kill can interrupt the repeat too. So each repeat is measured from the first
   * kill after the previous arrival.
   */
  const findSlowest = async (killsMs: readonly number[]) => {
    const interrupted = await countInterrupted()
    let firstMs = 0
    let repeatMs = 0
    for (const [id, times] of arrivedMs) {
      if (!interrupted.has(id)) firstMs = Math.max(firstMs, times[0]! - queuedMs.get(id)!)
      else
        for (const [i, time] of times.entries()) {
          const killed = killsMs.find((ms) => ms > (times[i - 1] ?? queuedMs.get(id)!))
          if (killed !== undefined) repeatMs = Math.max(repeatMs, time - killed)
        }
    }
    const interruptedAgain = [...interrupted.values()].filter((times) => times > 1).length
    return { firstMs, repeatMs, interruptedAgain }
  }
  return {
    db,
    merchant,
    fleet,
    queue,
    startLoad,
    hasArrived,
    countOwners,
    untilBothServe,
    assertNoneLost,
    findSlowest,
  }
}

const IS_DEAD = 'not exists (select from pg_stat_activity a where a.application_name = p.session)'

/** Keeps the leases of killed processes valid, so that only their missing sessions can free their lanes. */
const extendLeasesOfKilled = (db: Queryable) =>
  rows(db, `update delivery_processes p set lease_until = now() + interval '13 seconds' where ${IS_DEAD}`)

/** Two tests share these processes, because starting them takes long. */
const pair = await startTrial({ after })

test('after a kill, the other process serves the lanes before the killed process’s lease ends', async (t) => {
  const { db, fleet, queue, hasArrived } = pair
  const killsMs: number[] = []
  const rounds = countRounds('ownerChanges', t)
  for (let round = 0; round < rounds; round += 1) {
    await pair.untilBothServe()
    const stopLoad = pair.startLoad()
    await fleet.kill(0)
    killsMs.push(performance.now())
    // `prove` measures the time, so it changes no lease: a changed lease delays the search for missing sessions.
    if (runShare === 'ci') await extendLeasesOfKilled(db)
    const ids = await queue(1)
    await until(() => hasArrived(ids), 'the callbacks queued after the kill are sent', 30_000)
    if (runShare === 'ci') {
      const dead = await rows<{ isValid: boolean }>(
        db,
        `select lease_until > now() as "isValid" from delivery_processes p where ${IS_DEAD}`,
      )
      assert.ok(dead.length > 0)
      assert.ok(
        dead.every(({ isValid }) => isValid),
        'the lease of the dead process is still valid',
      )
    }
    await stopLoad()
    await fleet.start(0)
  }
  t.diagnostic(`${await pair.assertNoneLost()} repeated`)
  const { firstMs, repeatMs, interruptedAgain } = await pair.findSlowest(killsMs)
  t.diagnostic(`${interruptedAgain} interrupted more than once`)
  checkTime(t, 'first attempt', firstMs, FIRST_SENT_WITHIN_MS)
  checkTime(t, 'repeat', repeatMs, REPEATED_WITHIN_MS)
})

test('a paused process loses its lanes, and callbacks that arrive twice are recorded as interrupted', async (t) => {
  const { merchant, fleet, queue, hasArrived, untilBothServe, assertNoneLost } = pair
  t.after(() => fleet.stopAll())
  const rounds = countRounds('ownerChanges', t)
  for (let round = 0; round < rounds; round += 1) {
    const receivedBefore = merchant.received.length
    await queue(20)
    await untilBothServe()
    await until(() => merchant.received.length > receivedBefore + 20)
    fleet.at(0).child.kill('SIGSTOP')
    const pausedMs = performance.now()
    const ids = await queue(1)
    await until(() => hasArrived(ids), 'every lane is served again', 60_000)
    checkTime(t, 'served again', performance.now() - pausedMs, SERVED_WITHIN_MS)
    fleet.at(0).child.kill('SIGCONT')
    await queue(5)
  }
  t.diagnostic(`${await assertNoneLost()} repeated`)
})

test('while a third process joins and leaves under load, each callback arrives exactly once', async (t) => {
  const { fleet, startLoad, countOwners, assertNoneLost, db } = await startTrial(t, {
    processes: 3,
    merchants: MERCHANTS_OF_THREE,
  })
  const rounds = countRounds('ownerChanges', t)
  for (let round = 0; round < rounds; round += 1) {
    const stopLoad = startLoad()
    await until(async () => (await countOwners()) === 2, 'two processes have lanes')
    await fleet.start(2)
    await until(async () => (await countOwners()) === 3, 'the third process has lanes', 60_000)
    await fleet.stop(2)
    await until(
      async () => (await countOwners()) === 2,
      'the others serve the lanes of the third process',
      30_000,
    )
    await stopLoad()
  }
  assert.equal(await assertNoneLost(), 0)
  assert.deepEqual(await rows(db, `select from callback_attempts where outcome = 'interrupted'`), [])
})

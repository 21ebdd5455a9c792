// The database's host stops responding under load, without closing a connection. Either another host replaces it at the
// same address, or it was only paused and later executes what it received.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rows } from '../accounts.ts'
import {
  acceptLate,
  countArrivals,
  hasNotifiedRedirect,
  readDatabaseTime,
  startFleet,
  untilAllDelivered,
} from '../callbacks/fleet.ts'
import type { Fleet } from '../callbacks/fleet.ts'
import { countRounds, runShare } from '../counts.ts'
import { startTcpProxy } from '../tcp-proxy.ts'
import { openLink, pressPay, toOutcome } from '../http-payer.ts'
import type { PayerResponse } from '../http-payer.ts'
import { assertBooksAgree } from '../ledger-check.ts'
import { accept, startMerchant } from '../merchant.ts'
import { addPayProject, toLink } from '../payer.ts'
import type { PayProject } from '../payer.ts'
import { requirePayment, startPayments } from '../payments.ts'
import { startRestartableDatabase } from '../restartable-database.ts'
import { until } from '../until.ts'
import { startUpstream } from '../upstream-process.ts'

const WEB = [0, 1] as const
/** In `npm run prove`, two delivery processes can take over each other's lanes (queues of one project and mode). */
const PROCESSES = runShare === 'prove' ? [0, 1, 2, 3] : [0, 1, 2]
const PAYERS_EACH = 3
/** Without a pause, the payers would slow down the processes under test. */
const PAUSE_MS = runShare === 'prove' ? 50 : 250
/**
 * How long the database does not respond: 12 s, or 2 min in `npm run prove`. Both are longer than the query time-out (7 s)
 * and the lease of a delivery process (7 s).
 */
const SILENT_MS = runShare === 'prove' ? 120_000 : 12_000
/** How soon every process must work again after the database is back. */
const SERVES_WITHIN_MS = 15_000
const RESPONDS_WITHIN_MS = 2_000
/** Even on a busy machine, only a probe that hangs takes this long. */
const HANGS_AFTER_MS = 30_000
/** A response that was in flight when the database stopped responding may still arrive. */
const GRACE_MS = 1_000

const RECOVERIES = ['another host', 'a paused machine'] as const

interface Load {
  acknowledged: Set<string>
  statuses: Set<number>
  succeeded: number[]
  stop(): Promise<void>
}

function startLoad(fleet: Fleet, shop: PayProject): Load {
  let isOver = false
  const load = {
    acknowledged: new Set<string>(),
    statuses: new Set<number>(),
    succeeded: WEB.map(() => 0),
    async stop() {
      isOver = true
      await Promise.all(payers)
    },
  }
  const record = (response: PayerResponse) => {
    load.statuses.add(response.status)
    if (response.status === 503) assert.match(response.retryAfter ?? '', /^[1-9]\d*$/)
    return response
  }
  async function pay(index: number, name: string): Promise<void> {
    const { baseUrl } = fleet.at(index)
    for (let round = 0; !isOver; round += 1) {
      await sleep(PAUSE_MS)
      const page = record(await openLink(baseUrl, toLink(shop, { customId: `${name}-${round}` })))
      if (page.status !== 200) continue
      const response = record(await pressPay(baseUrl, String(page.body['token'])))
      if (toOutcome(response) !== 'succeeded') continue
      load.acknowledged.add(String(response.body['transactionId']))
      load.succeeded[index]! += 1
    }
  }
  const payers = WEB.flatMap((index) =>
    Array.from({ length: PAYERS_EACH }, (_, nth) => pay(index, `payer-${index}-${nth}`)),
  )
  return load
}

interface Probe {
  index: number
  requestedMs: number
  status: number
  tookMs: number
  /** How long /healthz took at the same moment: the delay that the machine causes. */
  aliveMs: number
}

async function fetchStatus(url: string): Promise<{ status: number; tookMs: number }> {
  const requestedMs = performance.now()
  const { status } = await fetch(url, { signal: AbortSignal.timeout(HANGS_AFTER_MS) })
  return { status, tookMs: performance.now() - requestedMs }
}

function startProbes(fleet: Fleet): { probes: Probe[]; stop(): Promise<void> } {
  const probes: Probe[] = []
  let isOver = false
  const running = PROCESSES.map(async (index) => {
    while (!isOver) {
      const requestedMs = performance.now()
      const { baseUrl } = fleet.at(index)
      const [ready, alive] = await Promise.all([
        fetchStatus(`${baseUrl}/readyz`),
        fetchStatus(`${baseUrl}/healthz`),
      ])
      probes.push({ index, requestedMs, ...ready, aliveMs: alive.tookMs })
      await sleep(200)
    }
  })
  return {
    probes,
    async stop() {
      isOver = true
      await Promise.all(running)
    },
  }
}

async function startTrial(t: TestContext) {
  const merchant = await startMerchant()
  const upstream = await startUpstream()
  const database = await startRestartableDatabase()
  const proxy = await startTcpProxy(database.url)
  const { deps, env } = await startPayments(
    { ...upstream.env, CALLBACK_ALLOW_HOSTS: merchant.hostAndPort },
    { databaseUrl: database.url },
  )
  const { db } = deps
  const shop = await addPayProject(deps, { apiUrl: merchant.url })
  const { DATA_DIR: _own, ...shared } = env
  const roles = PROCESSES.map((index) => ({ ROLE: index < WEB.length ? 'web' : 'delivery' }))
  const fleet = await startFleet(PROCESSES.length, { ...shared, DATABASE_URL: proxy.url }, roles)
  const load = startLoad(fleet, shop)
  const balancer = startProbes(fleet)
  t.after(async () => {
    // After a failed assertion, the payers and the probes would otherwise run forever.
    await Promise.allSettled([load.stop(), balancer.stop()])
    await fleet.stopAll()
    await proxy.close()
    await db.close()
    await database.stop()
    await upstream.stop()
    await merchant.close()
  })
  return { merchant, upstream, database, proxy, db, load, balancer }
}

test('while the database does not respond, payers get 503; afterwards every process recovers, and nothing is lost', async (t) => {
  const rounds = countRounds('silentDatabase', t)
  const recoveries =
    runShare === 'ci' ? RECOVERIES : Array.from({ length: rounds }, (_, round) => RECOVERIES[round % 2]!)
  const { merchant, upstream, database, proxy, db, load, balancer } = await startTrial(t)
  const { probes } = balancer
  const untilServing = async (index: number, sinceMs: number, deadlineMs?: number) => {
    const before = load.succeeded[index] ?? 0
    await until(
      () => probes.some((one) => one.index === index && one.requestedMs > sinceMs && one.status === 200),
      `process ${index} is ready`,
      deadlineMs,
    )
    if (index in load.succeeded)
      await until(() => load.succeeded[index]! > before, `process ${index} takes payments`, deadlineMs)
  }

  for (const recovery of recoveries) {
    const startMs = performance.now()
    await Promise.all(PROCESSES.map((index) => untilServing(index, startMs)))
    proxy.goSilent()
    const silentMs = performance.now()
    if (recovery === 'another host') {
      await database.crash()
      await database.start()
    }
    await sleep(SILENT_MS - (performance.now() - silentMs))
    const backMs = performance.now()
    if (recovery === 'another host') proxy.replaceHost()
    else proxy.resume()
    await Promise.all(PROCESSES.map((index) => untilServing(index, backMs, SERVES_WITHIN_MS)))
    const servedMs = performance.now()
    merchant.reply = acceptLate
    const since = await readDatabaseTime(db)
    await until(() => hasNotifiedRedirect(db, since), 'notifications arrive', SERVES_WITHIN_MS)
    merchant.reply = accept
    t.diagnostic(
      `${recovery} after ${SILENT_MS / 1000} s: served again after ${Math.round(servedMs - backMs)} ms`,
    )
    const silentProbes = probes.filter(
      (one) => one.requestedMs > silentMs + GRACE_MS && one.requestedMs + one.tookMs < backMs,
    )
    for (const index of PROCESSES) {
      const statuses = new Set(silentProbes.filter((one) => one.index === index).map((one) => one.status))
      assert.deepEqual(statuses, new Set([503]), `process ${index} while the database did not respond`)
    }
  }

  await load.stop()
  await balancer.stop()
  assert.deepEqual([...load.statuses].toSorted(), [200, 503])
  await until(
    async () =>
      (await rows(db, "select from transactions where state in ('processing', 'requires_action')")).length ===
      0,
    'every payment has ended',
    120_000,
  )
  await untilAllDelivered(db)
  for (const id of load.acknowledged) assert.equal((await requirePayment(db, id)).state, 'succeeded')
  await assertBooksAgree(db, await upstream.books())
  const arrivals = countArrivals(merchant)
  for (const { id } of await rows<{ id: string }>(db, 'select id from callback_states'))
    assert.equal(arrivals.get(id), 1, `how often ${id} arrived`)
  const slowestMs = Math.round(Math.max(...probes.map((one) => one.tookMs)))
  t.diagnostic(`${probes.length} probes, the slowest took ${slowestMs} ms`)
  t.diagnostic(`${load.acknowledged.size} payments acknowledged, ${merchant.received.length} callbacks`)
  const lateProbes = probes.filter((one) => one.tookMs - one.aliveMs > RESPONDS_WITHIN_MS)
  assert.deepEqual(lateProbes, [], 'probes without a response in time')
})

// The scenarios of the failover trial. Payers pay before, during and after the failure.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { canWrite } from './database-store.ts'
import type { Payers } from './payers.ts'
import { SERVES_WITHIN_SEC } from './result-table.ts'
import { isReady } from './service-fleet.ts'
import type { Replica, ServiceFleet } from './service-fleet.ts'
import type { DatabaseNetwork } from './database-network.ts'

export interface World {
  cluster: Cluster
  fleet: ServiceFleet
  network: DatabaseNetwork
  payers: Payers
}

export interface Timing {
  databaseSec: number | null
  servedSec: number | null
}

export interface Scenario {
  name: string
  description: string
  mayShowErrors: boolean
  /** If true, HAProxy leaves sessions with a former primary open. By default, HAProxy closes these sessions. */
  keepsOldSessions?: boolean
  run(world: World): Promise<Timing>
}

const POLL_EVERY_MS = 100
/** The number of payments between two steps. Large enough for payments of several kinds (see AMOUNTS in payers.ts). */
const PAYMENTS_PER_STEP = 10
const STEP_WITHIN_MS = 120_000
const WRITES_WITHIN_MS = 240_000
/** Longer than the query timeout of the service and than the lease of a delivery process, which are 7 s each. */
const NETWORK_CUT_MS = 20_000
/** Longer than Patroni's lease, so that the primary gives up its role. */
const ETCD_PAUSE_MS = 30_000
/** The pause before a killed replica is started again. A real supervisor waits a moment, too. */
const RESTART_AFTER_MS = 2_000

const toSec = (ms: number): number => ms / 1000

async function poll(isTrue: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    if (await isTrue()) return true
    await sleep(POLL_EVERY_MS)
  }
  return false
}

async function untilPaid({ payers }: World): Promise<void> {
  const completedTarget = payers.completed + PAYMENTS_PER_STEP
  if (!(await poll(() => payers.completed >= completedTarget, STEP_WITHIN_MS)))
    throw new Error(`Fewer than ${PAYMENTS_PER_STEP} payments in ${toSec(STEP_WITHIN_MS)} s.`)
}

/** Returns the time at which the database accepts writes. */
async function untilWrites({ cluster }: World): Promise<number> {
  if (!(await poll(() => canWrite(cluster.toUrl), WRITES_WITHIN_MS)))
    throw new Error(`The database accepts no writes after ${toSec(WRITES_WITHIN_MS)} s.`)
  return performance.now()
}

/**
 * Returns how many seconds after `sinceMs` the slowest replica serves. A web replica serves when it has served a request
 * that was sent to it directly, not through nginx. A delivery replica serves when its /readyz responds with 200.
 */
async function untilServed(
  { payers }: World,
  replicas: readonly Replica[],
  sinceMs: number,
): Promise<number> {
  const served = await Promise.all(
    replicas.map(async (replica) => {
      const { name, role } = replica
      const isServing = () =>
        role === 'web' ? (payers.servedAt.get(name) ?? 0) >= sinceMs : isReady(replica)
      // Waits longer than the limit, so that the table shows how late the replica was.
      await poll(isServing, 2 * SERVES_WITHIN_SEC * 1000)
      return performance.now() - sinceMs
    }),
  )
  return toSec(Math.max(...served))
}

/** Disrupts the database, waits until the database and the replicas are back, then repairs what is still broken. */
async function failOver(
  world: World,
  { disrupt, repair }: { disrupt: () => Promise<void> | void; repair?: () => void },
): Promise<Timing> {
  await untilPaid(world)
  const brokenMs = performance.now()
  await disrupt()
  const backMs = await untilWrites(world)
  const servedSec = await untilServed(world, world.fleet.replicas, backMs)
  await untilPaid(world)
  // The scenario continues after the repair, so that a former primary comes back before the scenario ends. Its data must not
  // replace newer commits.
  repair?.()
  await world.cluster.untilHealthy()
  await untilPaid(world)
  return { databaseSec: toSec(backMs - brokenMs), servedSec }
}

async function pausePrimary(world: World): Promise<Timing> {
  const { cluster } = world
  const primary = await cluster.untilPrimary()
  return failOver(world, { disrupt: () => cluster.pause(primary), repair: () => cluster.resume(primary) })
}

async function restartEach(world: World, end: (replica: Replica) => Promise<void>): Promise<Timing> {
  let slowestSec = 0
  await untilPaid(world)
  for (const replica of world.fleet.replicas) {
    await end(replica)
    await world.fleet.startReplica(replica)
    const startedMs = performance.now()
    slowestSec = Math.max(slowestSec, await untilServed(world, [replica], startedMs))
    await untilPaid(world)
  }
  return { databaseSec: null, servedSec: slowestSec }
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'switchover',
    description: 'an operator orders Patroni to make the standby the primary',
    mayShowErrors: true,
    run: (world) => failOver(world, { disrupt: () => world.cluster.switchOver() }),
  },
  {
    name: 'rolling',
    description: 'each replica is stopped with SIGTERM and started again, one after the other',
    mayShowErrors: false,
    run: (world) => restartEach(world, (replica) => world.fleet.stop(replica)),
  },
  {
    name: 'kill-primary',
    description: 'kill -9 of the primary and its Patroni',
    mayShowErrors: true,
    async run(world) {
      const { cluster } = world
      const primary = await cluster.untilPrimary()
      return failOver(world, {
        disrupt: () => cluster.kill(primary),
        repair: () => cluster.startNode(primary),
      })
    },
  },
  {
    name: 'pause-primary',
    description: 'SIGSTOP of the primary and its Patroni; HAProxy closes their sessions',
    mayShowErrors: true,
    run: pausePrimary,
  },
  {
    name: 'pause-primary-kept',
    description: 'SIGSTOP of the primary and its Patroni; HAProxy leaves their sessions open',
    mayShowErrors: true,
    keepsOldSessions: true,
    run: pausePrimary,
  },
  {
    name: 'silent-standby',
    description: 'SIGSTOP of the synchronous standby: commits hang until Patroni stops waiting for it',
    mayShowErrors: true,
    async run(world) {
      const { cluster } = world
      const standby = await cluster.untilStandby()
      return failOver(world, {
        disrupt: () => cluster.pause(standby),
        repair: () => cluster.resume(standby),
      })
    },
  },
  {
    name: 'cut-primary',
    description: 'the network of the primary is cut: no packet arrives, no connection is closed',
    mayShowErrors: true,
    async run(world) {
      const { cluster } = world
      const primary = await cluster.untilPrimary()
      return failOver(world, {
        disrupt: () => cluster.cut(primary),
        repair: () => cluster.reconnect(primary),
      })
    },
  },
  {
    name: 'cut-service',
    description: 'the network between all replicas and the database is cut for 20 s',
    mayShowErrors: true,
    async run(world) {
      const { network, fleet } = world
      await untilPaid(world)
      network.cut()
      await sleep(NETWORK_CUT_MS)
      network.reconnect()
      const servedSec = await untilServed(world, fleet.replicas, performance.now())
      await untilPaid(world)
      return { databaseSec: toSec(NETWORK_CUT_MS), servedSec }
    },
  },
  {
    name: 'pause-etcd',
    description: 'SIGSTOP of etcd for 30 s: Patroni cannot renew its lease and makes the primary read-only',
    mayShowErrors: true,
    run: (world) =>
      failOver(world, {
        async disrupt() {
          world.cluster.pauseEtcd()
          await sleep(ETCD_PAUSE_MS)
          world.cluster.resumeEtcd()
        },
      }),
  },
  {
    name: 'kill-together',
    description: 'kill -9 of the primary, a web replica and a delivery replica at the same moment',
    mayShowErrors: true,
    async run(world) {
      const { cluster, fleet } = world
      const primary = await cluster.untilPrimary()
      const killed = [fleet.web[0]!, fleet.replicas.at(-1)!]
      return failOver(world, {
        async disrupt() {
          await Promise.all([cluster.kill(primary), ...killed.map((replica) => fleet.kill(replica))])
          // The killed replicas start while there is no database, and are started again if they end.
          for (const replica of killed) void fleet.supervise(replica)
        },
        repair: () => cluster.startNode(primary),
      })
    },
  },
  {
    name: 'kill-replicas',
    description: 'kill -9 of each replica, one after the other, and a start 2 s later',
    mayShowErrors: true,
    run: (world) =>
      restartEach(world, async (replica) => {
        await world.fleet.kill(replica)
        await sleep(RESTART_AFTER_MS)
      }),
  },
]

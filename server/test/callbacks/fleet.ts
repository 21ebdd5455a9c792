// Real service processes that share one database. Tests kill, stop and restart them by number.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Queryable } from '../../src/db/pool.ts'
import { rows } from '../accounts.ts'
import { TEST_KEY } from '../harness.ts'
import type { Merchant } from '../merchant.ts'
import { freePort, startServiceProcess } from '../service-process.ts'
import type { ServiceProcess } from '../service-process.ts'
import { until } from '../until.ts'

export interface Fleet {
  /** The process with this number. A restart replaces it. */
  at(index: number): ServiceProcess
  start(index: number): Promise<void>
  kill(index: number): Promise<void>
  /** Sends SIGTERM and returns the exit code. */
  stop(index: number): Promise<number | null>
  stopAll(): Promise<void>
}

/** `own` has the additional settings of each process. */
export async function startFleet(
  size: number,
  env: Record<string, string>,
  own: readonly Record<string, string>[] = [],
): Promise<Fleet> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-fleet-'))
  const ports = await Promise.all(Array.from({ length: size }, freePort))
  const running = new Map<number, ServiceProcess>()

  const fleet: Fleet = {
    at(index) {
      const found = running.get(index)
      if (!found) throw new Error(`No process ${index} is running.`)
      return found
    },
    async start(index) {
      running.set(
        index,
        await startServiceProcess({
          NODE_ENV: 'test',
          DATA_DIR: path.join(dir, String(index)),
          SECRETS_KEY: TEST_KEY,
          RATE_LIMITS: 'off',
          LOG_LEVEL: 'warn',
          PORT: String(ports[index]),
          ...env,
          ...own[index],
        }),
      )
    },
    async kill(index) {
      await fleet.at(index).kill()
      running.delete(index)
    },
    async stop(index) {
      const code = await fleet.at(index).stop()
      running.delete(index)
      return code
    },
    async stopAll() {
      await Promise.all([...running.keys()].map((index) => fleet.stop(index)))
      await rm(dir, { recursive: true, force: true })
    },
  }
  await Promise.all(ports.map((_port, index) => fleet.start(index)))
  return fleet
}

export async function untilAllDelivered(db: Queryable): Promise<void> {
  await until(
    async () => (await rows(db, `select from callbacks where status <> 'delivered' limit 1`)).length === 0,
    'every callback is delivered',
    120_000,
  )
}

/** How often each callback arrived. */
export function countArrivals(merchant: Merchant): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { id } of merchant.received) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

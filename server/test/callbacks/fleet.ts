// Real service processes that share one database. Tests kill, stop and restart them by number.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { REDIRECT_WAIT_MAX_MS } from '@pazar/contract'
import type { Queryable } from '../../src/db/pool.ts'
import { rows } from '../accounts.ts'
import { TEST_KEY } from '../harness.ts'
import type { Merchant, MerchantReply } from '../merchant.ts'
import { freePort, startServiceProcess } from '../service-process.ts'
import type { ServiceProcess } from '../service-process.ts'
import { findUnsound } from '../stored-forms.ts'
import { until } from '../until.ts'

export interface Fleet {
  at(index: number): ServiceProcess
  start(index: number): Promise<void>
  kill(index: number): Promise<void>
  stop(index: number): Promise<number | null>
  stopAll(): Promise<void>
}

/** `own`: further settings of each process. Of the `size` processes, only the first `started` are started. */
export async function startFleet(
  size: number,
  env: Record<string, string>,
  own: readonly Record<string, string>[] = [],
  started = size,
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
  await Promise.all(ports.slice(0, started).map((_port, index) => fleet.start(index)))
  return fleet
}

export async function untilAllDelivered(db: Queryable): Promise<void> {
  await until(
    async () =>
      (await rows(db, `select from callback_states where status <> 'delivered' limit 1`)).length === 0,
    'every callback is delivered',
    120_000,
  )
  assert.deepEqual(await findUnsound(db), [])
}

/** The merchant accepts each callback after this time. A web process makes the payer wait for the acceptance. */
const LATE_MS = 1_000
/**
 * A redirect within this time came before the wait ran out. The number is a little less than the longest wait, because the
 * clocks of a process and the database may differ.
 */
const WAIT_ENDED_EARLY_MS = REDIRECT_WAIT_MAX_MS - 100

export const acceptLate: MerchantReply = (response) =>
  setTimeout(() => response.writeHead(200).end('ok'), LATE_MS)

/**
 * Whether a notification ended the wait of a payer: the redirect came after the delivery and before the wait ran out. The
 * merchant must respond with acceptLate. On a busy machine several payments may be needed.
 */
export async function hasNotifiedRedirect(db: Queryable, since: Date): Promise<boolean> {
  const found = await rows(
    db,
    `select from callback_states where created_at > $1
       and delivered_at between created_at + $2 * interval '1 millisecond' and payer_returned_at
       and payer_returned_at < created_at + $3 * interval '1 millisecond' limit 1`,
    [since, LATE_MS, WAIT_ENDED_EARLY_MS],
  )
  return found.length > 0
}

export async function readDatabaseTime(db: Queryable): Promise<Date> {
  return (await rows<{ now: Date }>(db, 'select clock_timestamp() as now'))[0]!.now
}

export function countArrivals(merchant: Merchant): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { id } of merchant.received) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

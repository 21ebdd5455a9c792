// Starts the cluster and the service, runs scenarios one after the other, and checks the payments of each scenario.
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '../../server/src/db/pool.ts'
import { ServiceError } from '../../server/src/lib/service-error.ts'
import { HttpClient } from '../../server/test/http-client.ts'
import { findDifferences } from '../../server/test/ledger-check.ts'
import type { Movement } from '../../server/test/ledger-check.ts'
import { startMerchant } from '../../server/test/merchant.ts'
import type { Merchant } from '../../server/test/merchant.ts'
import { freePort } from '../../server/test/service-process.ts'
import { until } from '../../server/test/until.ts'
import { startUpstream } from '../../server/test/upstream-process.ts'
import { checkBooks } from './books.ts'
import type { Arrival, StoredPayment } from './books.ts'
import { Cluster } from './cluster.ts'
import { readStored } from './database-store.ts'
import type { ToUrl } from './database-store.ts'
import { startPayers } from './payers.ts'
import type { Payers } from './payers.ts'
import type { Processes } from './processes.ts'
import type { Programs } from './programs.ts'
import type { Result } from './result-table.ts'
import type { Scenario } from './scenarios.ts'
import { ServiceFleet } from './service-fleet.ts'
import { openDatabaseNetwork } from './database-network.ts'

/** A payment or callback that is still open this long after the last request counts as stuck. */
const SETTLES_WITHIN_MS = 180_000
const POLL_EVERY_MS = 1_000

export interface Trial {
  run(scenario: Scenario): Promise<Result>
  /** The differences between the service's ledger and the upstream's charges. */
  compareLedgers(): Promise<string[]>
}

const isOpen = ({ state, undelivered }: StoredPayment): boolean =>
  ['processing', 'requires_action'].includes(state) || undelivered > 0

/**
 * Waits until no payment is open and all callbacks are delivered, but at most SETTLES_WITHIN_MS. Then returns the stored
 * payments. Throws if the database was never readable.
 */
export async function readSettled(toUrl: ToUrl, prefix: string): Promise<StoredPayment[]> {
  const deadline = performance.now() + SETTLES_WITHIN_MS
  let stored: StoredPayment[] | null = null
  for (;;) {
    stored = (await readStored(toUrl, prefix)) ?? stored
    if (stored && (!stored.some(isOpen) || performance.now() > deadline)) return stored
    if (performance.now() > deadline + SETTLES_WITHIN_MS) throw new Error('The database cannot be read.')
    await sleep(POLL_EVERY_MS)
  }
}

export function toArrivals({ received }: Merchant, ids: ReadonlySet<string>): Arrival[] {
  return received
    .map(({ id, body }) => ({
      webhookId: id,
      paymentId: String(body['transactionId']),
      status: String(body['status']),
    }))
    .filter(({ paymentId }) => ids.has(paymentId))
}

/** Null if the database cannot be read now. On a busy machine, connections can fail. */
async function tryCompare(cluster: Cluster, charges: readonly Movement[]): Promise<string[] | null> {
  const db = openDb(cluster.toUrl('pazar', 'pazar'), { onError: () => undefined })
  try {
    return await findDifferences(db, charges)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unavailable') return null
    throw error
  } finally {
    await db.close()
  }
}

export async function stopAfter<T>(running: Promise<T>, payers: Payers): Promise<T> {
  try {
    return await running
  } finally {
    await payers.stop()
  }
}

export async function addShop(url: string, apiUrl: string): Promise<string> {
  const owner = new HttpClient(url)
  await owner.ok('POST', '/portal/api/sign-up', { email: 'ana@example.com', password: 'seven green goats' })
  const fields = { name: 'Shop', resultUrl: 'https://shop.example.com/thanks', apiUrl }
  return String((await owner.ok('POST', '/sdk/project/add', fields))['id'])
}

export async function openTrial(
  programs: Programs,
  processes: Processes,
  { pooler }: { pooler: boolean },
): Promise<Trial> {
  console.log(`Starting in ${processes.dir}: PostgreSQL from ${programs.postgresDir}, two nodes`)
  const cluster = await Cluster.start(programs, processes)
  const network = await openDatabaseNetwork(programs, processes, {
    databaseUrl: cluster.toUrl('pazar', 'pazar'),
    pooler,
  })
  const port = await freePort()
  const [merchant, upstream] = await Promise.all([
    startMerchant(),
    startUpstream({ webhookUrl: `http://127.0.0.1:${port}/upstream/http/webhook` }),
  ])
  console.log('Starting three web and two delivery replicas behind nginx')
  const fleet = await ServiceFleet.start(programs, processes, {
    port,
    env: { ...network.env, CALLBACK_ALLOW_HOSTS: merchant.hostAndPort, ...upstream.env },
  })
  const shop = { id: await addShop(fleet.url, merchant.url), secrets: { live: '', test: '' } }

  return {
    async run(scenario) {
      const { name, mayShowErrors, keepsOldSessions = false } = scenario
      await cluster.startHaproxy({ closesOldSessions: !keepsOldSessions })
      await cluster.untilHealthy()
      await fleet.untilReady()
      const prefix = `${name}.`
      const payers = startPayers({ prefix: name, shop, upstream, nginxUrl: fleet.url, web: fleet.web })
      const timing = await stopAfter(scenario.run({ cluster, fleet, network, payers }), payers)
      const stored = await readSettled(cluster.toUrl, prefix)
      const { payments, charges } = await upstream.books()
      const upstreamPayments = payments.filter(({ customId }) => customId?.startsWith(prefix))
      const ids = new Set(
        [...stored, ...upstreamPayments].map(({ id }) => id).concat([...payers.acknowledged]),
      )
      const verdict = checkBooks({
        acknowledged: payers.acknowledged,
        stored,
        charges: charges.map(({ paymentId }) => paymentId).filter((id) => ids.has(id)),
        arrivals: toArrivals(merchant, ids),
      })
      const loginTimeouts = payers.failures.filter(({ requestId }) => fleet.hasLoginTimeout(requestId))
      if (!mayShowErrors && loginTimeouts.length > 0)
        console.log(
          `  ${loginTimeouts.length} refused requests are not counted: the machine was so busy that connecting to PostgreSQL took too long`,
        )
      const failures = mayShowErrors
        ? payers.failures
        : payers.failures.filter((one) => !loginTimeouts.includes(one))
      return {
        scenario: name,
        requests: payers.requests,
        failures: failures.map(({ text }) => text),
        mayShowErrors,
        ...timing,
        verdict,
      }
    },
    async compareLedgers() {
      const { charges } = await upstream.books()
      return until(() => tryCompare(cluster, charges), 'the ledgers can be compared', SETTLES_WITHIN_MS)
    },
  }
}

// Starts the earlier release, replaces its processes one by one with processes of this release, and rolls back.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../../server/src/db/embedded.ts'
import { startMerchant } from '../../server/test/merchant.ts'
import { freePort } from '../../server/test/service-process.ts'
import { until } from '../../server/test/until.ts'
import { startUpstream } from '../../server/test/upstream-process.ts'
import { checkBooks } from '../ha/books.ts'
import { startPayers } from '../ha/payers.ts'
import type { Payers } from '../ha/payers.ts'
import type { Processes } from '../ha/processes.ts'
import type { Result } from '../ha/result-table.ts'
import { hasLoginTimeout } from '../ha/service-fleet.ts'
import { addShop, readSettled, stopAfter, toArrivals } from '../ha/trial.ts'
import { startBalancer } from './balancer.ts'
import type { Balancer } from './balancer.ts'
import { findMissingFiles, findMissingOfPage } from './portal-tab.ts'
import { listPortalFiles, openEarlier, Starter, THIS_RELEASE } from './releases.ts'
import type { Release, Replica } from './releases.ts'

const NAME = 'upgrade'
const REPLICAS = 3
const PAYS_WITHIN_MS = 180_000
/** Longer than a request takes from the balancer to a process. */
const REMOVAL_MS = 500

export interface Drill {
  result: Result
  /** Lines about files of the portal that were not served. */
  missingFiles: string[]
}

interface Parts {
  starter: Starter
  balancer: Balancer
  payers: Payers
  paymentsPerStep: number
}

async function waitForPayments({ payers, paymentsPerStep }: Parts): Promise<void> {
  const completedTarget = payers.completed + paymentsPerStep
  await until(() => payers.completed >= completedTarget, 'payments go through', PAYS_WITHIN_MS)
}

async function addReplica(
  { starter, balancer }: Pick<Parts, 'starter' | 'balancer'>,
  release: Release,
): Promise<Replica> {
  const replica = await starter.start(release)
  balancer.add(replica.url)
  return replica
}

/**
 * Stops a process with SIGTERM. A process that can drain first responds with 503 at /readyz, so the balancer stops using
 * it. A process that cannot drain is removed from the balancer before it is stopped.
 */
async function removeReplica({ balancer }: Parts, replica: Replica): Promise<void> {
  if (!replica.canDrain) {
    balancer.remove(replica.url)
    await sleep(REMOVAL_MS)
  }
  const code = await replica.process.stop()
  balancer.remove(replica.url)
  if (code !== 0) throw new Error(`${replica.name} ended with ${code} after SIGTERM.`)
}

/** Starts a process of `release`, then stops an old process, and so on. `whileMixed` runs once, while both releases run. */
async function replaceAll(
  parts: Parts,
  running: readonly Replica[],
  release: Release,
  whileMixed: () => Promise<void>,
): Promise<Replica[]> {
  const started: Replica[] = []
  for (const old of running) {
    started.push(await addReplica(parts, release))
    await waitForPayments(parts)
    if (started.length === 1) await whileMixed()
    await removeReplica(parts, old)
    await waitForPayments(parts)
    console.log(
      `  ${old.name} is replaced by ${started.at(-1)!.name}; ${parts.payers.completed} payments so far`,
    )
  }
  return started
}

async function upgradeAndRollBack(
  parts: Parts,
  earlier: Release,
  running: readonly Replica[],
): Promise<string[]> {
  const { url } = parts.balancer
  const missing: string[] = []
  const addMissing = (when: string, names: readonly string[]) =>
    missing.push(...names.map((name) => `${when}: the portal's file ${name} was not served`))
  const { storesFiles } = earlier
  if (!storesFiles)
    console.log(
      '  The earlier release does not store its portal files: pages that are open during the upgrade ask to be reloaded.',
    )
  const checkNewPage = async (when: string) => {
    if (storesFiles) addMissing(when, await findMissingOfPage(url))
  }
  await waitForPayments(parts)
  console.log('Upgrade')
  const upgraded = await replaceAll(parts, running, THIS_RELEASE, () => checkNewPage('during the upgrade'))
  if (storesFiles)
    addMissing(
      'after the upgrade, on a page opened before it',
      await findMissingFiles(url, listPortalFiles(earlier)),
    )
  console.log('Rollback')
  await replaceAll(parts, upgraded, earlier, () => checkNewPage('during the rollback'))
  if (storesFiles)
    addMissing(
      'after the rollback, on a page opened before it',
      await findMissingFiles(url, listPortalFiles(THIS_RELEASE)),
    )
  return missing
}

export async function runDrill({
  from,
  paymentsPerStep,
  processes,
}: {
  from: string
  paymentsPerStep: number
  processes: Processes
}): Promise<Drill> {
  console.log(`Building the release of ${from.slice(0, 7)} in ${processes.dir}`)
  const earlier = await openEarlier(from)
  const dataDir = path.join(processes.dir, 'postgres')
  processes.registerDataDir(path.join(dataDir, 'cluster/data'))
  const database = await startEmbeddedPostgres({ dir: dataDir, log: () => undefined })
  await database.ensureDatabase('pazar')
  const databaseUrl = database.url('pazar')
  const balancer = await startBalancer(await freePort())
  const [merchant, upstream] = await Promise.all([
    startMerchant(),
    startUpstream({ webhookUrl: `${balancer.url}/upstream/http/webhook` }),
  ])
  const settings = {
    DATABASE_URL: databaseUrl,
    BASE_URL: balancer.url,
    CALLBACK_ALLOW_HOSTS: merchant.hostAndPort,
    ...upstream.env,
  }
  const starter = new Starter(settings, processes)
  console.log(`Starting ${REPLICAS} processes of that release`)
  const running: Replica[] = []
  for (let n = 0; n < REPLICAS; n += 1) running.push(await addReplica({ starter, balancer }, earlier))
  const shop = { id: await addShop(balancer.url, merchant.url), secrets: { live: '', test: '' } }
  const payers = startPayers({ prefix: NAME, shop, upstream, nginxUrl: balancer.url, web: [] })
  const driving = upgradeAndRollBack({ starter, balancer, payers, paymentsPerStep }, earlier, running)
  const missingFiles = await stopAfter(driving, payers)

  const stored = await readSettled(() => databaseUrl, `${NAME}.`)
  const { charges } = await upstream.books()
  const ids = new Set([
    ...stored.map(({ id }) => id),
    ...payers.acknowledged,
    ...charges.map((one) => one.paymentId),
  ])
  const verdict = checkBooks({
    acknowledged: payers.acknowledged,
    stored,
    charges: charges.map(({ paymentId }) => paymentId),
    arrivals: toArrivals(merchant, ids),
  })
  const loginTimeouts = payers.failures.filter(({ requestId }) => hasLoginTimeout(starter.logs, requestId))
  if (loginTimeouts.length > 0)
    console.log(
      `  ${loginTimeouts.length} refused requests are not counted, because connecting to PostgreSQL took too long`,
    )
  const failures = payers.failures.filter((one) => !loginTimeouts.includes(one)).map(({ text }) => text)
  await merchant.close()
  await upstream.stop()
  await balancer.close()
  const { requests } = payers
  const result = {
    scenario: NAME,
    requests,
    failures,
    mayShowErrors: false,
    databaseSec: null,
    servedSec: null,
    verdict,
  }
  return { result, missingFiles }
}

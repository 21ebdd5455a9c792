// Starts the service: settings, database, schema, then the web server, the background loops, or both (ROLE). Only this
// file handles the signals and exit codes of the service.
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasLostFactors } from './accounts/rekey-factors.ts'
import { createApp, createHealthApp } from './app.ts'
import { startBackground, startBackgroundWatch, startRestoreWatch } from './background.ts'
import { ConfigError, loadConfig } from './config.ts'
import type { Config } from './config.ts'
import { findShortage, readConnectionUse } from './db/connection-budget.ts'
import { EmbeddedPostgresError, startEmbeddedPostgres } from './db/embedded.ts'
import { migrate, MigrationError } from './db/migrate.ts'
import { requireUsableDatabase } from './db/usable.ts'
import { ensureDemo } from './demo/demo.ts'
import type { Demo } from './demo/demo.ts'
import { chooseShopPort, startShop } from './demo/shop-process.ts'
import { ensurePackages } from './docs/packages.ts'
import { startMetricsServer } from './http/metrics-server.ts'
import type { Http } from './http/server.ts'
import { applyRestoredFrom } from './reconciliation/close-gate.ts'
import { toCode } from './lib/finding.ts'
import { createLogger } from './lib/logger.ts'
import type { Logger } from './lib/logger.ts'
import { StartError } from './lib/start-error.ts'
import { VERSION } from './lib/version.ts'
import { ensurePortalBuild, findPortalBuild, PortalBuildError } from './portal/build.ts'
import { storeFiles } from './portal/files-store.ts'
import { wire } from './wire.ts'
import type { Deps } from './wire.ts'

/** How long the process may take to stop after DRAIN_SECONDS are over. An orchestrator usually kills it after half a minute. */
const SHUTDOWN_MAX_MS = 25_000

/** After this time the start goes on without the result of the restore check, which can still stop payments later. */
const RESTORE_CHECK_MAX_MS = 5_000

const parentPid = process.ppid

/**
 * Stop functions of everything that accepts work. They run first and in parallel, because each may have requests in
 * progress that take up to 15 s. Stopping one after the other could exceed SHUTDOWN_MAX_MS.
 */
const stopFirst: (() => Promise<void>)[] = []
/** Stop functions that run after those of `stopFirst`, in reverse order. */
const stopAfter: (() => Promise<void>)[] = []
/** How long load balancers get to notice that the process is stopping. It is 0 until the process accepts requests. */
let drainMs = 0
/** Logs the lines about the stop. Null until the settings are known. */
let stopLog: Logger | null = null
let stopping = false
/** Aborts a start that waits, for example for the migrations of another process, which can take minutes. */
const stopRequested = new AbortController()

async function openDatabase(config: Config, log: Logger): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl
  const embedded = await startEmbeddedPostgres({
    dir: path.join(config.dataDir, 'postgres'),
    log: (line) => log.info(line),
    restartOnExit: true,
  })
  stopAfter.push(() => embedded.stop())
  await embedded.ensureDatabase('pazar')
  return embedded.url('pazar')
}

function printAddresses(config: Config, demo: (Demo & { shopUrl: string }) | null): void {
  const lines = ['', `Pazar is ready at ${config.baseUrl}`, `  Documentation     ${config.baseUrl}/docs`]
  if (demo) {
    lines.push(
      `  Demo shop         ${demo.shopUrl}`,
      `  A pay link        ${demo.payLink}`,
      `  Demo sign-in      ${demo.email} / ${demo.password}`,
    )
  }
  console.log([...lines, ''].join('\n'))
}

/**
 * Stores the files of the portal in the database, so that a page of this release can load them from a process of another
 * release. The service also runs if this fails.
 */
async function storePortalFiles({ db, log }: Deps): Promise<void> {
  const build = findPortalBuild()
  if (!build) return
  await storeFiles(db, build.assets).catch((error: unknown) =>
    log.warn({ err: error }, 'the files of the portal could not be stored for other releases'),
  )
}

async function createServedApp(config: Config, deps: Deps): Promise<Http> {
  if (config.role === 'delivery') return createHealthApp(deps)
  await ensurePortalBuild((line) => console.log(line))
  await storePortalFiles(deps)
  void ensurePackages((line) => deps.log.info(line))
  return createApp(deps)
}

/** Waits for work that may be abandoned: a request to stop ends the wait immediately. */
async function waitUnlessStopped<T>(work: Promise<T>): Promise<T> {
  const { signal } = stopRequested
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason as Error)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  // After a stop, errors of the work are ignored.
  work.catch(() => undefined)
  return Promise.race([work, stopped]).finally(() => signal.removeEventListener('abort', onAbort))
}

async function startService(): Promise<void> {
  const config = loadConfig()
  const base = { role: config.role, host: hostname(), version: VERSION }
  const log = createLogger(config.logLevel, { base })
  stopLog = log
  const databaseUrl = await openDatabase(config, log)
  const directUrl = config.databaseDirectUrl ?? databaseUrl
  await waitUnlessStopped(requireUsableDatabase(config, databaseUrl, directUrl))
  await migrate(directUrl, { log: (line) => log.info(line), signal: stopRequested.signal })

  const shopPort = config.demo ? await chooseShopPort(config.port) : null
  const shopUrl = `http://localhost:${shopPort}`
  const deps = await wire(config, {
    databaseUrl,
    log,
    allowHosts: shopPort ? [`localhost:${shopPort}`] : [],
    stopRequested: stopRequested.signal,
  })
  stopAfter.push(() => deps.db.close())
  const termsProblem = await deps.backends.live.findTermsProblem?.()
  if (termsProblem) throw new StartError(termsProblem)
  stopAfter.push(() => deps.spans.close())
  stopAfter.push(() => deps.responseCounter.close())

  const isPooled = config.databasePooler === 'transaction'
  const shortage = findShortage({ ...(await readConnectionUse(deps.db)), isPooled })
  if (shortage !== null) log.warn(shortage)
  if (await hasLostFactors(deps))
    log.error(
      'second factors are sealed under a key that is neither SECRETS_KEY nor SECRETS_KEY_PREVIOUS: the owners of these factors cannot sign in',
    )
  if (config.production && config.operatorEmail === null)
    log.warn('OPERATOR_EMAIL is not set: nobody gets a mail about incidents')
  if (config.metricsPort !== null) {
    const address = { port: config.metricsPort, host: config.host }
    const metrics = await startMetricsServer(deps.metrics, address).catch((error: unknown) => {
      throw new StartError(
        `The service cannot listen on ${address.host}:${address.port} for metrics (${toCode(error)}); set another METRICS_PORT.`,
      )
    })
    stopAfter.push(() => metrics.close())
  }
  await applyRestoredFrom(deps)
  const restoreWatch = startRestoreWatch(deps)
  stopFirst.push(() => restoreWatch.stop())
  await Promise.race([restoreWatch.checked, sleep(RESTORE_CHECK_MAX_MS)])
  if (config.role !== 'web') {
    const background = startBackground(deps)
    stopFirst.push(() => background.stop())
  }
  if (config.role !== 'delivery') {
    const backgroundWatch = startBackgroundWatch(deps)
    stopFirst.push(() => backgroundWatch.stop())
  }
  const app = await createServedApp(config, deps)
  stopFirst.push(() => app.close())
  await app.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
    throw new StartError(
      `The service cannot listen on ${config.host}:${config.port} (${toCode(error)}); set another PORT or HOST.`,
    )
  })
  if (shopPort) {
    const demo = await ensureDemo(deps, shopUrl)
    deps.demoProject.id ??= demo.projectId
    const shop = await startShop({ port: shopPort, baseUrl: config.baseUrl, ...demo }, log)
    stopAfter.push(() => shop.stop())
    printAddresses(config, { ...demo, shopUrl })
  } else {
    printAddresses(config, null)
  }
  drainMs = config.drainSec * 1000
}

async function stopService(exitCode: number): Promise<never> {
  const cutOff = setTimeout(() => {
    stopLog?.error(`stopped after ${SHUTDOWN_MAX_MS / 1000} s, before all work in progress had ended`)
    process.exit(1)
  }, SHUTDOWN_MAX_MS)
  const end = (step: () => Promise<void>) =>
    step().catch((error: unknown) => {
      console.error('While stopping:', error)
      exitCode = 1
    })
  await Promise.all(stopFirst.map(end))
  for (const step of stopAfter.toReversed()) await end(step)
  clearTimeout(cutOff)
  if (stopping) stopLog?.info({ exitCode }, 'stopped')
  process.exit(exitCode)
}

/** The message of these errors is a sentence for the operator. Other errors are printed with their stack. */
const ERRORS_FOR_OPERATORS = [
  ConfigError,
  EmbeddedPostgresError,
  MigrationError,
  PortalBuildError,
  StartError,
]

const started = startService().catch(async (error: unknown) => {
  if (error === stopRequested.signal.reason) return
  const isForOperator = ERRORS_FOR_OPERATORS.some((kind) => error instanceof kind)
  console.error(isForOperator && error instanceof Error ? error.message : error)
  await stopService(1)
})

/** First waits for a start in progress. Otherwise some parts would be stopped while others are still starting. */
async function stopOnce(cause: string): Promise<void> {
  if (stopping) return
  stopping = true
  stopLog?.info({ cause, drainSeconds: drainMs / 1000 }, 'stopping')
  stopRequested.abort()
  await started
  await sleep(drainMs)
  await stopService(0)
}

// Writing the log fails if the process that reads it has ended, or if the disk is full. Payments go on, and only the log lines
// of that time are lost.
process.stdout.on('error', () => undefined)

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stopOnce(signal))

/** Short, so that the port is free in time if a supervisor kills npm and then starts it again. */
const PARENT_CHECK_MS = 500

await started
if (loadConfig().startedByNpm) {
  setInterval(() => {
    if (process.ppid !== parentPid) void stopOnce('npm has ended')
  }, PARENT_CHECK_MS).unref()
}

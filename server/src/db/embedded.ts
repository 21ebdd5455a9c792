import { join } from 'node:path'
import { finishRestore, refuseUnfinishedRestore } from './embedded-backup.ts'
import { type Binaries, requireBinaries, requirePackageDir } from './embedded-binaries.ts'
import { claimDirectory } from './embedded-claim.ts'
import {
  createCluster,
  hasCluster,
  makeDirectory,
  type Paths,
  requireData,
  requirePassword,
} from './embedded-cluster.ts'
import { EmbeddedPostgresError, toErrorCode } from './embedded-error.ts'
import { chooseIdentity, changeOwner } from './embedded-identity.ts'
import { prepareDatabase, ensureLogin, toAdminUrl, toServiceUrl } from './embedded-login.ts'
import {
  findLeftover,
  findPostmaster,
  readPostmasterFile,
  stopPostmaster,
  waitUntilReady,
} from './embedded-postmaster.ts'
import { isStillRunning } from './embedded-process.ts'
import { wasStartedWith, launchServer, type RunningServer, toServerArguments } from './embedded-server.ts'

// Without DATABASE_URL, Pazar runs its own PostgreSQL in DATA_DIR. This file starts the server, or adopts one that a killed
// process left running. The disk must be local, and only one process may run the server. While it runs, operator commands
// (`server/src/cli`) connect to it instead of starting another one.
export { EmbeddedPostgresError } from './embedded-error.ts'

export interface EmbeddedPostgres {
  url(database: string): string
  /** The URL for the owner of the cluster, who is a superuser. */
  adminUrl(database: string): string
  /** Creates the database if it is missing. Afterwards the database and everything in it belong to the service's role. */
  ensureDatabase(name: string): Promise<void>
  readonly adopted: boolean
  readonly pid: number
  /** Also stops an adopted server. Further calls wait for the same stop. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Created if missing. Only the embedded database may have files in it. */
  readonly dir: string
  readonly log: (line: string) => void
  readonly settings?: Readonly<Record<string, string>>
  /** If the server ends unexpectedly, it is started again on the same port. */
  readonly restartOnExit?: boolean
  readonly packageDir?: string
}

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const binaries = await requireBinaries(options.packageDir ?? requirePackageDir())
    const paths = await makeDirectory(options.dir)
    const release = await claimDirectory(paths.dir)
    try {
      if (await finishRestore(paths))
        options.log('an interrupted restore of the embedded database was finished')
      await refuseUnfinishedRestore(paths)
      const started = await adoptOrStart(paths, binaries, options)
      const { running, adopted } = started
      options.log(
        `embedded PostgreSQL ${binaries.major} ${adopted ? 'adopted' : 'started'}, pid ${running.pid}, port ${running.port}`,
      )
      const startAgain = () => adoptOrStart(paths, binaries, options, async () => running.port)
      const serverWatch = options.restartOnExit ? watchServer(started, options.log, startAgain) : null
      return toHandle(started, async () => {
        await serverWatch?.end()
        await stopPostmaster(started.running, binaries.pgCtl, paths.data)
        await release()
      })
    } catch (error) {
      await release()
      throw error
    }
  } catch (error) {
    throw toOperatorError(error, options.dir)
  }
}

/**
 * Throws if the directory has no database. All commands except `migrate` call this first, so that they create no database
 * in a mistyped directory.
 */
export async function requireDatabase(dir: string): Promise<void> {
  await requireData(dir).catch((error: unknown) => {
    throw toOperatorError(error, dir)
  })
}

export async function findRunningUrl(dir: string, database: string): Promise<string | null> {
  const paths = await makeDirectory(dir)
  // A `postmaster.pid` that looks stale is not deleted, because a service that is starting may have just written it.
  const file = readPostmasterFile(paths.data)
  const running = file && findPostmaster(file.pid, paths.data)
  const found = running && (await findAdoptable(paths, running))
  if (!found) return null
  const login = { port: found.running.port, password: found.password }
  // The service may be an earlier release, which used the owner of the cluster as its role.
  await prepareDatabase(login, database)
  return toServiceUrl(login, database)
}

interface StartedServer {
  /** Replaced when the server had to be started again. */
  running: RunningServer
  readonly password: string
  readonly adopted: boolean
}

async function adoptOrStart(
  paths: Paths,
  binaries: Binaries,
  { settings = {}, log }: EmbeddedPostgresOptions,
  choosePort?: () => Promise<number>,
): Promise<StartedServer> {
  const launch = { paths, binaries, arguments: toServerArguments(paths.data, settings) }
  const isCreated = await hasCluster(paths, binaries)
  if (isCreated) {
    const leftover = await findLeftover(paths.data)
    const adopted = leftover && wasStartedWith(leftover, launch) ? await findAdoptable(paths, leftover) : null
    if (adopted) return adopted
    if (leftover) {
      log(
        `embedded PostgreSQL with pid ${leftover.pid} is stopped: it has other settings or does not respond`,
      )
      await stopPostmaster(leftover, binaries.pgCtl, paths.data)
    }
  }
  const identity = await chooseIdentity(binaries.postgres, paths.dir, paths.data)
  for (const folder of ['', 'log', 'launchers']) await changeOwner(identity, join(paths.dir, folder), false)
  if (isCreated) await changeOwner(identity, paths.cluster, true)
  else await createCluster(paths, binaries, identity, settings['fsync'] !== 'off')
  const password = await requirePassword(paths)
  const running = await launchServer({ ...launch, identity }, choosePort)
  try {
    await ensureLogin({ port: running.port, password })
  } catch (error) {
    await stopPostmaster(running, binaries.pgCtl, paths.data)
    throw error
  }
  return { running, password, adopted: false }
}

async function findAdoptable(
  paths: Paths,
  leftover: Omit<RunningServer, 'port'>,
): Promise<StartedServer | null> {
  const password = await requirePassword(paths)
  const hasEnded = () => !isStillRunning(leftover.pid, leftover.startedAt)
  const port = await waitUntilReady(paths.data, leftover.pid, hasEnded)
  if (port === null) return null
  try {
    await ensureLogin({ port, password })
    return { running: { ...leftover, port }, password, adopted: true }
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    // The error is dropped. If the caller starts a server instead, that server reports its own error.
    return null
  }
}

function toHandle(started: StartedServer, end: () => Promise<void>): EmbeddedPostgres {
  const { password, adopted } = started
  const login = { port: started.running.port, password }
  let stopping: Promise<void> | undefined
  return {
    url: (database) => toServiceUrl(login, database),
    adminUrl: (database) => toAdminUrl(login, database),
    ensureDatabase: (name) => prepareDatabase(login, name),
    adopted,
    get pid() {
      return started.running.pid
    },
    stop: () => (stopping ??= end()),
  }
}

const WATCH_MS = 1_000

/** Restarts the server on the same port, because this process connects to that port. */
function watchServer(
  started: StartedServer,
  log: (line: string) => void,
  startAgain: () => Promise<StartedServer>,
) {
  let restarting: Promise<void> | null = null
  const restart = async () => {
    log(`embedded PostgreSQL with pid ${started.running.pid} has ended unexpectedly and is started again`)
    try {
      started.running = (await startAgain()).running
    } catch (error) {
      log(`embedded PostgreSQL could not be started again: ${String(error)}`)
    } finally {
      restarting = null
    }
  }
  const timer = setInterval(() => {
    const { pid, startedAt } = started.running
    if (restarting === null && !isStillRunning(pid, startedAt)) restarting = restart()
  }, WATCH_MS)
  timer.unref()
  return {
    async end() {
      clearInterval(timer)
      await restarting
    },
  }
}

const UNUSABLE_CODES = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EEXIST', 'ENOTDIR']

function toOperatorError(error: unknown, dir: string): unknown {
  if (error instanceof EmbeddedPostgresError || !UNUSABLE_CODES.includes(toErrorCode(error))) return error
  return new EmbeddedPostgresError(
    `The data directory ${dir} cannot be used (${String(error)}); fix that, choose another DATA_DIR, or set DATABASE_URL.`,
    { cause: error },
  )
}

// A separate PostgreSQL for tests that stop it. It has the durability of production, and the same port after a restart.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { requireBinaries, requirePackageDir } from '../src/db/embedded-binaries.ts'
import { makeDirectory } from '../src/db/embedded-cluster.ts'
import { chooseIdentity } from '../src/db/embedded-identity.ts'
import { stopPostmaster } from '../src/db/embedded-postmaster.ts'
import { findProcess } from '../src/db/embedded-process.ts'
import type { RunningServer } from '../src/db/embedded-server.ts'
import { launchServer, toServerArguments } from '../src/db/embedded-server.ts'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { copyCluster } from './prepared-cluster.ts'
import { until } from './until.ts'

export interface RestartableDatabase {
  url: string
  /** For changes of server settings. */
  adminUrl: string
  data: string
  /** Stops the server like `pg_ctl stop -m immediate`: connections are not closed properly, and nothing is flushed. */
  crash(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const NAME = 'pazar'
const SETTINGS = { max_connections: '100' }

export async function startRestartableDatabase(): Promise<RestartableDatabase> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pazar-restart-'))
  await copyCluster(path.join(dir, 'postgres'))
  const first = await startEmbeddedPostgres({
    dir: path.join(dir, 'postgres'),
    log: () => undefined,
    settings: SETTINGS,
  })
  await first.ensureDatabase(NAME)
  const url = first.url(NAME)
  await migrate(url)
  const port = Number(new URL(url).port)
  // From here on the functions below start and stop the server. This process keeps the lock of the server's directory.
  const binaries = await requireBinaries(requirePackageDir())
  const paths = await makeDirectory(path.join(dir, 'postgres'))
  const identity = await chooseIdentity(binaries.postgres, paths.dir, paths.data)
  const launch = { paths, binaries, identity, arguments: toServerArguments(paths.data, SETTINGS) }
  let pid: number | null = first.pid
  let running: RunningServer | null = null

  return {
    url,
    adminUrl: first.adminUrl(NAME),
    data: paths.data,
    async crash() {
      if (pid === null) return
      const ending = pid
      process.kill(ending, 'SIGQUIT')
      await until(() => findProcess(ending) === null, 'PostgreSQL ends')
      pid = null
    },
    async start() {
      running = await launchServer(launch, async () => port)
      pid = running.pid
    },
    async stop() {
      if (running && pid !== null) await stopPostmaster(running, binaries.pgCtl, paths.data)
      await first.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

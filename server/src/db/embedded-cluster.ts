import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './embedded-binaries.ts'
import { EmbeddedPostgresError, toErrorCode } from './embedded-error.ts'
import { changeOwner, type Identity } from './embedded-identity.ts'

// `cluster` contains the data and the password file. One rename creates it, so it is either complete or absent.
export interface Paths {
  readonly dir: string
  readonly cluster: string
  readonly data: string
  readonly password: string
  readonly log: string
}

export const USER = 'pazar'
const UNFINISHED_PREFIX = 'cluster.new-'

export async function makeDirectory(givenDir: string): Promise<Paths> {
  await mkdir(resolve(givenDir), { recursive: true, mode: 0o700 })
  // Symbolic links are resolved, because a running server is identified by this path.
  const dir = await realpath(resolve(givenDir))
  await mkdir(join(dir, 'log'), { recursive: true, mode: 0o700 })
  const cluster = join(dir, 'cluster')
  return {
    dir,
    cluster,
    data: join(cluster, 'data'),
    password: join(cluster, 'password'),
    log: join(dir, 'log', 'postgres.log'),
  }
}

export async function hasCluster(paths: Paths, binaries: Binaries): Promise<boolean> {
  const version = await readIfExists(join(paths.data, 'PG_VERSION'))
  if (version === null) {
    if (!(await hasEntries(paths.cluster))) return false
    throw new EmbeddedPostgresError(
      `${paths.cluster} holds files but no PostgreSQL data (PG_VERSION is missing); restore it from a backup, or move it away to begin with an empty database.`,
    )
  }
  if (version.trim() === String(binaries.major)) return true
  throw new EmbeddedPostgresError(
    `${paths.data} was made by PostgreSQL ${version.trim()} and this release contains PostgreSQL ${binaries.major}, which cannot open that data; dump the data with version ${version.trim()} and restore it into an empty DATA_DIR, or set DATABASE_URL to a server that runs version ${version.trim()}.`,
  )
}

export async function requireData(dir: string): Promise<void> {
  if ((await readIfExists(join(dir, 'cluster', 'data', 'PG_VERSION'))) === null)
    throw new EmbeddedPostgresError(
      `There is no database in ${dir}. Run the command with the settings of the service (.env, DATABASE_URL, DATA_DIR), or start the service first.`,
    )
}

export async function requirePassword(paths: Paths): Promise<string> {
  const password = await readIfExists(paths.password)
  if (password) return password.trim()
  throw new EmbeddedPostgresError(
    `The password file ${paths.password} of the embedded PostgreSQL is missing; restore it from the same backup as the data.`,
  )
}

/**
 * Also deletes all unfinished clusters in the directory. The caller must have claimed the directory, so that no other
 * process is creating one of them.
 */
export async function createCluster(
  paths: Paths,
  binaries: Binaries,
  identity: Identity,
  durable: boolean,
): Promise<void> {
  await removeUnfinished(paths)
  const unfinished = await mkdtemp(join(paths.dir, UNFINISHED_PREFIX))
  const passwordFile = join(unfinished, 'password')
  await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  await changeOwner(identity, unfinished, true)
  const command = identity.toCommand(binaries.initdb, [
    `--pgdata=${join(unfinished, 'data')}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--data-checksums',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ])
  try {
    await promisify(execFile)(command.file, command.args, { ...command.options, cwd: paths.dir })
  } catch (error) {
    await removeUnfinished(paths)
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL could not make its data directory in ${paths.dir}: ${stderr || String(error)}`,
      { cause: error },
    )
  }
  await rename(unfinished, paths.cluster)
  if (durable) await syncDirectory(paths.dir)
}

async function removeUnfinished(paths: Paths): Promise<void> {
  for (const name of await readdir(paths.dir)) {
    if (!name.startsWith(UNFINISHED_PREFIX)) continue
    // If the process that started initdb was killed, initdb may still write for a moment.
    await rm(join(paths.dir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return // Windows cannot open a directory to sync it.
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function hasEntries(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length > 0
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') return false
    throw error
  }
}

async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') return null
    throw error
  }
}

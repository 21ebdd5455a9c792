// Finds the programs of the failover trial, and installs missing packages on request.
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { installPackages, toInstallCommand } from '../../server/test/debian-packages.ts'

export interface Programs {
  etcd: string
  patroni: string
  haproxy: string
  nginx: string
  /** Needed with `--pooler` only. */
  pgbouncer: string
  /** The directory of initdb, postgres and pg_rewind. */
  postgresDir: string
}

export interface Account {
  uid: number
  gid: number
}

const PACKAGES: Readonly<Record<keyof Programs, string>> = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  nginx: 'nginx',
  pgbouncer: 'pgbouncer',
  postgresDir: 'postgresql',
}

const NAMES: Readonly<Record<keyof Programs, string>> = {
  etcd: 'etcd',
  patroni: 'Patroni',
  haproxy: 'HAProxy',
  nginx: 'nginx',
  pgbouncer: 'PgBouncer',
  postgresDir: 'PostgreSQL',
}

/** Debian installs servers in directories that are not in every user's PATH. */
const MORE_DIRECTORIES = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin']
const POSTGRES_ROOT = '/usr/lib/postgresql'

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    // A file that cannot be executed is not a program.
    return false
  }
}

function findProgram(name: string): string | null {
  const searched = [
    ...(process.env['PATH'] ?? '').split(':').filter((one) => one !== ''),
    ...MORE_DIRECTORIES,
  ]
  return searched.map((dir) => path.join(dir, name)).find(isExecutable) ?? null
}

/** The directory of the newest installed PostgreSQL server. A version that has only the client is skipped. */
function findPostgresDir(): string | null {
  const versions = existsSync(POSTGRES_ROOT) ? readdirSync(POSTGRES_ROOT) : []
  const dirs = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => path.join(POSTGRES_ROOT, version, 'bin'))
  return (
    dirs.find((dir) => ['initdb', 'postgres'].every((name) => isExecutable(path.join(dir, name)))) ?? null
  )
}

type FoundPrograms = { [Name in keyof Programs]: string | null }

function findAll(): FoundPrograms {
  return {
    etcd: findProgram('etcd'),
    patroni: findProgram('patroni'),
    haproxy: findProgram('haproxy'),
    nginx: findProgram('nginx'),
    pgbouncer: findProgram('pgbouncer'),
    postgresDir: findPostgresDir(),
  }
}

export function findMissing(found: FoundPrograms, isPooled: boolean): (keyof Programs)[] {
  const names = Object.keys(PACKAGES) as (keyof Programs)[]
  return names.filter((name) => found[name] === null && (isPooled || name !== 'pgbouncer'))
}

export function explainMissing(missing: readonly (keyof Programs)[], isRoot: boolean): string {
  const names = missing.map((name) => NAMES[name]).join(', ')
  const command = toInstallCommand(missing.map((name) => PACKAGES[name]))
  const how = isRoot ? '`npm run ha -- --install` runs it' : 'it needs root'
  return `Missing: ${names}. On Debian or Ubuntu: ${command} (${how}). Patroni is also on PyPI: pip install 'patroni[etcd3,psycopg2-binary]'.`
}

export function requirePrograms(options: { install: boolean; pooler: boolean }): Programs | null {
  const isRoot = process.getuid?.() === 0
  const missing = findMissing(findAll(), options.pooler)
  if (missing.length > 0 && options.install) {
    try {
      installPackages(missing.map((name) => PACKAGES[name]))
    } catch (error) {
      console.error(`The packages could not be installed: ${String(error)}`)
    }
  }
  const found = findAll()
  const stillMissing = findMissing(found, options.pooler)
  if (stillMissing.length > 0) {
    console.error(explainMissing(stillMissing, isRoot))
    return null
  }
  return found as Programs
}

/** The account for PostgreSQL, which refuses to run as root. Null if the trial does not run as root. */
export function findDatabaseAccount(): Account | null {
  if (process.getuid?.() !== 0) return null
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error('There is no account named postgres.')
  return { uid: Number(uid), gid: Number(gid) }
}

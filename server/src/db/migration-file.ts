// Reads migration files. Line 1 says why the migration exists. Line 2, the marker, says whether the previous release
// can run on the new schema, and whether the migration runs in a transaction. The database stores which applied
// migrations are additive, because the previous release does not have their files.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export class MigrationError extends Error {}

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
  /** The previous release can run and start on the new schema. */
  additive: boolean
  /** If false, the statements run one by one, because PostgreSQL refuses them inside a transaction. */
  inTransaction: boolean
}

/** Migrations up to this one have no marker and count as not additive. */
export const UNMARKED_VERSION_MAX = 13

const MIGRATIONS_DIR = path.join(import.meta.dirname, '../../migrations')

const MARKERS: [line: RegExp, kind: Pick<Migration, 'additive' | 'inTransaction'>][] = [
  [/^-- additive$/, { additive: true, inTransaction: true }],
  [/^-- additive, without a transaction$/, { additive: true, inTransaction: false }],
  [/^-- not additive: \S/, { additive: false, inTransaction: true }],
]

export function findMarker(sql: string): Pick<Migration, 'additive' | 'inTransaction'> | null {
  const line = sql.split('\n')[1]?.trimEnd() ?? ''
  return MARKERS.find(([pattern]) => pattern.test(line))?.[1] ?? null
}

/** Splits a migration that runs without a transaction. Its statements must not contain a semicolon. */
export function toStatements(sql: string): string[] {
  return sql
    .replace(/--[^\n]*/g, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

const CONCURRENT_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)\s/i

export function findConcurrentIndex(statement: string): string | null {
  return CONCURRENT_INDEX.exec(statement)?.[1] ?? null
}

export async function readSchemaVersion(): Promise<string> {
  const files = (await readdir(MIGRATIONS_DIR)).filter((file) => file.endsWith('.sql'))
  return files.toSorted().at(-1)?.slice(0, 4) ?? '0000'
}

export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(MIGRATIONS_DIR)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(path.join(MIGRATIONS_DIR, file), 'utf8')
      const version = Number(file.slice(0, 4))
      const marker = version > UNMARKED_VERSION_MAX ? findMarker(sql) : null
      return {
        version,
        name: file.replace(/\.sql$/, ''),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
        additive: marker?.additive ?? false,
        inTransaction: marker?.inTransaction ?? true,
      }
    }),
  )
}

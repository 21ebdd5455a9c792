// What a migration's file says about itself. Line 1 says why it exists; line 2, its marker, whether the release before it
// can run on the schema it makes. The marker is stored with the applied migration, because the release that needs to
// read it does not have the file.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export class MigrationError extends Error {}

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
  /** The release before this migration can go on running, and can be started, on the schema it makes. */
  additive: boolean
  /** Its statements run one by one, for those that PostgreSQL refuses inside a transaction. */
  inTransaction: boolean
}

/**
 * Migrations up to this one have no marker and cannot get one, since a landed file is never edited. They count as not
 * additive: no release from before them can read a marker, so nothing is lost.
 */
export const UNMARKED_VERSION_MAX = 13

const MIGRATIONS_DIR = path.join(import.meta.dirname, '../../migrations')

const MARKERS: [line: RegExp, kind: Pick<Migration, 'additive' | 'inTransaction'>][] = [
  [/^-- additive$/, { additive: true, inTransaction: true }],
  [/^-- additive, without a transaction$/, { additive: true, inTransaction: false }],
  [/^-- not additive: \S/, { additive: false, inTransaction: true }],
]

/** Null when line 2 is not a marker. */
export function findMarker(sql: string): Pick<Migration, 'additive' | 'inTransaction'> | null {
  const line = sql.split('\n')[1]?.trimEnd() ?? ''
  return MARKERS.find(([pattern]) => pattern.test(line))?.[1] ?? null
}

/** For files without a transaction: index statements, which have no semicolon of their own. */
export function toStatements(sql: string): string[] {
  return sql
    .replace(/--[^\n]*/g, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

const CONCURRENT_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)\s/i

/** The index that a statement makes without blocking writers; null for any other statement. */
export function findConcurrentIndex(statement: string): string | null {
  return CONCURRENT_INDEX.exec(statement)?.[1] ?? null
}

export async function readMigrations(dir = MIGRATIONS_DIR): Promise<Migration[]> {
  const files = (await readdir(dir)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(path.join(dir, file), 'utf8')
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

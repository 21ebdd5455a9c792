// Every session of the connection pool (connections.ts) needs these settings. A direct connection sends them when it is
// opened. A pooler in transaction mode refuses or forgets them, so behind a pooler the role must have them.
import pg from 'pg'

/**
 * The first two are shorter than our own deadline (QUERY_TIMEOUT_MS), so that a healthy server cancels a statement first.
 * The third ends a transaction in which no statement is sent any more.
 */
export const SESSION_TIMEOUTS_MS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
} as const

/**
 * Each connection caches the plan of a statement. On the empty tables of a new installation the plan would be a table scan,
 * and stay one while the tables fill. A disabled scan that is used anyway counts as very expensive, so PostgreSQL would
 * compile the statement (JIT), which takes seconds. So JIT is off too.
 */
const DISABLED_SETTINGS = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'] as const

export const PLANNER_OPTIONS = DISABLED_SETTINGS.map((name) => `-c ${name}=off`).join(' ')

/** Migrations take longer than payers wait, and read whole tables. These settings replace those of the role. */
export const MIGRATION_SETTINGS = [
  'statement_timeout = 0',
  ...DISABLED_SETTINGS.map((name) => `${name} = on`),
]
  .map((setting) => `set ${setting}`)
  .join('; ')

export const SESSION_SETTING_NAMES: readonly string[] = [
  ...Object.keys(SESSION_TIMEOUTS_MS),
  ...DISABLED_SETTINGS,
]

/** Timeouts are in milliseconds, as in `pg_settings`; 0 means none. Shorter timeouts are accepted. */
export function findWrongSettings(values: ReadonlyMap<string, string>): string[] {
  const timeouts = Object.entries(SESSION_TIMEOUTS_MS)
    .filter(([name, maxMs]) => !(Number(values.get(name)) >= 1 && Number(values.get(name)) <= maxMs))
    .map(([name]) => name)
  return [...timeouts, ...DISABLED_SETTINGS.filter((name) => values.get(name) !== 'off')]
}

export function toAlterRole(role: string, database: string, names: readonly string[]): string {
  const timeouts: ReadonlyMap<string, number> = new Map(Object.entries(SESSION_TIMEOUTS_MS))
  const alter = `alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)}`
  return names
    .map((name) => {
      const maxMs = timeouts.get(name)
      return `${alter} set ${name} = ${maxMs === undefined ? 'off' : `'${maxMs / 1000}s'`};`
    })
    .join(' ')
}

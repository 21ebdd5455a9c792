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
 * Each connection caches the plan of a statement. On the empty tables of a new installation, the plan would be a table
 * scan, and it would not change while the tables fill. So table scans are disabled, and also the two kinds of joins that
 * read whole tables. If PostgreSQL needs a table scan anyway, it estimates a very high cost, and would compile the
 * statement (JIT), which takes seconds. So JIT is off too.
 */
const DISABLED_SETTINGS = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'] as const

/** The driver reads times only in this format. With another one, it returns null instead of a time. */
const DATE_STYLE = 'ISO'

export const SESSION_OPTIONS = [
  ...DISABLED_SETTINGS.map((name) => `-c ${name}=off`),
  `-c DateStyle=${DATE_STYLE}`,
].join(' ')

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
  'DateStyle',
]

/**
 * Returns the names of the settings that are missing or wrong. Timeouts are in milliseconds, as in `pg_settings`. A timeout
 * may be shorter than ours, but not 0, which means no timeout.
 */
export function findWrongSettings(values: ReadonlyMap<string, string>): string[] {
  const timeouts = Object.entries(SESSION_TIMEOUTS_MS)
    .filter(([name, maxMs]) => !(Number(values.get(name)) >= 1 && Number(values.get(name)) <= maxMs))
    .map(([name]) => name)
  // The value also has the order of day and month, as in `ISO, DMY`. That order does not matter for this format.
  const hasDateStyle = values.get('DateStyle')?.startsWith(DATE_STYLE)
  return [
    ...timeouts,
    ...DISABLED_SETTINGS.filter((name) => values.get(name) !== 'off'),
    ...(hasDateStyle ? [] : ['DateStyle']),
  ]
}

export function toAlterRole(role: string, database: string, names: readonly string[]): string {
  const values = new Map([
    ...Object.entries(SESSION_TIMEOUTS_MS).map(([name, maxMs]) => [name, `'${maxMs / 1000}s'`] as const),
    ['DateStyle', `'${DATE_STYLE}'`] as const,
  ])
  const alter = `alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)}`
  return names.map((name) => `${alter} set ${name} = ${values.get(name) ?? 'off'};`).join(' ')
}

// A pooler in transaction mode, such as PgBouncer: DATABASE_URL leads to it, and every transaction may run in another session.
// What needs one session (migrations, notifications, the proof that a process lives) uses DATABASE_DIRECT_URL. Behind
// the pooler no statement is named (`run` in pool.ts) and nothing is set in a session: the role has the settings
// (session-settings.ts).
import { Connection, isSameSession, toConnectionOptions } from './connection.ts'
import { findWrongSettings, SESSION_SETTING_NAMES, toAlterRole } from './session-settings.ts'

/** Longer than for a payer: the server may just be starting. */
const TIMEOUT_MS = 10_000

export interface PoolerFacts {
  role: string
  database: string
  /** The settings of a session that the pooler hands out. */
  settings: ReadonlyMap<string, string>
  /** Both addresses lead to the same database, with the same role. */
  isSameDatabase: boolean
  /** The direct address leads to a pooler too. */
  isDirectPooled: boolean
}

interface Seen {
  role: string
  database: string
  /** Says which cluster and which database in it, also after a rename. */
  place: string
  names: string[]
  values: string[]
}

const SEEN = `select current_user::text as role, current_database()::text as database,
  (select system_identifier from pg_control_system()) || ' ' || (select oid from pg_database where datname = current_database())
    as place, array_agg(name) as names, array_agg(setting) as values
  from pg_settings where name = any($1)`

async function readSession<T>(url: string, work: (client: Connection) => Promise<T>): Promise<T> {
  const client = new Connection(toConnectionOptions(url, TIMEOUT_MS))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function readSeen(client: Connection): Promise<Seen> {
  const what = { text: SEEN, values: [SESSION_SETTING_NAMES] }
  return (await client.run<Seen>(what, TIMEOUT_MS)).rows[0]!
}

/** Throws what the connections throw. */
export async function readPoolerFacts(url: string, directUrl: string): Promise<PoolerFacts> {
  const pooled = await readSession(url, readSeen)
  const direct = await readSession(directUrl, async (client) => ({
    ...(await readSeen(client)),
    isPooled: !(await isSameSession(client, TIMEOUT_MS)),
  }))
  return {
    role: pooled.role,
    database: pooled.database,
    settings: new Map(pooled.names.map((name, index) => [name, pooled.values[index]!])),
    isSameDatabase: pooled.place === direct.place && pooled.role === direct.role,
    isDirectPooled: direct.isPooled,
  }
}

export interface PoolerProblem {
  where: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'
  what: string
  fix: string
}

export function findPoolerProblems(facts: PoolerFacts): PoolerProblem[] {
  const problems: PoolerProblem[] = []
  const wrong = findWrongSettings(facts.settings)
  if (wrong.length > 0)
    problems.push({
      where: 'DATABASE_URL',
      what: `Behind the pooler the sessions of the role ${facts.role} lack settings that the service relies on: ${wrong.join(', ')}.`,
      fix: `Run this as the role or a superuser, then let the pooler open new sessions (PgBouncer: RECONNECT): ${toAlterRole(facts.role, facts.database, wrong)}`,
    })
  if (facts.isDirectPooled)
    problems.push({
      where: 'DATABASE_DIRECT_URL',
      what: 'DATABASE_DIRECT_URL leads to a pooler too, where migrations and notifications do not work.',
      fix: 'Let it name the database server itself, or a proxy that passes connections through (HAProxy).',
    })
  if (!facts.isSameDatabase)
    problems.push({
      where: 'DATABASE_DIRECT_URL',
      what: 'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases, or use different roles.',
      fix: 'Let both name the same database on the same primary, with the same role.',
    })
  return problems
}

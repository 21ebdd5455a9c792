// Behind a pooler in transaction mode, such as PgBouncer, every transaction may run in another session. Work that needs
// one session, such as migrations and notifications, uses DATABASE_DIRECT_URL. The settings of session-settings.ts must
// be set for the role, because the pooler refuses or forgets those of a session.
import { Connection, isSameSession, toConnectionOptions } from './connection.ts'
import { findWrongSettings, SESSION_SETTING_NAMES, toAlterRole } from './session-settings.ts'

/** This is longer than a payer's request may wait, because the database may still be starting. */
const TIMEOUT_MS = 10_000

export interface PoolerFacts {
  role: string
  database: string
  settings: ReadonlyMap<string, string>
  isSameDatabase: boolean
  isDirectPooled: boolean
}

interface SessionFacts {
  role: string
  database: string
  /** Identifies the cluster and the database in it, even if the database was renamed. */
  identity: string
  names: string[]
  values: string[]
}

const SESSION_FACTS = `select current_user::text as role, current_database()::text as database,
  (select system_identifier from pg_control_system()) || ' ' || (select oid from pg_database where datname = current_database())
    as identity, array_agg(name) as names, array_agg(setting) as values
  from pg_settings where name = any($1)`

async function withSession<T>(url: string, work: (client: Connection) => Promise<T>): Promise<T> {
  const client = new Connection(toConnectionOptions(url, TIMEOUT_MS))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function readSessionFacts(client: Connection): Promise<SessionFacts> {
  const query = { text: SESSION_FACTS, values: [SESSION_SETTING_NAMES] }
  return (await client.run<SessionFacts>(query, TIMEOUT_MS)).rows[0]!
}

export async function readPoolerFacts(url: string, directUrl: string): Promise<PoolerFacts> {
  const pooled = await withSession(url, readSessionFacts)
  const direct = await withSession(directUrl, async (client) => ({
    ...(await readSessionFacts(client)),
    isPooled: !(await isSameSession(client, TIMEOUT_MS)),
  }))
  return {
    role: pooled.role,
    database: pooled.database,
    settings: new Map(pooled.names.map((name, index) => [name, pooled.values[index]!])),
    isSameDatabase: pooled.identity === direct.identity && pooled.role === direct.role,
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
  const wrongNames = findWrongSettings(facts.settings)
  if (wrongNames.length > 0)
    problems.push({
      where: 'DATABASE_URL',
      what: `Behind the pooler the sessions of the role ${facts.role} lack settings that the service relies on: ${wrongNames.join(', ')}.`,
      fix: `Run this as the role or a superuser, then let the pooler open new sessions (PgBouncer: RECONNECT): ${toAlterRole(facts.role, facts.database, wrongNames)}`,
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

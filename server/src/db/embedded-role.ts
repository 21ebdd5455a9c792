import { createHmac } from 'node:crypto'
import { type Client, DatabaseError, escapeIdentifier } from 'pg'
import { USER } from './embedded-cluster.ts'

// The service's role owns its database, so that migrations run. The role has no other rights, so an injected statement cannot
// read files of the server or start programs.
export const SERVICE_USER = 'pazar_service'

const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'

/** A command and a starting service must not create the role at the same time. */
const ROLE_LOCK = 7_218_002

/** Derived from the owner's password, so that there is no second file to lose. */
export function toServicePassword(ownerPassword: string): string {
  return createHmac('sha256', ownerPassword).update(SERVICE_USER).digest('base64url')
}

export async function hasServiceRole(owner: Client): Promise<boolean> {
  const { rowCount } = await owner.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [SERVICE_USER])
  return rowCount === 1
}

export async function ensureServiceRole(owner: Client, password: string): Promise<void> {
  await inTransaction(owner, async () => {
    if (!(await hasServiceRole(owner))) await owner.query(`CREATE ROLE ${SERVICE_USER}`)
    await owner.query(
      `ALTER ROLE ${SERVICE_USER} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
         PASSWORD '${toServicePassword(password)}'`,
    )
    await keepQuotesOutOfLog(owner, SERVICE_USER)
  })
}

/** Error messages may quote what a payer or a merchant typed, so they are sent to the service and not logged. */
export async function keepQuotesOutOfLog(owner: Client, role: string): Promise<void> {
  await owner.query(`ALTER ROLE ${role} SET log_min_messages = 'log'`)
}

export async function ensureDatabase(owner: Client, name: string): Promise<void> {
  const { rowCount } = await owner.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
  if (rowCount) return
  try {
    await owner.query(`CREATE DATABASE ${escapeIdentifier(name)} OWNER ${SERVICE_USER}`)
  } catch (error) {
    // Another process created the database after the query.
    const existsAlready =
      error instanceof DatabaseError && [DUPLICATE_DATABASE, UNIQUE_VIOLATION].includes(error.code ?? '')
    if (!existsAlready) throw error
  }
}

/**
 * Selects an ALTER statement for each object that the cluster's owner still owns. Indexes and column sequences follow
 * their table.
 */
const MOVES = `
  WITH owner AS (SELECT oid FROM pg_roles WHERE rolname = '${USER}'),
    target AS (SELECT oid FROM pg_namespace WHERE nspname = 'public'),
    dependent AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e' OR (deptype IN ('a', 'i') AND refclassid = 'pg_class'::regclass))
  SELECT format('ALTER DATABASE %I OWNER TO ${SERVICE_USER}', datname) AS move
    FROM pg_database, owner WHERE datname = current_database() AND datdba = owner.oid
  UNION ALL SELECT 'ALTER SCHEMA public OWNER TO ${SERVICE_USER}'
    FROM pg_namespace, owner WHERE nspname = 'public' AND nspowner = owner.oid
  UNION ALL SELECT format('ALTER TABLE %s OWNER TO ${SERVICE_USER}', c.oid::regclass)
    FROM pg_class c, owner, target WHERE relnamespace = target.oid AND relowner = owner.oid
      AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND ('pg_class'::regclass, c.oid) NOT IN (SELECT * FROM dependent)
  UNION ALL SELECT format('ALTER ROUTINE %s OWNER TO ${SERVICE_USER}', p.oid::regprocedure)
    FROM pg_proc p, owner, target WHERE pronamespace = target.oid AND proowner = owner.oid
      AND ('pg_proc'::regclass, p.oid) NOT IN (SELECT * FROM dependent)`

/** Locks no table if there is nothing to move. */
export async function moveOwnership(owner: Client): Promise<void> {
  await inTransaction(owner, async () => {
    const { rows } = await owner.query<{ move: string }>(MOVES)
    for (const { move } of rows) await owner.query(move)
  })
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN')
  try {
    // A session that was left open must not block a start indefinitely.
    await client.query(`SET LOCAL lock_timeout = '30s'`)
    await client.query('SELECT pg_advisory_xact_lock($1)', [ROLE_LOCK])
    await work()
    await client.query('COMMIT')
  } catch (error) {
    // An error of the rollback is ignored, because closing the connection rolls back as well.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

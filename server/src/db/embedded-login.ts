import { DatabaseError } from 'pg'
import { startRunningTimer } from '../lib/running-timer.ts'
import { Connection, toConnectionOptions } from './connection.ts'
import { USER } from './embedded-cluster.ts'
import { EmbeddedPostgresError } from './embedded-error.ts'
import {
  ensureDatabase,
  ensureServiceRole,
  hasServiceRole,
  keepQuotesOutOfLog,
  moveOwnership,
  SERVICE_USER,
  toServicePassword,
} from './embedded-role.ts'

// On loopback a healthy server responds in milliseconds. A killed process can leave its server running. If that server does
// not respond within this time, it is stopped and a new server is started.
const LOGIN_TIMEOUT_MS = 10_000

const INVALID_PASSWORD = '28P01'

export interface Login {
  readonly port: number
  readonly password: string
}

/** The URL for connections of the owner of the cluster, who is a superuser. */
export function toAdminUrl({ port, password }: Login, database: string): string {
  return toUrl(USER, password, port, database)
}

export function toServiceUrl({ port, password }: Login, database: string): string {
  return toUrl(SERVICE_USER, toServicePassword(password), port, database)
}

function toUrl(user: string, password: string, port: number, database: string): string {
  // The driver decodes the name with decodeURI.
  return `postgres://${user}:${password}@127.0.0.1:${port}/${encodeURI(database)}`
}

/**
 * Creates the role of the service if it is missing, and repairs the role if its password is wrong. Fails if a connection
 * needs more time than `timeoutMs`, also if the server stops responding after the login.
 */
export async function ensureLogin(login: Login, timeoutMs = LOGIN_TIMEOUT_MS): Promise<void> {
  try {
    await withClient(toAdminUrl(login, 'postgres'), timeoutMs, async (owner) => {
      const { rows } = await owner.query<{ level: string }>(
        `SELECT current_setting('log_min_messages') AS level`,
      )
      if (rows[0]?.level !== 'log') await keepQuotesOutOfLog(owner, USER)
      if (!(await hasServiceRole(owner)) || !(await canServiceLogIn(login, timeoutMs)))
        await ensureServiceRole(owner, login.password)
    })
  } catch (error) {
    if (!isWrongPassword(error)) throw error
    throw new EmbeddedPostgresError(
      'The password file of the embedded PostgreSQL does not belong to its data; restore both from the same backup.',
      { cause: error },
    )
  }
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === INVALID_PASSWORD
}

async function canServiceLogIn(login: Login, timeoutMs: number): Promise<boolean> {
  try {
    await withClient(toServiceUrl(login, 'postgres'), timeoutMs, async () => undefined)
    return true
  } catch (error) {
    if (isWrongPassword(error)) return false
    throw error
  }
}

export async function prepareDatabase(login: Login, name: string): Promise<void> {
  // Creating a database, or waiting for a lock, may take longer than a login.
  const timeoutMs = null
  await withClient(toAdminUrl(login, 'postgres'), timeoutMs, (owner) => ensureDatabase(owner, name))
  await withClient(toAdminUrl(login, name), timeoutMs, moveOwnership)
}

async function withClient(
  url: string,
  timeoutMs: number | null,
  use: (client: Connection) => Promise<void>,
): Promise<void> {
  const client = new Connection(toConnectionOptions(url, timeoutMs ?? LOGIN_TIMEOUT_MS))
  await client.connect()
  const lateText = `the embedded PostgreSQL did not respond within ${timeoutMs} ms`
  let isLate = false
  const onPassed = () => {
    isLate = true
    client.destroy(lateText)
  }
  const stopTimer = timeoutMs === null ? () => undefined : startRunningTimer(timeoutMs, onPassed)
  try {
    await use(client)
  } finally {
    // `end` waits for the server too, so the timer still runs here.
    await client.end()
    stopTimer()
  }
  if (isLate) throw new Error(lateText)
}

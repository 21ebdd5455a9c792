import { Client, DatabaseError } from 'pg'
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

// On loopback a healthy server responds in milliseconds. If a server that a killed process left running does not
// respond within this time, it is replaced.
const LOGIN_TIMEOUT_MS = 10_000

const INVALID_PASSWORD = '28P01'

export interface Login {
  readonly port: number
  readonly password: string
}

/** For the owner of the cluster, a superuser. */
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

/** Creates the role of the service if it is missing, and repairs the role if its password is wrong. */
export async function ensureLogin(login: Login): Promise<void> {
  try {
    await withClient(toAdminUrl(login, 'postgres'), async (owner) => {
      const { rows } = await owner.query<{ level: string }>(
        `SELECT current_setting('log_min_messages') AS level`,
      )
      if (rows[0]?.level !== 'log') await keepQuotesOutOfLog(owner, USER)
      if (!(await hasServiceRole(owner)) || !(await canServiceLogIn(login)))
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

async function canServiceLogIn(login: Login): Promise<boolean> {
  try {
    await withClient(toServiceUrl(login, 'postgres'), async () => undefined)
    return true
  } catch (error) {
    if (isWrongPassword(error)) return false
    throw error
  }
}

export async function prepareDatabase(login: Login, name: string): Promise<void> {
  await withClient(toAdminUrl(login, 'postgres'), (owner) => ensureDatabase(owner, name))
  await withClient(toAdminUrl(login, name), moveOwnership)
}

async function withClient(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: LOGIN_TIMEOUT_MS })
  // A lost connection also makes the current statement fail, and the error is handled there.
  client.on('error', () => {})
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}

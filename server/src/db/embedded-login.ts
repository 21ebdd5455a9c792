import { Client, DatabaseError, escapeIdentifier } from 'pg'
import { USER } from './embedded-cluster.ts'
import { EmbeddedPostgresError } from './embedded-error.ts'

// The launcher's own few statements: is the server really ours to log in to, and is a database there.

// On loopback a healthy server answers in milliseconds; one that needs longer is stopped and started anew.
const LOGIN_TIMEOUT_MS = 10_000

const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'
const INVALID_PASSWORD = '28P01'

/** Proves that the address works before anyone is given it. */
export async function proveLogin(url: string): Promise<void> {
  try {
    await withClient(url, async (client) => {
      const { rows } = await client.query<{ level: string }>(
        `SELECT current_setting('log_min_messages') AS level`,
      )
      // The text of an ordinary error may quote what a customer typed. Whoever sent the statement gets it; the
      // server's log keeps only what concerns the server. Background processes have no role and log as ever.
      if (rows[0]?.level !== 'log') await client.query(`ALTER ROLE ${USER} SET log_min_messages = 'log'`)
    })
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== INVALID_PASSWORD) throw error
    throw new EmbeddedPostgresError(
      'The password file of the embedded PostgreSQL does not belong to its data; restore both from the same backup.',
      { cause: error },
    )
  }
}

export async function ensureDatabase(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount) return
    try {
      await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`)
    } catch (error) {
      // Somebody else made it between the look and now.
      const isThere =
        error instanceof DatabaseError && [DUPLICATE_DATABASE, UNIQUE_VIOLATION].includes(error.code ?? '')
      if (!isThere) throw error
    }
  })
}

async function withClient(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: LOGIN_TIMEOUT_MS })
  // A lost connection also fails the statement under way, which is where it is dealt with.
  client.on('error', () => {})
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}

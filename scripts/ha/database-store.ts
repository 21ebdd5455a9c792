// The SQL statements that the failover trial (`npm run ha`) itself sends. They go through HAProxy, as the superuser.
import pg from 'pg'
import { SESSION_SETTING_NAMES, toAlterRole } from '../../server/src/db/session-settings.ts'
import { until } from '../../server/test/until.ts'
import type { StoredPayment } from './books.ts'

const PROBE_TIMEOUT_MS = 3_000
const READ_TIMEOUT_MS = 10_000
/** Even on a busy machine, initdb and the first failover check take less time than this. */
const STARTS_WITHIN_MS = 180_000

const PAYMENTS = `select t.id, t.custom_id as "customId", t.state,
    (select count(*)::int from callback_states c where c.transaction_id = t.id and c.status <> 'delivered') as undelivered
  from transactions t where starts_with(t.custom_id, $1)`

export type ToUrl = (database: string, role: string) => string

/** Null when the primary cannot be reached or the work failed, as expected during an outage. */
async function tryOnDatabase<T>(
  url: string,
  timeoutMs: number,
  work: (client: pg.Client) => Promise<T>,
): Promise<T | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  // If the connection breaks, the work fails with the same error.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } catch {
    // The caller tries again, whatever the cause.
    return null
  } finally {
    // `end` is not awaited, because it can take long during an outage and would delay the next attempt. Its errors are
    // unimportant.
    void client.end().catch(() => undefined)
  }
}

export async function createDatabase(toUrl: ToUrl, password: string): Promise<void> {
  const canConnect = async () =>
    tryOnDatabase(toUrl('postgres', 'postgres'), READ_TIMEOUT_MS, async (client) => {
      await client.query('create table if not exists probes (at timestamptz not null)')
      return true
    })
  await until(canConnect, 'PostgreSQL accepts writes', STARTS_WITHIN_MS)
  const client = new pg.Client({ connectionString: toUrl('postgres', 'postgres') })
  await client.connect()
  await client.query(`create role pazar login password '${password}'`)
  await client.query('create database pazar owner pazar')
  // Sessions behind a pooler get these settings from the role.
  await client.query(toAlterRole('pazar', 'pazar', SESSION_SETTING_NAMES))
  await client.end()
}

/** Whether a commit is acknowledged by the primary and, if there is a standby, by the standby too. */
export async function canWrite(toUrl: ToUrl): Promise<boolean> {
  const inserted = await tryOnDatabase(toUrl('postgres', 'postgres'), PROBE_TIMEOUT_MS, (client) =>
    client.query('insert into probes values (now())'),
  )
  return inserted !== null
}

/** Null when the database cannot be read now. */
export async function readStored(toUrl: ToUrl, prefix: string): Promise<StoredPayment[] | null> {
  return tryOnDatabase(toUrl('pazar', 'postgres'), READ_TIMEOUT_MS, async (client) => {
    const { rows } = await client.query<StoredPayment>(PAYMENTS, [prefix])
    return rows
  })
}

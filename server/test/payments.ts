// Helpers for payment tests. They start the service without its routes, and read and change the rows of its database.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { parseConfig } from '../src/config.ts'
import type { Connections } from '../src/db/connections.ts'
import type { Queryable, Statement } from '../src/db/pool.ts'
import { createLogger } from '../src/lib/logger.ts'
import type { Order, Payment } from '../src/payments/payment.ts'
import { findPayment } from '../src/payments/payments-store.ts'
import { reconcileOnce } from '../src/payments/reconcile.ts'
import { wire } from '../src/wire.ts'
import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'
import { toDatabaseEnv } from './database.ts'
import { lendDatabase } from './lent-database.ts'
import { addPayProject } from './payer.ts'

export interface TestPayments {
  deps: Deps
  projectId: string
  databaseUrl: string
  logs: string[]
  env: Record<string, string>
  /** Opens the service again, like another process on the same database. */
  replica: () => Promise<Deps>
}

export async function startPayments(
  env: Record<string, string> = {},
  existing?: { databaseUrl: string },
): Promise<TestPayments> {
  const lent = existing ? null : await lendDatabase()
  const databaseUrl = existing?.databaseUrl ?? lent!.database.url
  const dataDir = await mkdtemp(path.join(tmpdir(), 'pazar-payments-'))
  const logs: string[] = []
  const opened: Deps[] = []

  const settings = {
    NODE_ENV: 'test',
    ...(existing ? { DATABASE_URL: databaseUrl } : toDatabaseEnv(databaseUrl)),
    DATA_DIR: dataDir,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    RATE_LIMITS: 'off',
    ...env,
  }

  async function start(connections?: Connections): Promise<Deps> {
    const config = parseConfig(settings)
    const log = createLogger('debug', { out: { write: (line) => logs.push(line) } })
    const deps = await wire(config, {
      databaseUrl: config.databaseUrl!,
      log,
      ...(connections && { connections }),
    })
    opened.push(deps)
    return deps
  }

  const deps = await start(lent?.connections)
  after(async () => {
    for (const one of opened) await one.db.close()
    await lent?.giveBack()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    deps,
    projectId: (await addPayProject(deps)).id,
    databaseUrl,
    logs,
    env: settings,
    replica: () => start(),
  }
}

export function newOrder(projectId: string, fields: Partial<Order> = {}): Order {
  return {
    attemptId: randomUUID(),
    projectId,
    mode: 'live',
    amount: 1500n,
    currency: 'EUR',
    scale: 2,
    customId: null,
    data: null,
    ...fields,
  }
}

export async function requirePayment(db: Queryable, id: string): Promise<Payment> {
  const payment = await findPayment(db, id)
  if (!payment) throw new Error(`There is no transaction ${id}.`)
  return payment
}

export async function countIncidents(db: Queryable, kind: string, subject: string): Promise<number> {
  return (await rows(db, 'select from incidents where kind = $1 and subject = $2', [kind, subject])).length
}

export interface CallbackRow {
  id: string
  transaction_id: string
  result: string
  status: string
  payload: Record<string, unknown>
}

export async function listCharges(
  db: Queryable,
  customId: string,
): Promise<{ status: string; amount: bigint }[]> {
  const sql = `select c.status, c.amount from sandbox_charges c join transactions t on t.id = c.id
    where t.custom_id = $1 order by c.id`
  return rows(db, sql, [customId])
}

export async function listCallbacks(db: Queryable, transactionId: string): Promise<CallbackRow[]> {
  return rows<CallbackRow>(db, 'select * from callback_states where transaction_id = $1', [transactionId])
}

export async function makeLookupsDue(db: Queryable): Promise<void> {
  await rows(db, 'update transactions set next_check_at = now() where next_check_at is not null')
}

export async function refillQuotas(db: Queryable): Promise<void> {
  await rows(db, "update lookup_budgets set refilled_at = now() - interval '1 hour'")
}

/** Runs the reconciler without pauses until no payment is open, in at most `rounds` rounds. */
export async function resolveOpenPayments(deps: Deps, rounds = 5): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await makeLookupsDue(deps.db)
    do await refillQuotas(deps.db)
    while ((await reconcileOnce(deps)) > 0)
    const open = await rows(
      deps.db,
      "select from transactions where state in ('processing', 'requires_action')",
    )
    if (open.length === 0) return
  }
}

export interface RecordedStatements {
  deps: Deps
  /** The names of the statements that were sent, in order. A `*` marks those inside a transaction. */
  statements: string[]
  /** Counts the transactions that began. A statement outside a transaction counts as a transaction too. */
  commits(): number
}

/** The same dependencies, with a database that records its statements. `around` can delay a statement or make it fail. */
export function recordStatements(
  deps: Deps,
  around: <T>(name: string, run: () => Promise<T>) => Promise<T> = (_name, run) => run(),
): RecordedStatements {
  const statements: string[] = []
  let transactions = 0
  const toRecordingQuery = (queryable: Queryable, suffix: string): Queryable['query'] => {
    return <Row extends object>(statement: Statement, values?: readonly unknown[]) => {
      statements.push(statement.name + suffix)
      return around(statement.name, () => queryable.query<Row>(statement, values))
    }
  }
  const realDb = deps.db
  const db: Deps['db'] = {
    ...realDb,
    query: toRecordingQuery(realDb, ''),
    transaction: (work) =>
      realDb.transaction((tx) => {
        transactions += 1
        return work({ ...tx, query: toRecordingQuery(tx, '*') })
      }),
  }
  return {
    deps: { ...deps, db },
    statements,
    commits: () => transactions + statements.filter((name) => !name.endsWith('*')).length,
  }
}

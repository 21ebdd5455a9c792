// The way to PostgreSQL: prepared statements by name, short transactions, and one place that tells
// "the database cannot answer now" apart from a fault of ours.
import pg from 'pg'
import { ServiceError } from '../lib/service-error.ts'
import { createSignals } from './signals.ts'
import type { Signals } from './signals.ts'

export interface Statement {
  readonly name: string
  readonly text: string
}

/** Either the pool or an open transaction: stores do not care which. */
export interface Queryable {
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

export type Tx = Queryable & { readonly inTransaction: true }

export interface Db extends Queryable {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A connection of its own, for locks that live as long as the connection. */
  connect(): Promise<pg.PoolClient>
  /** Notes to and from other processes on the same database. */
  signals: Signals
  close(): Promise<void>
  /** How many statements were sent so far; tests assert work with it. */
  statementCount(): number
}

/** A statement is prepared once per connection under its name, so the name must be unique to its text. */
export function statement(name: string, text: string): Statement {
  return { name, text }
}

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)

/** A waiting request holds a socket and a payer's patience: rather 503 with Retry-After than a long queue. */
const TIMEOUTS = {
  connectionTimeoutMillis: 3_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
}

/**
 * A statement is planned once per connection and its plan is kept. Planned on the empty tables of a new installation it
 * would read whole tables, and go on doing so while they fill. Everything we ask for has its index, so other ways to it
 * are not considered.
 */
const PLANNING = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'

const TRIES_MAX = 5
/** Deadlock and serialization failure: PostgreSQL rolled back and says the same work may well succeed. */
const RETRYABLE = new Set(['40001', '40P01'])

/** Waited too long: for a lock, for its own end, in a transaction. */
const HELD_UP = new Set(['55P03', '57014', '25P03'])
const UNAVAILABLE_SQLSTATE = /^(08|53|57P0[123])/
const UNAVAILABLE_ERRNO = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT'])

function toCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function toDbError(error: unknown): unknown {
  const code = toCode(error)
  const text = error instanceof Error ? error.message : ''
  const lost =
    UNAVAILABLE_SQLSTATE.test(code) ||
    UNAVAILABLE_ERRNO.has(code) ||
    RETRYABLE.has(code) ||
    HELD_UP.has(code) ||
    /Connection terminated|timeout exceeded when trying to connect|not queryable|after calling end/i.test(
      text,
    )
  if (!lost) return error
  return new ServiceError('unavailable', { retryAfterSec: 2, log: `database: ${code || text}`, cause: error })
}

/** The database itself is away, as opposed to one statement that waited too long or was rolled back. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false
  const code = toCode(error.cause)
  return !RETRYABLE.has(code) && !HELD_UP.has(code)
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    toCode(error) === '23505' &&
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === constraint
  )
}

export function openDb(url: string, options: { poolMax?: number; onError: (error: Error) => void }): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolMax ?? 16,
    types,
    options: PLANNING,
    ...TIMEOUTS,
  })
  // An orderly close also ends connections under the pool; that is no news.
  pool.on('error', (error) => (closing ? undefined : options.onError(error)))
  const signals = createSignals(url, options.onError)
  let statements = 0
  let closing: Promise<void> | undefined

  async function run<Row extends object>(
    on: pg.Pool | pg.PoolClient,
    what: Statement,
    values: readonly unknown[],
  ) {
    statements += 1
    const result = await on.query<Row>({ name: what.name, text: what.text, values: [...values] })
    return result.rows
  }

  async function transactionOnce<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    const lost: { error?: Error } = {}
    const onLost = (error: Error) => {
      lost.error = error
    }
    // Without a listener a connection that dies between two statements would end the process.
    client.on('error', onLost)
    try {
      await client.query('begin')
      const result = await work({
        inTransaction: true,
        query: <Row extends object>(what: Statement, values: readonly unknown[] = []) =>
          run<Row>(client, what, values),
      })
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((failed: Error) => {
        lost.error = failed
      })
      throw error
    } finally {
      client.off('error', onLost)
      client.release(lost.error)
    }
  }

  /** A statement on its own is a transaction of its own, so both may simply be run again. */
  async function retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (RETRYABLE.has(toCode(error)) && tries < TRIES_MAX) continue
        throw toDbError(error)
      }
    }
  }

  return {
    query: <Row extends object>(what: Statement, values: readonly unknown[] = []) =>
      retrying(() => run<Row>(pool, what, values)),
    transaction: (work) => retrying(() => transactionOnce(work)),
    connect: () => pool.connect(),
    signals,
    close: () => (closing ??= Promise.all([signals.close(), pool.end()]).then(() => undefined)),
    statementCount: () => statements,
  }
}

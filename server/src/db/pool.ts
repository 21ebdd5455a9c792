// The way to PostgreSQL: prepared statements by name, short transactions, and one place that tells
// "the database cannot answer now" apart from a fault of ours.
import pg from 'pg'
import { ServiceError } from '../lib/service-error.ts'
import type { Connection } from './connection.ts'
import { ConnectionLostError, NoConnectionError, toConnectionOptions } from './connection.ts'
import { openConnections } from './connections.ts'
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
  /** Notes to and from other processes on the same database. */
  signals: Signals
  close(): Promise<void>
  /** How many statements were sent so far; tests assert work with it. */
  statementCount(): number
  /** Whether a write failed a moment ago for a reason that reading does not show: a full disk, a commit that hangs. */
  hadTroubleLately(): boolean
}

/** A statement is prepared once per connection under its name, so the name must be unique to its text. */
export function statement(name: string, text: string): Statement {
  return { name, text }
}

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)

/** Beside the deadlines of this side, which are longer: a server that is well gives a statement up by itself. */
const SESSION_TIMEOUTS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
}

export const QUERY_TIMEOUT_MS = 7_000

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
/** The server is a standby, or a primary that has handed over. */
const READ_ONLY = '25006'
/** It cannot write now: out of disk, memory or connections, or its disk fails. */
const NO_ROOM = /^(53|58030)/
/** After these the server ends the connection, or stands on the wrong host. */
const LOST = /^(08|57P0\d|25006|25P0[34])/

/** After these a connection serves on; after any other it is closed, because what it has prepared may be out of date. */
const EXPECTED = /^(22|23|40|53|55|57014|58030)/

/** How long a process stays unready after a write that no other check would show to fail: some probes of a balancer. */
const TROUBLE_MS = 10_000

function toCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function toDbError(error: unknown): unknown {
  const code = toCode(error)
  const isUnavailable =
    error instanceof ConnectionLostError ||
    LOST.test(code) ||
    NO_ROOM.test(code) ||
    RETRYABLE.has(code) ||
    HELD_UP.has(code)
  if (!isUnavailable) return error
  const log = `database: ${code || (error instanceof Error ? error.message : 'lost')}`
  return new ServiceError('unavailable', { retryAfterSec: 2, log, cause: error })
}

/** The database itself is away, as opposed to one statement that waited too long or was rolled back. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false
  const code = toCode(error.cause)
  return !RETRYABLE.has(code) && !HELD_UP.has(code)
}

/** What was asked may have been carried out although nobody heard of it: to ask again must then change nothing. */
export function isOutcomeUnknown(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error
  return cause instanceof ConnectionLostError && !(cause instanceof NoConnectionError)
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    toCode(error) === '23505' &&
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === constraint
  )
}

async function commitOn<T>(connection: Connection, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  try {
    await connection.ask('begin', timeoutMs)
    const result = await work()
    await connection.ask('commit', timeoutMs)
    return result
  } catch (error) {
    // Never after a missed deadline: the commit may be on its way.
    if (!connection.isLost)
      await connection.ask('rollback', timeoutMs).catch(() => connection.destroy('a rollback failed'))
    throw error
  }
}

export interface DbOptions {
  poolMax?: number
  /** How long anything may take on a connection before that connection is destroyed. */
  queryTimeoutMs?: number
  onError: (error: Error) => void
}

export function openDb(url: string, options: DbOptions): Db {
  const { queryTimeoutMs = QUERY_TIMEOUT_MS } = options
  const connections = openConnections(
    {
      ...toConnectionOptions(url),
      types,
      options: PLANNING,
      ...SESSION_TIMEOUTS,
      max: options.poolMax ?? 16,
    },
    // An orderly close also ends connections under the pool; that is no news.
    (error) => (closing ? undefined : options.onError(error)),
  )
  const signals = createSignals(url, options.onError)
  let statements = 0
  let closing: Promise<void> | undefined
  let troubleMs = -Infinity

  async function run<Row extends object>(on: Connection, what: Statement, values: readonly unknown[]) {
    statements += 1
    const query = { name: what.name, text: what.text, values: [...values] }
    return (await on.ask<Row>(query, queryTimeoutMs)).rows
  }

  const commit = <T>(connection: Connection, work: (tx: Tx) => Promise<T>) =>
    commitOn(connection, queryTimeoutMs, () =>
      work({ inTransaction: true, query: (what, values = []) => run(connection, what, values) }),
    )

  async function useConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await connections.take()
    try {
      return await work(connection)
    } catch (error) {
      const code = toCode(error)
      const isFirstMiss = connection.missedDeadline && connections.isCurrent(connection)
      if (error instanceof pg.DatabaseError && !EXPECTED.test(code))
        connection.destroy(`the server said ${code}`)
      if (isFirstMiss || NO_ROOM.test(code)) troubleMs = performance.now()
      // Those opened before stand on the same silent or former host.
      if (isFirstMiss || code === READ_ONLY) connections.retireAll()
      throw error
    } finally {
      connections.giveBack(connection)
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
      retrying(() => useConnection((connection) => run<Row>(connection, what, values))),
    transaction: (work) => retrying(() => useConnection((connection) => commit(connection, work))),
    signals,
    close: () => (closing ??= Promise.all([signals.close(), connections.close()]).then(() => undefined)),
    statementCount: () => statements,
    hadTroubleLately: () => performance.now() - troubleMs < TROUBLE_MS,
  }
}

// Runs prepared statements and transactions on PostgreSQL. If the database is unavailable, the error is a ServiceError
// with the code `unavailable`.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { QUERY_TIMEOUT_MS } from '../config/storage.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Connection } from './connection.ts'
import { ConnectionLostError, NoConnectionError } from './connection.ts'
import { openConnections } from './connections.ts'
import type { Connections } from './connections.ts'
import { createSignals } from './signals.ts'
import type { Signals } from './signals.ts'

export interface Statement {
  readonly name: string
  readonly text: string
  /** Set if the server should not keep the statement. */
  readonly isUnprepared?: boolean
}

export interface Queryable {
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

export type Tx = Queryable & { readonly inTransaction: true }

export interface Db extends Queryable {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  signals: Signals
  /**
   * The name of a database session that stays open while this process runs. As long as other processes find a session
   * with this name, they know that this process runs.
   */
  sessionName: string
  close(): Promise<void>
  /** How many statements were sent so far; for tests. */
  statementCount(): number
  countConnections(): { busy: number; idle: number; waiting: number }
  /**
   * Whether a statement failed recently because the server could not write or did not respond in time. Later reads may
   * still succeed.
   */
  hadWriteFailure(): boolean
}

/** A statement is prepared once per connection under its name, so the name must be unique to its text. */
export function statement(name: string, text: string): Statement {
  return { name, text }
}

const ATTEMPTS_MAX = 5
/** Deadlock and serialization failure: PostgreSQL rolled back, and a retry may succeed. */
const RETRYABLE_CODES = new Set(['40001', '40P01'])

/** Timeouts of the server: lock, statement, idle transaction. */
const SERVER_TIMEOUTS = new Set(['55P03', '57014', '25P03'])
/** The server is a standby, or a former primary. */
const READ_ONLY_CODE = '25006'
/** The server cannot write now: it is out of disk, memory or connections, or its disk fails. */
const CANNOT_WRITE_CODES = /^(53|58030)/
/** The connection failed. The server, or a pooler in front of it, reports these codes. */
const CONNECTION_CODES = /^08/
/** Our tables or our rights to use them are missing, for example because a backup is not restored completely yet. */
const NOT_RESTORED_CODES = new Set(['42P01', '42501'])
/** After these codes the server closes the connection, or the connection leads to the wrong host. */
const LOST_CODES = /^(08|57P0\d|25006|25P0[34])/

/**
 * After an error with one of these codes, the connection is used again. After any other error of the server it is closed,
 * because it may be lost or its prepared statements may be outdated.
 */
const HARMLESS_CODES = /^(22|23|40|53|55|57014|58030)/

/** How long after a failed write a process reports that it is not ready, so that a load balancer notices. */
const WRITE_FAILURE_MS = 10_000

function toCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function toDbError(error: unknown): unknown {
  const code = toCode(error)
  const isUnavailable =
    error instanceof ConnectionLostError ||
    LOST_CODES.test(code) ||
    CANNOT_WRITE_CODES.test(code) ||
    NOT_RESTORED_CODES.has(code) ||
    RETRYABLE_CODES.has(code) ||
    SERVER_TIMEOUTS.has(code)
  if (!isUnavailable) return error
  const log = `database: ${code || (error instanceof Error ? error.message : 'lost')}`
  return new ServiceError('unavailable', { retryAfterSec: 2, log, cause: error })
}

/** True if the database itself is unavailable. False if the server only cancelled or rolled back one statement. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false
  const code = toCode(error.cause)
  return !RETRYABLE_CODES.has(code) && !SERVER_TIMEOUTS.has(code)
}

/** True if the statement may have been executed. The caller may repeat it only if a second execution does no harm. */
export function isOutcomeUnknown(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error
  if (cause instanceof NoConnectionError) return false
  // A pooler that has lost its server responds with one of CONNECTION_CODES, even in the middle of a commit.
  return cause instanceof ConnectionLostError || CONNECTION_CODES.test(toCode(cause))
}

function violates(error: unknown, code: string, constraint: string): boolean {
  return (
    toCode(error) === code &&
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === constraint
  )
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return violates(error, '23505', constraint)
}

/** True if the row to which `column` refers does not exist or was deleted. */
export function isDeletedReference(error: unknown, column: string): boolean {
  const constraint = error instanceof Error && 'constraint' in error ? String(error.constraint) : ''
  return toCode(error) === '23503' && constraint.endsWith(`_${column}_fkey`)
}

export function isCheckViolation(error: unknown, constraint: string): boolean {
  return violates(error, '23514', constraint)
}

async function runInTransaction<T>(
  connection: Connection,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T> {
  try {
    // The isolation level is named, because the database may have another default. With a stricter level, a statement
    // after a lock would not see what others committed while the transaction waited for the lock.
    await connection.run('begin isolation level read committed', timeoutMs)
    const result = await work()
    await connection.run('commit', timeoutMs)
    return result
  } catch (error) {
    // A lost connection cannot send a rollback. If it was lost during the commit, the commit may still happen.
    if (!connection.isLost)
      await connection.run('rollback', timeoutMs).catch(() => connection.destroy('a rollback failed'))
    throw error
  }
}

export const SESSION_NAME_PREFIX = 'pazar:'

export interface DbOptions {
  /** Behind a pooler in transaction mode: the address of the server itself, for work that needs a session. */
  directUrl?: string | null
  poolMax?: number
  /** A pool to use instead of a new one. Only tests set this. */
  connections?: Connections
  queryTimeoutMs?: number
  onError: (error: Error) => void
}

export function openDb(url: string, options: DbOptions): Db {
  const { queryTimeoutMs = QUERY_TIMEOUT_MS, directUrl = null } = options
  const isPooled = directUrl !== null
  const connections =
    options.connections ??
    // An orderly close also ends connections of the pool, and that is not an error.
    openConnections(url, { ...options, onError: (error) => (closing ? undefined : options.onError(error)) })
  const sessionName = `${SESSION_NAME_PREFIX}${randomUUID()}`
  const signals = createSignals(directUrl ?? url, options.onError, undefined, sessionName)
  let statements = 0
  let closing: Promise<void> | undefined
  let writeFailedMs = -Infinity

  async function run<Row extends object>(
    connection: Connection,
    prepared: Statement,
    values: readonly unknown[],
  ) {
    statements += 1
    const { name, text, isUnprepared = false } = prepared
    // Behind a pooler, the next transaction may run in a session in which no statement has this name.
    const isNamed = !isPooled && !isUnprepared
    const query = isNamed ? { name, text, values: [...values] } : { text, values: [...values] }
    return (await connection.run<Row>(query, queryTimeoutMs)).rows
  }

  const commit = <T>(connection: Connection, work: (tx: Tx) => Promise<T>) =>
    runInTransaction(connection, queryTimeoutMs, () =>
      work({ inTransaction: true, query: (prepared, values = []) => run(connection, prepared, values) }),
    )

  async function useConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await connections.acquire()
    try {
      return await work(connection)
    } catch (error) {
      const code = toCode(error)
      const isFirstMiss = connection.hasMissedDeadline && connections.isCurrent(connection)
      if (error instanceof pg.DatabaseError && !HARMLESS_CODES.test(code))
        connection.destroy(`the server reported ${code}`)
      if (isFirstMiss || CANNOT_WRITE_CODES.test(code)) writeFailedMs = performance.now()
      // The connections opened so far lead to the same host, which is lost or no longer the primary.
      if (isFirstMiss || code === READ_ONLY_CODE) connections.retireAll()
      throw error
    } finally {
      connections.release(connection)
    }
  }

  /** Repeats work that PostgreSQL rolled back because of a deadlock or a serialization failure. */
  async function withRetries<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        if (RETRYABLE_CODES.has(toCode(error)) && attempt < ATTEMPTS_MAX) continue
        throw toDbError(error)
      }
    }
  }

  return {
    query: <Row extends object>(prepared: Statement, values: readonly unknown[] = []) =>
      withRetries(() => useConnection((connection) => run<Row>(connection, prepared, values))),
    transaction: (work) => withRetries(() => useConnection((connection) => commit(connection, work))),
    signals,
    sessionName,
    close: () => (closing ??= Promise.all([signals.close(), connections.close()]).then(() => undefined)),
    statementCount: () => statements,
    countConnections: () => connections.countUse(),
    hadWriteFailure: () => performance.now() - writeFailedMs < WRITE_FAILURE_MS,
  }
}

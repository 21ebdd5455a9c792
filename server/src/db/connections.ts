// When one connection shows that the host is lost or read-only, all open connections are retired. Otherwise each connection
// would first have to fail on its own.
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { startRunningTimer } from '../lib/running-timer.ts'
import { Connection, CONNECT_TIMEOUT_MS, NoConnectionError, toConnectionOptions } from './connection.ts'
import { createSlots } from './slots.ts'
import type { Slot } from './slots.ts'
import { SESSION_OPTIONS, SESSION_TIMEOUTS_MS } from './session-settings.ts'

type PooledConnection = Connection & pg.PoolClient

export interface Connections {
  acquire(): Promise<Connection>
  release(connection: Connection): void
  /** Whether the connection was opened after connections were last retired. */
  isCurrent(connection: Connection): boolean
  /** Open connections are not used again, but those in use may finish their work. */
  retireAll(): void
  countUse(): { busy: number; idle: number; waiting: number }
  close(): Promise<void>
}

export interface ConnectionsOptions {
  directUrl?: string | null
  poolMax?: number
  onError: (error: Error) => void
}

export const POOL_MAX = 16

/** The server refuses a connection because a limit of the server, of the role or of the database is reached. */
const TOO_MANY_CONNECTIONS = '53300'
/**
 * After a refused login, the pool avoids new logins for this long. Each refused login costs the server a process and
 * a line in its log.
 */
const RETRY_LOGIN_MS = 2_000

const isRefused = (error: unknown) =>
  error instanceof NoConnectionError &&
  error.cause instanceof pg.DatabaseError &&
  error.cause.code === TOO_MANY_CONNECTIONS

/**
 * Parameters of the URL replace the settings of the driver, so our settings are added to the URL. If an option occurs
 * twice, the last one counts.
 */
function addSessionSettings(url: string): string {
  const complete = new URL(url)
  const { searchParams } = complete
  searchParams.set('options', [searchParams.get('options') ?? '', SESSION_OPTIONS].join(' ').trim())
  for (const [name, maxMs] of Object.entries(SESSION_TIMEOUTS_MS)) searchParams.set(name, String(maxMs))
  return complete.href
}

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, BigInt)

// Why this is long: short functions that share the pool.
export function openConnections(
  url: string,
  { directUrl = null, poolMax = POOL_MAX, onError }: ConnectionsOptions,
): Connections {
  const isPooled = directUrl !== null
  const pool = new pg.Pool({
    // A pooler refuses our session settings, so behind a pooler the role must have these settings (pooler.ts).
    ...toConnectionOptions(isPooled ? url : addSessionSettings(url)),
    types,
    max: poolMax,
    Client: Connection,
  })
  const generations = new WeakMap<object, number>()
  const idle = new Set<Connection>()
  const busy = new Set<Connection>()
  let generation = 0
  pool.on('error', onError)
  pool.on('connect', (client) => void generations.set(client, generation))
  pool.on('acquire', (client) => {
    idle.delete(client as PooledConnection)
    busy.add(client as PooledConnection)
  })
  pool.on('release', (_error, client) => {
    busy.delete(client as PooledConnection)
    idle.add(client as PooledConnection)
  })
  pool.on('remove', (client) => void idle.delete(client as PooledConnection))

  // Callers wait here for a slot, so they never wait inside the pool.
  const slots = createSlots(poolMax)
  let refusedMs = -Infinity
  let isClosed = false

  const isCurrent = (connection: Connection) => generations.get(connection) === generation

  /** The caller has a slot. If the server refuses a new connection, the caller waits until an open connection is free. */
  async function checkOut(slot: Slot): Promise<Connection> {
    let wasRefused = false
    for (;;) {
      try {
        const connection = await connect()
        if (!connection.isLost && isCurrent(connection)) return connection
        checkIn(connection)
      } catch (error) {
        // How many other connections the caller can wait for. After the caller's first refusal, logins in progress count
        // too. After a later refusal only open connections count. Otherwise callers would wait for each other's logins,
        // although the server refuses all of them.
        const others = wasRefused ? busy.size + pool.idleCount : pool.totalCount
        if (!isRefused(error) || others === 0) {
          slots.setMax(poolMax)
          slots.free()
          throw error
        }
        wasRefused = true
        refusedMs = performance.now()
        slots.setMax(others)
        await slot.retake()
      }
    }
  }

  async function connect(): Promise<Connection> {
    if (isClosed) throw new NoConnectionError('the connections are closed')
    const connection = (await pool.connect().catch((error: unknown) => {
      throw new NoConnectionError(error instanceof Error ? error.message : 'unknown', { cause: error })
    })) as PooledConnection
    // A pooler may repeat an outdated report that the server is read-only.
    if (!connection.isReadOnly || isPooled) return connection
    retireAll()
    checkIn(connection)
    throw new NoConnectionError('the server is read-only')
  }

  function checkIn(connection: Connection): void {
    const isGood = !connection.isLost && isCurrent(connection)
    if (!isGood) connection.destroy('retired')
    ;(connection as PooledConnection).release(!isGood)
  }

  function release(connection: Connection): void {
    checkIn(connection)
    slots.free()
  }

  function retireAll(): void {
    generation += 1
    for (const connection of idle) connection.destroy('retired: another connection found the host gone')
  }

  return {
    async acquire() {
      if (performance.now() - refusedMs >= RETRY_LOGIN_MS) slots.setMax(poolMax)
      const slot = slots.take()
      const opened = slot.taken.then(() => checkOut(slot))
      const { promise: timedOut, reject } = Promise.withResolvers<never>()
      const stopTimer = startRunningTimer(CONNECT_TIMEOUT_MS, () => {
        const error = new NoConnectionError(`no connection within ${CONNECT_TIMEOUT_MS} ms`)
        slot.cancel(error)
        // If the login finishes later, the next caller gets the connection.
        opened.then(release, () => undefined)
        reject(error)
      })
      return Promise.race([opened, timedOut]).finally(stopTimer)
    },
    release,
    isCurrent,
    retireAll,
    countUse: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: slots.countWaiting(),
    }),
    async close() {
      isClosed = true
      // The pool hands out an idle connection only in the next tick, and never after `pool.end()`. So close() waits first.
      await setImmediate()
      await pool.end()
    },
  }
}

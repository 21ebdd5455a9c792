// One connection to PostgreSQL. A host that stops responding does not close its sockets, so every statement has a deadline
// at which the socket is destroyed. No cancel or rollback is sent: neither would make the outcome certain, because a
// commit that was already sent may still happen.
import pg from 'pg'
import { startRunningTimer } from '../lib/running-timer.ts'

/** A reachable server accepts a connection within milliseconds, and a payer may be waiting. */
export const CONNECT_TIMEOUT_MS = 3_000
/** The default of the operating system would keep dead connections open for two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000

/** The connection is lost. The current statement may still have been executed. */
export class ConnectionLostError extends Error {}

/** There was no usable connection, so nothing was executed. */
export class NoConnectionError extends ConnectionLostError {}

export interface ConnectionOptions extends pg.ClientConfig {
  /** Replaces `connectionTimeoutMillis`, which also counts the time during which this process was paused. */
  connectTimeoutMs?: number
}

export function toConnectionOptions(url: string, connectTimeoutMs = CONNECT_TIMEOUT_MS): ConnectionOptions {
  return {
    connectionString: url,
    connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  }
}

function toLostError(error: unknown): ConnectionLostError {
  return new ConnectionLostError(error instanceof Error ? error.message : 'unknown', { cause: error })
}

/** Whether the login and the statements reach the same process of the database server. False behind a pooler. */
export async function isSameSession(client: Connection, timeoutMs: number): Promise<boolean> {
  const { rows } = await client.run<{ pid: number }>('select pg_backend_pid() as pid', timeoutMs)
  const loginPid = 'processID' in client && typeof client.processID === 'number' ? client.processID : null
  return loginPid === null || loginPid === rows[0]!.pid
}

/** Settings that the server reports when a connection is opened and when they change. */
const READ_ONLY_SETTINGS = ['in_hot_standby', 'default_transaction_read_only']

type OnConnected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

export class Connection extends pg.Client {
  isLost = false
  hasMissedDeadline = false
  readonly #readOnlyBy = new Set<string>()
  readonly #connectTimeoutMs: number

  constructor(options?: ConnectionOptions) {
    super(options)
    this.#connectTimeoutMs = options?.connectTimeoutMs ?? CONNECT_TIMEOUT_MS
    const onLost = () => {
      this.isLost = true
    }
    // Without a listener, a connection that breaks between two statements would end the process.
    this.on('error', onLost)
    this.on('end', onLost)
    this.connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) => {
      if (!READ_ONLY_SETTINGS.includes(status.parameterName)) return
      if (status.parameterValue === 'on') this.#readOnlyBy.add(status.parameterName)
      else this.#readOnlyBy.delete(status.parameterName)
    })
  }

  /** The server is a standby, or a primary that was set read-only. */
  get isReadOnly(): boolean {
    return this.#readOnlyBy.size > 0
  }

  override connect(): Promise<pg.Client>
  override connect(callback: OnConnected): void
  override connect(callback?: OnConnected): Promise<pg.Client> | void {
    const ms = this.#connectTimeoutMs
    const stopTimer = startRunningTimer(ms, () => {
      const error = new Error(`no login to the database within ${ms} ms`)
      // Some operator commands show only the code of an error.
      this.connection.stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
    })
    this.connection.once('readyForQuery', stopTimer)
    this.connection.once('end', stopTimer)
    return callback ? super.connect(callback) : super.connect()
  }

  /** Closes the socket and sends nothing; the current statement is rejected. */
  destroy(reason: string): void {
    this.isLost = true
    this.connection.stream.destroy(new Error(reason))
  }

  async run<Row extends object>(
    query: string | pg.QueryConfig,
    timeoutMs: number,
  ): Promise<pg.QueryResult<Row>> {
    const stopTimer = startRunningTimer(timeoutMs, () => {
      this.hasMissedDeadline = true
      this.destroy(`no response from the database within ${timeoutMs} ms`)
    })
    try {
      return await this.query<Row>(query)
    } catch (error) {
      // An error reported by the server says more than the closed connection after it.
      throw this.isLost && !(error instanceof pg.DatabaseError) ? toLostError(error) : error
    } finally {
      stopTimer()
    }
  }
}

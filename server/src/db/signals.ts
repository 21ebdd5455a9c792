// Notifications between processes, by LISTEN and NOTIFY on a separate connection. Notifications get lost when the connection
// breaks, so after a reconnect listeners are called with null. Nothing may depend on notifications.
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, toConnectionOptions } from './connection.ts'

/** `null`: notifications may have been missed until now, so poll once. */
export type Listener = (payload: string | null) => void

export interface Signals {
  listen(channel: string, listener: Listener): () => void
  /**
   * Sends a notification with the name. While a notification is being sent, further calls wait. They are then sent as one
   * notification for each channel, which lists their names. The list is empty if a name is missing or not allowed, or if
   * there are too many names.
   */
  notify(channel: string, name?: string): void
  close(): Promise<void>
}

/** A server that restarts is back within seconds. Longer pauses would only add latency. */
const RECONNECT_AFTER_MS = 500
/**
 * A host that stopped responding is detected by a periodic query. The sum of these two times is about how long
 * notifications may be missed after a failover.
 */
const PING_EVERY_MS = 4_000
const RESPONSE_TIMEOUT_MS = 5_000

/** With names of 100 characters, this stays below PostgreSQL's limit of 8,000 bytes per notification. */
const NAMES_MAX = 64
const NAME = /^[\w -]{1,100}$/

function toNotification(names: ReadonlySet<string>): string {
  const isListed = names.size <= NAMES_MAX && [...names].every((name) => NAME.test(name))
  return isListed ? [...names].join() : ''
}

export interface SignalTimes {
  pingEveryMs: number
  timeoutMs: number
}

const DEFAULT_TIMES: SignalTimes = { pingEveryMs: PING_EVERY_MS, timeoutMs: RESPONSE_TIMEOUT_MS }

interface SignalConnection {
  /** If the server does not respond in time, the promise is rejected and the connection is closed. */
  run(sql: string): Promise<unknown>
  client: Connection
  channels: Set<string>
  gone: Promise<void>
  drop: (error?: Error) => void
  close(): void
}

function createConnection(
  url: string,
  times: SignalTimes,
  onError: (error: Error) => void,
): SignalConnection {
  const client = new Connection(toConnectionOptions(url))
  const gone = Promise.withResolvers<void>()
  let isClosed = false
  const drop = (error?: Error) => {
    // If close() has interrupted a statement, its error is not reported.
    if (error !== undefined && !isClosed) onError(error)
    gone.resolve()
  }
  const run = (sql: string) => client.run(sql, times.timeoutMs)
  const pingLater = () =>
    setTimeout(() => void run('select 1').then(() => (ping = pingLater()), drop), times.pingEveryMs)
  let ping = pingLater()
  client.on('end', () => drop())
  client.on('error', drop)
  return {
    run,
    client,
    channels: new Set(),
    gone: gone.promise,
    drop,
    close() {
      isClosed = true
      clearTimeout(ping)
      client.off('error', drop)
      // An orderly close would wait for a host that does not respond.
      client.destroy('no longer needed')
      gone.resolve()
    },
  }
}

// Why this is long: short functions that share the state of one connection.
export function createSignals(
  url: string,
  onError: (error: Error) => void,
  times: SignalTimes = DEFAULT_TIMES,
  sessionName?: string,
): Signals {
  const listeners = new Map<string, Set<Listener>>()
  const toNotify = new Map<string, Set<string>>()
  const stopping = new AbortController()
  let current: SignalConnection | null = null
  let connecting: SignalConnection | null = null
  let running: Promise<void> | null = null
  let isSending = false

  const dispatch = (channel: string, payload: string | null) => {
    for (const listener of listeners.get(channel) ?? []) listener(payload)
  }

  async function serve(): Promise<void> {
    const connection = createConnection(url, times, onError)
    connecting = connection
    connection.client.on('notification', ({ channel, payload }) => dispatch(channel, payload ?? ''))
    try {
      await connection.client.connect()
      // The name is not an option of the connection, because the URL could override an option.
      if (sessionName !== undefined) await connection.run(`set application_name = '${sessionName}'`)
      for (const channel of listeners.keys()) {
        await connection.run(`listen ${channel}`)
        connection.channels.add(channel)
      }
      current = connection
      for (const channel of connection.channels) dispatch(channel, null)
      void send()
      await connection.gone
    } finally {
      current = null
      connection.close()
    }
  }

  async function keepServing(): Promise<void> {
    while (!stopping.signal.aborted) {
      await serve().catch((error: Error) => {
        // close() also ends a connection that is being made, and that is not an error.
        if (!stopping.signal.aborted) onError(error)
      })
      await sleep(RECONNECT_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => {
        // Only close() ends the pause early, and the loop's condition checks that.
      })
    }
  }

  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    for (const [channel, names] of toNotify) {
      if (current === null) break
      toNotify.delete(channel)
      await current.run(`notify ${channel}, '${toNotification(names)}'`).catch(current.drop)
    }
    isSending = false
  }

  /** For a listener that was added after the connection was made. */
  async function listenOn(connection: SignalConnection, channel: string, listener: Listener): Promise<void> {
    try {
      if (!connection.channels.has(channel)) await connection.run(`listen ${channel}`)
      connection.channels.add(channel)
      listener(null)
    } catch (error) {
      connection.drop(error instanceof Error ? error : new Error('LISTEN failed'))
    }
  }

  function ensureRunning(channel: string): void {
    if (!/^[a-z_]{1,60}$/.test(channel)) throw new TypeError(`${channel} is not a valid channel name`)
    if (!stopping.signal.aborted) running ??= keepServing()
  }

  return {
    listen(channel, listener) {
      ensureRunning(channel)
      const channelListeners = listeners.get(channel) ?? new Set()
      listeners.set(channel, channelListeners.add(listener))
      if (current) void listenOn(current, channel, listener)
      return () => channelListeners.delete(listener)
    },
    notify(channel, name = '') {
      ensureRunning(channel)
      toNotify.set(channel, (toNotify.get(channel) ?? new Set()).add(name))
      void send()
    },
    async close() {
      stopping.abort()
      connecting?.close()
      await running
    },
  }
}

// Notes between processes, by LISTEN and NOTIFY, on one connection of their own that is opened at the first use and
// mended when it breaks. A note may get lost; whoever listens is then told that something may have been missed, and
// nothing may depend on notes for more than speed.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** `null`: notes may have been missed until now, so look for yourself once. */
export type Hear = (note: string | null) => void

export interface Signals {
  /** Returns how to stop listening. */
  listen(channel: string, hear: Hear): () => void
  /** Sends an empty note. Calls made while one is on its way are answered by a single further one. */
  notify(channel: string): void
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 3_000
/** A server that restarts is back within seconds; longer pauses would only be felt as latency. */
const RECONNECT_AFTER_MS = 500
/** A connection that died without a word (a firewall, a pulled cable) is found out by asking. */
const PING_EVERY_MS = 30_000
const ANSWER_TIMEOUT_MS = 10_000
const GOODBYE_TIMEOUT_MS = 1_000

interface Line {
  client: pg.Client
  /** Channels that are listened to on this connection. */
  heard: Set<string>
  /** Resolves when the connection is no use any more, for whatever reason. */
  gone: Promise<void>
  drop: (error?: Error) => void
  close(): Promise<void>
}

/** A connection that is not yet connected; whoever made it closes it, however far it got. */
function createLine(url: string, onError: (error: Error) => void): Line {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  })
  const gone = Promise.withResolvers<void>()
  const drop = (error?: Error) => {
    if (error !== undefined) onError(error)
    gone.resolve()
  }
  client.on('end', () => drop())
  client.on('error', drop)
  const ping = setInterval(() => void client.query('select 1').catch(drop), PING_EVERY_MS)
  return {
    client,
    heard: new Set(),
    gone: gone.promise,
    drop,
    async close() {
      clearInterval(ping)
      // A connection that died without a word never confirms its end.
      await Promise.race([client.end().catch(onError), sleep(GOODBYE_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

export function createSignals(url: string, onError: (error: Error) => void): Signals {
  const hearers = new Map<string, Set<Hear>>()
  const wanted = new Set<string>()
  const stopping = new AbortController()
  /** The connection once it is ready. */
  let line: Line | null = null
  let connecting: Line | null = null
  let running: Promise<void> | null = null
  let isSending = false

  const tell = (channel: string, note: string | null) => {
    for (const hear of hearers.get(channel) ?? []) hear(note)
  }

  /** Resolves when the connection is gone. */
  async function serve(): Promise<void> {
    const fresh = createLine(url, onError)
    connecting = fresh
    fresh.client.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''))
    try {
      await fresh.client.connect()
      for (const channel of hearers.keys()) {
        await fresh.client.query(`listen ${channel}`)
        fresh.heard.add(channel)
      }
      line = fresh
      for (const channel of fresh.heard) tell(channel, null)
      void send()
      await fresh.gone
    } finally {
      line = null
      await fresh.close()
    }
  }

  async function keepServing(): Promise<void> {
    while (!stopping.signal.aborted) {
      await serve().catch(onError)
      await sleep(RECONNECT_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => {
        // Only close() ends the pause early, and the loop's condition sees that.
      })
    }
  }

  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    for (const channel of wanted) {
      if (line === null) break
      wanted.delete(channel)
      await line.client.query(`notify ${channel}`).catch(line.drop)
    }
    isSending = false
  }

  /** A listener that comes later than the connection. */
  async function hearOn(on: Line, channel: string, hear: Hear): Promise<void> {
    try {
      if (!on.heard.has(channel)) await on.client.query(`listen ${channel}`)
      on.heard.add(channel)
      hear(null)
    } catch (error) {
      on.drop(error instanceof Error ? error : new Error('LISTEN failed'))
    }
  }

  function requireRunning(channel: string): void {
    if (!/^[a-z_]{1,60}$/.test(channel)) throw new TypeError(`${channel} is no channel's name`)
    if (!stopping.signal.aborted) running ??= keepServing()
  }

  return {
    listen(channel, hear) {
      requireRunning(channel)
      const known = hearers.get(channel) ?? new Set()
      hearers.set(channel, known.add(hear))
      if (line) void hearOn(line, channel, hear)
      return () => known.delete(hear)
    },
    notify(channel) {
      requireRunning(channel)
      wanted.add(channel)
      void send()
    },
    async close() {
      stopping.abort()
      connecting?.drop()
      await running
    },
  }
}

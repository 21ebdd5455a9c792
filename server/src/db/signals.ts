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
  drop: (error: unknown) => void
  /** Channels that are listened to on this connection. */
  heard: Set<string>
}

export function createSignals(url: string, onError: (error: Error) => void): Signals {
  const hearers = new Map<string, Set<Hear>>()
  const wanted = new Set<string>()
  const stopping = new AbortController()
  let line: Line | null = null
  let running: Promise<void> | null = null
  let isSending = false

  const tell = (channel: string, note: string | null) => {
    for (const hear of hearers.get(channel) ?? []) hear(note)
  }

  /** Resolves when the connection is gone, for whatever reason. */
  async function serve(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    })
    const gone = Promise.withResolvers<void>()
    const served = new AbortController()
    const drop = (error: unknown) => {
      onError(toError(error))
      gone.resolve()
    }
    stopping.signal.addEventListener('abort', () => gone.resolve(), { once: true, signal: served.signal })
    fresh.on('end', gone.resolve)
    fresh.on('error', drop)
    fresh.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''))
    const ping = setInterval(() => void fresh.query('select 1').catch(drop), PING_EVERY_MS)
    try {
      await fresh.connect()
      for (const channel of hearers.keys()) await fresh.query(`listen ${channel}`)
      line = { client: fresh, drop, heard: new Set(hearers.keys()) }
      for (const channel of hearers.keys()) tell(channel, null)
      void send()
      await gone.promise
    } finally {
      clearInterval(ping)
      served.abort()
      line = null
      // A connection that died without a word never confirms its end.
      await Promise.race([fresh.end().catch(onError), sleep(GOODBYE_TIMEOUT_MS, undefined, { ref: false })])
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
      on.drop(error)
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
      wanted.add(channel)
      requireRunning(channel)
      void send()
    },
    async close() {
      stopping.abort()
      await running
    },
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

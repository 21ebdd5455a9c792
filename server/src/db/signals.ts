// Notes between processes, by LISTEN and NOTIFY, on one connection of their own that is opened at the first use and
// mended when it breaks. A note may get lost; whoever listens is then told that something may have been missed, and
// nothing may depend on notes for more than speed.
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, toConnectionOptions } from './connection.ts'

/** `null`: notes may have been missed until now, so look for yourself once. */
export type Hear = (note: string | null) => void

export interface Signals {
  /** Returns how to stop listening. */
  listen(channel: string, hear: Hear): () => void
  /** Sends an empty note. Calls made while one is on its way are answered by a single further one. */
  notify(channel: string): void
  close(): Promise<void>
}

/** A server that restarts is back within seconds; longer pauses would only be felt as latency. */
const RECONNECT_AFTER_MS = 500
/**
 * A connection to a host that went silent is found out by asking. Both together are how long notes may be missed after
 * another host has come to that address.
 */
const PING_EVERY_MS = 4_000
const ANSWER_TIMEOUT_MS = 5_000

export interface SignalTimes {
  pingEveryMs: number
  timeoutMs: number
}

const TIMES: SignalTimes = { pingEveryMs: PING_EVERY_MS, timeoutMs: ANSWER_TIMEOUT_MS }

interface Line {
  /** Rejects, and the connection is no use any more, when the server does not answer in time. */
  ask(what: string): Promise<unknown>
  client: Connection
  /** Channels that are listened to on this connection. */
  heard: Set<string>
  /** Resolves when the connection is no use any more, for whatever reason. */
  gone: Promise<void>
  drop: (error?: Error) => void
  close(): void
}

/** A connection that is not yet connected; serve() closes it, however far it got. */
function createLine(url: string, times: SignalTimes, onError: (error: Error) => void): Line {
  const client = new Connection(toConnectionOptions(url))
  const gone = Promise.withResolvers<void>()
  const drop = (error?: Error) => {
    if (error !== undefined) onError(error)
    gone.resolve()
  }
  const ask = (what: string) => client.ask(what, times.timeoutMs)
  const pingLater = () =>
    setTimeout(() => void ask('select 1').then(() => (ping = pingLater()), drop), times.pingEveryMs)
  let ping = pingLater()
  client.on('end', () => drop())
  client.on('error', drop)
  return {
    ask,
    client,
    heard: new Set(),
    gone: gone.promise,
    drop,
    close() {
      clearTimeout(ping)
      client.off('error', drop)
      // Without a goodbye, which a silent host would never confirm.
      client.destroy('no longer needed')
      gone.resolve()
    },
  }
}

export function createSignals(
  url: string,
  onError: (error: Error) => void,
  times: SignalTimes = TIMES,
): Signals {
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
    const fresh = createLine(url, times, onError)
    connecting = fresh
    fresh.client.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''))
    try {
      await fresh.client.connect()
      for (const channel of hearers.keys()) {
        await fresh.ask(`listen ${channel}`)
        fresh.heard.add(channel)
      }
      line = fresh
      for (const channel of fresh.heard) tell(channel, null)
      void send()
      await fresh.gone
    } finally {
      line = null
      fresh.close()
    }
  }

  async function keepServing(): Promise<void> {
    while (!stopping.signal.aborted) {
      await serve().catch((error: Error) => {
        // Closing cuts off a connection that is being made; that is no news.
        if (!stopping.signal.aborted) onError(error)
      })
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
      await line.ask(`notify ${channel}`).catch(line.drop)
    }
    isSending = false
  }

  /** A listener that comes later than the connection. */
  async function hearOn(on: Line, channel: string, hear: Hear): Promise<void> {
    try {
      if (!on.heard.has(channel)) await on.ask(`listen ${channel}`)
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
      connecting?.close()
      await running
    },
  }
}

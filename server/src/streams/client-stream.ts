// Sends the events of a project to one client, in order, and disconnects a client that reads too slowly. After a
// reconnect some events may be repeated.
import type { ServerResponse } from 'node:http'
import type { AccountId } from '../accounts/account.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import type { CallbackEvent, OpenStream } from './events-store.ts'
import { findEvents, findIdsSince } from './events-store.ts'
import { signRequest } from '../callbacks/sign-request.ts'

/** A client that does not read is disconnected before it uses much memory. */
const UNREAD_BYTES_MAX = 1024 * 1024
/** How many sent events are remembered, so that an event that comes in a replay and in a notification is sent only once. */
const SENT_KEYS_MAX = 1_000
/** Missed events are sent in parts of this size. Each part is well under the unread limit. */
const REPLAY_PART = 50
/** The time that a client has to read one part before it is disconnected. */
const READ_TIMEOUT_MS = 15_000
const END_TIMEOUT_MS = 1_000
/** If more notifications than this wait for their turn, the client is disconnected. */
const WAITING_MAX = 1_000

export interface StreamOptions {
  accountId: AccountId
  projectId: string
  /** The last position the client received, if it reconnects. */
  since: string | null
  /** The client is a portal page. It is not a listener, so test callbacks are still sent to the merchant. */
  isOnlyWatching: boolean
  /** When this is false, the stream ends. */
  isStillAllowed: () => Promise<boolean>
}

/** A position in a project's events: the callback sent last, or the time the client connected (database clock, in ms). */
export function parsePosition(text: unknown): string | null {
  return typeof text === 'string' && /^(?:msg_[0-9a-f]{32}|at_\d{1,15})$/.test(text) ? text : null
}

export interface EventStream extends Readonly<OpenStream> {
  send(found: Promise<readonly CallbackEvent[]>): void
  /** Sends the events that the client may have missed in the last STREAM_REPLAY_MIN minutes. */
  replay(): void
  /**
   * Sends a comment, so that proxies keep the connection open. Starts a replay if events could not be read. Ends the
   * stream if the client may no longer listen.
   */
  ping(): Promise<void>
  check(): Promise<void>
  end(): void
}

/** The text of an event: the whole signed request for listeners in test mode, otherwise ids and states. */
function toText(deps: CallbackDeps, event: CallbackEvent, isOnlyWatching: boolean): string {
  const { id, mode, status, transactionId, attempts } = event
  const states = { mode, id, transactionId, status, attempts }
  const request = mode === 'test' && !isOnlyWatching ? signRequest(deps, event) : null
  const data = request ? { ...states, headers: request.headers, body: request.body } : states
  return `event: callback\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}

export interface StreamSlot {
  id: string
  startPosition: string
}

// Why this is long: short functions that share the state of one stream.
export function startEventStream(
  deps: CallbackDeps,
  slot: StreamSlot,
  options: StreamOptions,
  out: ServerResponse,
): EventStream {
  const sent = new Set<string>()
  let position = options.since ?? slot.startPosition
  let work: Promise<unknown> = Promise.resolve()
  let waiting = 0
  /** Events could not be read. A later event would move the position past these events, so a replay must come first. */
  let hasGap = false

  function writeText(text: string): void {
    if (out.destroyed || out.writableEnded) return
    out.write(text)
    if (out.writableLength > UNREAD_BYTES_MAX) out.destroy()
  }

  function writeEvents(events: readonly CallbackEvent[]): void {
    for (const event of events) {
      const key = `${event.id} ${event.attempts}`
      if (event.projectId !== options.projectId || sent.has(key)) continue
      sent.add(key)
      if (sent.size > SENT_KEYS_MAX) sent.delete(sent.values().next().value!)
      position = event.id
      writeText(toText(deps, event, options.isOnlyWatching))
    }
  }

  /** Runs the steps one after the other. After a database error the next step is a replay. */
  function enqueue(step: () => Promise<void>): void {
    waiting += 1
    if (waiting > WAITING_MAX) out.destroy()
    work = work
      .then(step)
      .catch((error: unknown) => {
        hasGap = true
        deps.log.warn({ err: error }, 'events of a stream could not be read; the next replay sends them')
      })
      .finally(() => (waiting -= 1))
  }

  async function replay(): Promise<void> {
    if (out.destroyed) return
    const { projectId } = options
    const ids = await findIdsSince(deps.db, projectId, position)
    for (let start = 0; start < ids.length && !out.writableEnded && !out.destroyed; start += REPLAY_PART) {
      const part = ids.slice(start, start + REPLAY_PART).map((one) => ({ projectId, id: one }))
      const events = await findEvents(deps.db, part)
      // Access is checked after the events were read, so that a removed person gets no event that is newer than the removal.
      if (!(await options.isStillAllowed())) endSoon(out)
      else writeEvents(events)
      await untilRead(out)
    }
    hasGap = false
  }

  // A client that loses the connection before its first event needs a position to reconnect with. The position is sent
  // with a comment, which is not an event.
  writeText(options.since ? ': connected\n\n' : `: connected\nid: ${slot.startPosition}\n\n`)
  return {
    id: slot.id,
    accountId: options.accountId,
    projectId: options.projectId,
    send(found) {
      // The query may fail before its turn in the queue comes, and an unhandled rejection would end the process.
      found.catch(() => undefined)
      // If there is a gap, the replay also finds these events, because they are committed.
      enqueue(async () => (hasGap ? replay() : writeEvents(await found)))
    },
    replay: () => enqueue(replay),
    async ping() {
      if (!(await options.isStillAllowed())) return endSoon(out)
      writeText(': ping\n\n')
      if (hasGap) enqueue(replay)
    },
    async check() {
      if (!(await options.isStillAllowed())) endSoon(out)
    },
    end: () => endSoon(out),
  }
}

/** A client that does not read the end of the stream is disconnected. */
function endSoon(out: ServerResponse): void {
  if (out.writableEnded) return
  const timer = setTimeout(() => out.destroy(), END_TIMEOUT_MS).unref()
  out.once('close', () => clearTimeout(timer))
  out.end()
}

/** Resolves when the client has read what was written, or has disconnected. */
function untilRead(out: ServerResponse): Promise<void> {
  if (!out.writableNeedDrain || out.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => out.destroy(), READ_TIMEOUT_MS)
    const onDrained = () => {
      clearTimeout(timer)
      out.off('drain', onDrained).off('close', onDrained)
      resolve()
    }
    out.once('drain', onDrained).once('close', onDrained)
  })
}

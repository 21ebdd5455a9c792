// One reader of a project's events: what it may see, in order, each thing once, and never more than it reads.
import type { ServerResponse } from 'node:http'
import type { AccountId } from '../accounts/account.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import type { CallbackEvent, OpenStream } from './events-store.ts'
import { findEvents, findIdsSince } from './events-store.ts'
import { signRequest } from '../callbacks/sign-request.ts'

/** A reader that does not read is let go, before its share of memory is felt; it comes back and is replayed. */
const UNREAD_BYTES_MAX = 1024 * 1024
/** Enough to recognise what both a replay and a notification bring. */
const REMEMBERED_MAX = 1_000
/** What was missed is sent in parts of this size, each well under what may be unread, and as fast as it is read. */
const REPLAY_PART = 50
/** A reader gets so long for one such part; then it is let go like any that does not read. */
const READ_TIMEOUT_MS = 15_000
/** Notifications that wait behind a replay. Beyond this the reader is let go: what it missed is then replayed to it. */
const WAITING_MAX = 1_000

export interface StreamOptions {
  accountId: AccountId
  projectId: string
  /** The last position the reader received, if it comes back. */
  since: string | null
  /** A page that shows what happens: it is no listener, so test callbacks go to the merchant as if it were not there. */
  isOnlyWatching: boolean
  /** Checked at every beat: who signed out receives no more. */
  isStillAllowed: () => Promise<boolean>
}

/** A position in a project's events is the callback sent last, or the moment a reader came (the database's clock, in ms). */
export function parsePosition(text: unknown): string | null {
  return typeof text === 'string' && /^(?:msg_[0-9a-f]{32}|at_\d{1,15})$/.test(text) ? text : null
}

export interface EventStream extends Readonly<OpenStream> {
  /** What of these is its own and new to it. */
  send(found: Promise<readonly CallbackEvent[]>): void
  /** What it may have missed, as far as it can be known. */
  replay(): void
  /** Shows proxies that somebody is there, unless the reader may no longer listen. */
  beat(): Promise<void>
  end(): void
}

/** The whole signed request in test mode for those who pass it on; otherwise ids and states. */
function toText(deps: CallbackDeps, event: CallbackEvent, isOnlyWatching: boolean): string {
  const { id, mode, status, transactionId, attempts } = event
  const states = { mode, id, transactionId, status, attempts }
  const request = mode === 'test' && !isOnlyWatching ? signRequest(deps, event) : null
  const data = request ? { ...states, headers: request.headers, body: request.body } : states
  return `event: callback\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}

export interface StreamSlot {
  id: string
  /** The moment it was taken. */
  from: string
}

export function startEventStream(
  deps: CallbackDeps,
  slot: StreamSlot,
  options: StreamOptions,
  out: ServerResponse,
): EventStream {
  const sent = new Set<string>()
  let position = options.since ?? slot.from
  let work: Promise<unknown> = Promise.resolve()
  let waiting = 0

  function write(text: string): void {
    if (out.destroyed) return
    out.write(text)
    if (out.writableLength > UNREAD_BYTES_MAX) out.destroy()
  }

  function writeEvents(events: readonly CallbackEvent[]): void {
    for (const event of events) {
      const key = `${event.id} ${event.attempts}`
      if (event.projectId !== options.projectId || sent.has(key)) continue
      sent.add(key)
      if (sent.size > REMEMBERED_MAX) sent.delete(sent.values().next().value!)
      position = event.id
      write(toText(deps, event, options.isOnlyWatching))
    }
  }

  /** One after the other. A database that is away ends nothing: the next replay finds what was missed. */
  function enqueue(step: () => Promise<void>): void {
    waiting += 1
    if (waiting > WAITING_MAX) out.destroy()
    work = work
      .then(step)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'an event stream missed something'))
      .finally(() => (waiting -= 1))
  }

  async function replay(): Promise<void> {
    if (out.destroyed) return
    const { projectId } = options
    const ids = await findIdsSince(deps.db, projectId, position)
    for (let from = 0; from < ids.length && !out.destroyed; from += REPLAY_PART) {
      const part = ids.slice(from, from + REPLAY_PART).map((one) => ({ projectId, id: one }))
      writeEvents(await findEvents(deps.db, part))
      await untilRead(out)
    }
  }

  // From here on what is handed over counts as delivered, so a reader who loses the connection before the first event
  // must have something to come back with. Beside a comment: who reads events only sees nothing new.
  write(options.since ? ': connected\n\n' : `: connected\nid: ${slot.from}\n\n`)
  return {
    id: slot.id,
    accountId: options.accountId,
    projectId: options.projectId,
    send(found) {
      // It may fail while others are before it in the queue; the error is logged where it is awaited.
      found.catch(() => undefined)
      enqueue(async () => writeEvents(await found))
    },
    replay: () => enqueue(replay),
    async beat() {
      if (await options.isStillAllowed()) write(': ping\n\n')
      else out.end()
    },
    end: () => out.end(),
  }
}

/** Until the reader has taken what was written, or is gone. */
function untilRead(out: ServerResponse): Promise<void> {
  if (!out.writableNeedDrain || out.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => out.destroy(), READ_TIMEOUT_MS)
    const done = () => {
      clearTimeout(timer)
      out.off('drain', done).off('close', done)
      resolve()
    }
    out.once('drain', done).once('close', done)
  })
}

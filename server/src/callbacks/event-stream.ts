// One reader of a project's events: what it may see, in order, each thing once, and never more than it reads.
import type { ServerResponse } from 'node:http'
import type { CallbackDeps } from './deps.ts'
import type { CallbackEvent } from './events-store.ts'
import { findEventsSince, REPLAY_SEC_MAX } from './events-store.ts'
import { signRequest } from './sign-request.ts'

/** A reader that does not read is let go, before its share of memory is felt; it comes back and is replayed. */
const UNREAD_BYTES_MAX = 1024 * 1024
/** Enough to know what a reconnect and a note both tell. */
const REMEMBERED_MAX = 1_000

export interface StreamWish {
  projectId: string
  /** Whatever the reader heard last, if it comes back. */
  lastEventId: string | null
  /** Asked at every beat: whoever signed out hears no more. */
  isStillAllowed: () => Promise<boolean>
}

export interface EventStream {
  readonly id: string
  readonly projectId: string
  /** What of these is its own and new to it. */
  tell(found: Promise<readonly CallbackEvent[]>): void
  /** What it may have missed, as far as it can be known. */
  replay(): void
  /** Shows proxies that somebody is there, unless the reader may no longer listen. */
  beat(): Promise<void>
  end(): void
}

/** The whole signed request in test mode, ids and states in live mode. */
function toText(deps: CallbackDeps, event: CallbackEvent): string {
  const { id, mode, status, transactionId, attempts } = event
  const states = { mode, id, transactionId, status, attempts }
  const request = mode === 'test' ? signRequest(deps, event) : null
  const data = request ? { ...states, headers: request.headers, body: request.body } : states
  return `event: callback\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}

export function startEventStream(
  deps: CallbackDeps,
  id: string,
  wish: StreamWish,
  out: ServerResponse,
): EventStream {
  const openedMs = performance.now()
  const told = new Set<string>()
  let lastId = wish.lastEventId
  let work = Promise.resolve()

  function write(text: string): void {
    if (out.destroyed) return
    out.write(text)
    if (out.writableLength > UNREAD_BYTES_MAX) out.destroy()
  }

  function writeEvents(events: readonly CallbackEvent[]): void {
    for (const event of events) {
      const key = `${event.id} ${event.attempts}`
      if (event.projectId !== wish.projectId || told.has(key)) continue
      told.add(key)
      if (told.size > REMEMBERED_MAX) told.delete(told.values().next().value!)
      lastId = event.id
      write(toText(deps, event))
    }
  }

  /** One after the other. A database that is away ends nothing: the next replay finds what was missed. */
  function enqueue(find: () => Promise<readonly CallbackEvent[]>): void {
    work = work
      .then(async () => writeEvents(await find()))
      .catch((error: unknown) => deps.log.warn({ err: error }, 'an event stream missed something'))
  }

  write(': connected\n\n')
  return {
    id,
    projectId: wish.projectId,
    tell: (found) => enqueue(() => found),
    replay: () =>
      enqueue(() => {
        // Whoever comes for the first time hears from then on.
        const openSec = Math.min((performance.now() - openedMs) / 1000, REPLAY_SEC_MAX)
        return findEventsSince(deps.db, wish.projectId, lastId, lastId === null ? openSec : REPLAY_SEC_MAX)
      }),
    async beat() {
      if (await wish.isStillAllowed()) write(': ping\n\n')
      else out.end()
    },
    end: () => out.end(),
  }
}

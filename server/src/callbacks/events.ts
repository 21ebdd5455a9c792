// Live streams of a project's callbacks, as server-sent events. Processes tell each other ids only; each one reads what
// its own listeners may see: the whole signed request in test mode, ids and states in live mode.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountId } from '../accounts/account.ts'
import { startLoop } from '../lib/loop.ts'
import type { Loop } from '../lib/loop.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { CallbackDeps } from './deps.ts'
import type { CallbackEvent } from './events-store.ts'
import {
  closeStreams,
  findEvents,
  findEventsSince,
  keepStreams,
  openStream,
  REPLAY_SEC_MAX,
} from './events-store.ts'
import { ATTEMPTS_CHANNEL } from './flush-store.ts'
import { signRequest } from './sign-request.ts'

/** Proxies close what is silent for a minute, some for half of one. */
const BEAT_MS = 15_000
/** A reader that does not read is let go, before its share of memory is felt; it comes back and is replayed. */
const UNREAD_BYTES_MAX = 1024 * 1024
/** A database that cannot be listened to now can be soon; the beat and the replay carry on until then. */
const LISTEN_TIMEOUT_MS = 3_000
/** Enough to know what a reconnect and a note both tell. */
const REMEMBERED_MAX = 1_000

export interface StreamWish {
  accountId: AccountId
  projectId: string
  /** Whatever the reader heard last, if it comes back. */
  lastEventId: string | null
  /** Asked at every beat: whoever signed out hears no more. */
  isStillAllowed: () => Promise<boolean>
}

interface Stream extends StreamWish {
  id: string
  out: ServerResponse
  openedMs: number
  told: Set<string>
  /** What is being written, one after the other. */
  work: Promise<void>
}

export interface EventStreams {
  /** Takes a seat, or refuses; the answer's head is the caller's, what follows is written here. */
  reserve(wish: StreamWish): Promise<{ start(out: ServerResponse): void }>
  close(): Promise<void>
}

export function createEventStreams(deps: CallbackDeps): EventStreams {
  const streams = new Map<string, Stream>()
  let listening: { isReady: Promise<void>; stop: () => void } | null = null
  let beat: Loop | null = null

  function toText(event: CallbackEvent): string {
    const { id, mode, status, transactionId, attempts } = event
    const states = { mode, id, transactionId, status, attempts }
    const request = mode === 'test' ? signRequest(deps, event) : null
    const data = request ? { ...states, headers: request.headers, body: request.body } : states
    return `event: callback\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
  }

  function tell(stream: Stream, events: readonly CallbackEvent[]): void {
    for (const event of events) {
      const key = `${event.id} ${event.attempts}`
      if (event.projectId !== stream.projectId || stream.told.has(key)) continue
      stream.told.add(key)
      if (stream.told.size > REMEMBERED_MAX) stream.told.delete(stream.told.values().next().value!)
      write(stream, toText(event))
    }
  }

  function write(stream: Stream, text: string): void {
    if (stream.out.destroyed) return
    stream.out.write(text)
    if (stream.out.writableLength > UNREAD_BYTES_MAX) stream.out.destroy()
  }

  /** In order, and without an end of the process when the database is away: the next replay finds what is missed. */
  function enqueue(stream: Stream, work: () => Promise<void>): void {
    stream.work = stream.work
      .then(work)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'an event stream missed something'))
  }

  function hear(note: string | null): void {
    const all = [...streams.values()]
    if (note === null) {
      for (const one of all) enqueue(one, () => replay(one))
      return
    }
    const projects = new Set(all.map((one) => one.projectId))
    const wanted = toEntries(note).filter((one) => projects.has(one.projectId))
    if (wanted.length === 0) return
    const found = findEvents(deps.db, wanted)
    for (const one of all) enqueue(one, async () => tell(one, await found))
  }

  async function replay(stream: Stream): Promise<void> {
    const last = [...stream.told].at(-1)?.split(' ')[0] ?? stream.lastEventId
    // Whoever comes for the first time hears from then on.
    const openSec = (performance.now() - stream.openedMs) / 1000
    const ageSec = last === null ? Math.min(openSec, REPLAY_SEC_MAX) : REPLAY_SEC_MAX
    tell(stream, await findEventsSince(deps.db, stream.projectId, last, ageSec))
  }

  async function keepAlive(): Promise<void> {
    if (streams.size === 0) return
    for (const stream of streams.values()) {
      if (await stream.isStillAllowed()) write(stream, ': ping\n\n')
      else stream.out.end()
    }
    await keepStreams(deps.db, [...streams.keys()])
  }

  /** Nobody is told "connected" before notes can be heard: what is sent right after that must arrive. */
  function listen(): Promise<void> {
    if (listening) return listening.isReady
    const ready = Promise.withResolvers<void>()
    const stop = deps.db.signals.listen(ATTEMPTS_CHANNEL, (note) => {
      if (note === null) ready.resolve()
      hear(note)
    })
    listening = { isReady: ready.promise, stop }
    return ready.promise
  }

  function start(stream: Stream): void {
    streams.set(stream.id, stream)
    stream.out.once('close', () => {
      if (streams.delete(stream.id)) void signOff([stream.id])
    })
    if (stream.out.destroyed) stream.out.emit('close')
    write(stream, ': connected\n\n')
    beat ??= startLoop({
      pollMs: BEAT_MS,
      onError: (error) => deps.log.warn({ err: error }, 'event streams could not be kept alive'),
      step: async () => {
        await keepAlive()
        return false
      },
    })
    enqueue(stream, () => replay(stream))
  }

  async function signOff(ids: readonly string[]): Promise<void> {
    await closeStreams(deps.db, ids).catch((error: unknown) => {
      // They run out by themselves; until then they take seats of their accounts.
      deps.log.warn({ err: error }, 'event streams were not signed off')
    })
  }

  return {
    async reserve(wish) {
      const id = randomUUID()
      if (!(await openStream(deps.db, { id, ...wish }))) {
        throw new ServiceError('rate_limited', {
          retryAfterSec: 15,
          log: 'all event streams of the account are taken',
        })
      }
      await Promise.race([listen(), sleep(LISTEN_TIMEOUT_MS, undefined, { ref: false })])
      return {
        start: (out) =>
          start({ ...wish, id, out, openedMs: performance.now(), told: new Set(), work: Promise.resolve() }),
      }
    },
    async close() {
      listening?.stop()
      await beat?.stop()
      const open = [...streams.values()]
      streams.clear()
      for (const { out } of open) out.end()
      if (open.length > 0) await signOff(open.map((one) => one.id))
    },
  }
}

/** `project id attempt status`, and a comma between two. */
export function toEntries(note: string): { projectId: string; id: string; status: string }[] {
  if (note === '') return []
  return note.split(',').map((entry) => {
    const [projectId = '', id = '', , status = ''] = entry.split(' ')
    return { projectId, id, status }
  })
}

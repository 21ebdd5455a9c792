// Live streams of projects' callbacks, as server-sent events, over all processes. They tell each other ids only, on one
// connection per process; each process reads what its own listeners may see.
import { STREAM_PING_EVERY_MS } from '@pazar/contract'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountId } from '../accounts/account.ts'
import { startLoop } from '../lib/loop.ts'
import type { Loop } from '../lib/loop.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { startEventStream } from './event-stream.ts'
import type { EventStream, Seat, StreamWish } from './event-stream.ts'
import { closeStreams, findEvents, findPosition, keepStreams, openStream } from './events-store.ts'
import { ATTEMPTS_CHANNEL, toEntries } from '../callbacks/attempts-channel.ts'

/** A database that cannot be listened to now can be soon; the beat and the replay carry on until then. */
const LISTEN_TIMEOUT_MS = 3_000

/** Tabs of one account on one process. They cost a connection and no more: no row, no seat of a listener. */
const WATCHERS_PER_ACCOUNT_MAX = 20

export interface EventStreams {
  /** Takes a seat, or refuses; the answer's head is the caller's, what follows is written here. */
  reserve(wish: StreamWish): Promise<{ start(out: ServerResponse): void }>
  close(): Promise<void>
}

export function createEventStreams(deps: CallbackDeps): EventStreams {
  const streams = new Map<string, EventStream>()
  const watchers = new Map<string, AccountId>()
  let listening: { isReady: Promise<void>; stop: () => void } | null = null
  let beat: Loop | null = null

  function hear(note: string | null): void {
    const all = [...streams.values()]
    if (note === null) {
      for (const stream of all) stream.replay()
      return
    }
    const projects = new Set(all.map((stream) => stream.projectId))
    const wanted = toEntries(note).filter((one) => projects.has(one.projectId))
    if (wanted.length === 0) return
    const found = findEvents(deps.db, wanted)
    for (const stream of all) stream.tell(found)
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

  async function keepAlive(): Promise<boolean> {
    for (const stream of streams.values()) await stream.beat()
    const listeners = [...streams.values()].filter(({ id }) => !watchers.has(id))
    if (listeners.length > 0) await keepStreams(deps.db, listeners)
    return false
  }

  function start(seat: Seat, wish: StreamWish, out: ServerResponse): void {
    const { id } = seat
    const stream = startEventStream(deps, seat, wish, out)
    streams.set(id, stream)
    const onClose = () => {
      const isListener = !watchers.delete(id)
      if (streams.delete(id) && isListener) void signOff(deps, [id])
    }
    out.once('close', onClose)
    if (out.destroyed) onClose()
    beat ??= startLoop({
      pollMs: STREAM_PING_EVERY_MS,
      onError: (error) => deps.log.warn({ err: error }, 'event streams could not be kept alive'),
      step: keepAlive,
    })
    stream.replay()
  }

  async function takeSeat(id: string, wish: StreamWish): Promise<string | null> {
    if (!wish.isOnlyWatching) return openStream(deps.db, { id, ...wish })
    const watching = [...watchers.values()].filter((accountId) => accountId === wish.accountId).length
    if (watching >= WATCHERS_PER_ACCOUNT_MAX) return null
    watchers.set(id, wish.accountId)
    try {
      return await findPosition(deps.db)
    } catch (error) {
      watchers.delete(id)
      throw error
    }
  }

  return {
    async reserve(wish) {
      const id = randomUUID()
      const from = await takeSeat(id, wish)
      if (from === null) {
        const log = 'all event streams of the account are taken'
        throw new ServiceError('rate_limited', { retryAfterSec: 15, log })
      }
      await Promise.race([listen(), sleep(LISTEN_TIMEOUT_MS, undefined, { ref: false })])
      return { start: (out) => start({ id, from }, wish, out) }
    },
    async close() {
      listening?.stop()
      await beat?.stop()
      const open = [...streams.values()]
      streams.clear()
      for (const stream of open) stream.end()
      if (open.length > 0)
        await signOff(
          deps,
          open.map((stream) => stream.id),
        )
    },
  }
}

async function signOff(deps: CallbackDeps, ids: readonly string[]): Promise<void> {
  await closeStreams(deps.db, ids).catch((error: unknown) => {
    // They run out by themselves; until then they take seats of their accounts.
    deps.log.warn({ err: error }, 'event streams were not signed off')
  })
}

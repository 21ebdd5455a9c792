// Streams of projects' callbacks as server-sent events. Processes notify each other of ids and states, and each process
// reads the events for its own clients.
import { STREAM_ACCESS_CHECK_EVERY_MS, STREAM_PING_EVERY_MS } from '@pazar/contract'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountId } from '../accounts/account.ts'
import { startLoop } from '../lib/loop.ts'
import type { Loop } from '../lib/loop.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { startEventStream } from './client-stream.ts'
import type { EventStream, StreamSlot, StreamOptions } from './client-stream.ts'
import { closeStreams, findEvents, findPosition, renewStreams, openStream } from './events-store.ts'
import { ATTEMPTS_CHANNEL, parseNotification } from '../callbacks/attempts-channel.ts'
import { ACCESS_CHANNEL, findWithoutAccess } from '../projects/members-store.ts'

/** A stream starts after this time even if notifications cannot be received yet. A replay sends what was missed. */
const LISTEN_TIMEOUT_MS = 3_000

/** How many watching portal tabs one account may have on one process. A tab takes no stream slot. */
const WATCHERS_PER_ACCOUNT_MAX = 20

export interface EventStreams {
  /** Reserves a place for a stream, or refuses. The caller writes the response head; `start` writes the rest. */
  reserve(options: StreamOptions): Promise<{ start(out: ServerResponse): void }>
  close(): Promise<void>
}

// Why this is long: short functions that share the list of open streams.
export function createEventStreams(deps: CallbackDeps): EventStreams {
  const streams = new Map<string, EventStream>()
  const watchers = new Map<string, AccountId>()
  let listening: { isReady: Promise<void>; stop: () => void } | null = null
  let pings: Loop | null = null
  let accessChecks: Loop | null = null
  let isClosed = false

  function onNotification(notification: string | null): void {
    const all = [...streams.values()]
    if (notification === null) {
      for (const stream of all) stream.replay()
      return
    }
    const projects = new Set(all.map((stream) => stream.projectId))
    const ownEvents = parseNotification(notification).filter((one) => projects.has(one.projectId))
    if (ownEvents.length === 0) return
    const notified = new Set(ownEvents.map(({ projectId }) => projectId))
    const readers = all.filter(({ projectId }) => notified.has(projectId))
    // Access is checked after the events were read, so that a removed person gets no event that is newer
    // than the removal.
    const found = findEvents(deps.db, ownEvents).then(async (events) => {
      await endWithoutAccess(readers)
      return events
    })
    for (const stream of readers) stream.send(found)
  }

  async function endWithoutAccess(candidates: readonly EventStream[]): Promise<void> {
    if (candidates.length === 0) return
    const lost = await findWithoutAccess(deps.db, candidates)
    for (const stream of candidates) if (lost.has(`${stream.projectId} ${stream.accountId}`)) stream.end()
  }

  /** If `notification` is null, notifications were lost, so any account may have lost its access. */
  function onAccessChange(notification: string | null): void {
    for (const stream of streams.values())
      if (notification === null || notification === `${stream.projectId} ${stream.accountId}`)
        checkStream(stream)
  }

  function checkStream(stream: EventStream): void {
    stream.check().catch((error: unknown) => {
      // The next ping checks again.
      deps.log.warn({ err: error }, 'access to an event stream could not be checked')
    })
  }

  /** Resolves when notifications can be received. */
  function listen(): Promise<void> {
    if (listening) return listening.isReady
    const ready = Promise.withResolvers<void>()
    const stop = deps.db.signals.listen(ATTEMPTS_CHANNEL, (notification) => {
      if (notification === null) ready.resolve()
      onNotification(notification)
    })
    const stopAccess = deps.db.signals.listen(ACCESS_CHANNEL, onAccessChange)
    listening = {
      isReady: ready.promise,
      stop: () => {
        stop()
        stopAccess()
      },
    }
    return ready.promise
  }

  async function keepAlive(): Promise<void> {
    for (const stream of streams.values()) await stream.ping()
    const listeners = [...streams.values()].filter(({ id }) => !watchers.has(id))
    if (listeners.length === 0) return
    await renewStreams(deps.db, listeners)
    // A stream may have been closed meanwhile. The renewal has inserted its row again, so that row is deleted.
    const closedIds = listeners.map(({ id }) => id).filter((id) => !streams.has(id))
    if (closedIds.length > 0) await deleteStreams(deps, closedIds)
  }

  function startStream(slot: StreamSlot, options: StreamOptions, out: ServerResponse): void {
    const { id } = slot
    const stream = startEventStream(deps, slot, options, out)
    streams.set(id, stream)
    const onClose = () => {
      const isListener = !watchers.delete(id)
      if (streams.delete(id) && isListener) void deleteStreams(deps, [id])
    }
    out.once('close', onClose)
    if (out.destroyed) onClose()
    // If the service has begun to stop after the slot was reserved, an open stream would keep the service running.
    if (isClosed) return stream.end()
    // Access is checked regularly too, because a notification may get lost.
    accessChecks ??= startLoop({
      pollMs: STREAM_ACCESS_CHECK_EVERY_MS,
      onError: (error) => deps.log.warn({ err: error }, 'access to event streams could not be checked'),
      step: () => endWithoutAccess([...streams.values()]),
    })
    pings ??= startLoop({
      pollMs: STREAM_PING_EVERY_MS,
      onError: (error) => deps.log.warn({ err: error }, 'event streams could not be renewed'),
      step: keepAlive,
    })
    stream.replay()
    // Access may have ended after the guard's check and before this stream was added to `streams`.
    checkStream(stream)
  }

  async function reserveSlot(id: string, options: StreamOptions): Promise<string | null> {
    if (!options.isOnlyWatching) return openStream(deps.db, { id, ...options })
    const watching = [...watchers.values()].filter((accountId) => accountId === options.accountId).length
    if (watching >= WATCHERS_PER_ACCOUNT_MAX) return null
    watchers.set(id, options.accountId)
    try {
      return await findPosition(deps.db)
    } catch (error) {
      watchers.delete(id)
      throw error
    }
  }

  return {
    async reserve(options) {
      const id = randomUUID()
      const startPosition = await reserveSlot(id, options)
      if (startPosition === null) {
        const log = 'the account has reached its limit of event streams'
        throw new ServiceError('rate_limited', { retryAfterSec: 15, log })
      }
      await Promise.race([listen(), sleep(LISTEN_TIMEOUT_MS, undefined, { ref: false })])
      return { start: (out) => startStream({ id, startPosition }, options, out) }
    },
    async close() {
      isClosed = true
      listening?.stop()
      await Promise.all([pings?.stop(), accessChecks?.stop()])
      const open = [...streams.values()]
      streams.clear()
      for (const stream of open) stream.end()
      if (open.length > 0)
        await deleteStreams(
          deps,
          open.map((stream) => stream.id),
        )
    },
  }
}

async function deleteStreams(deps: CallbackDeps, ids: readonly string[]): Promise<void> {
  await closeStreams(deps.db, ids).catch((error: unknown) => {
    // The streams expire later. Until then they count towards the limit of their accounts.
    deps.log.warn({ err: error }, 'closed event streams could not be deleted')
  })
}

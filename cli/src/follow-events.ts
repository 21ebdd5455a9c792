// A project's callbacks as they happen, for as long as wanted: the stream is opened again whenever it ends, from the last
// position heard, and no event is told twice. The service tells a position as soon as it has let us in: from then on it
// counts callbacks as handed over.
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from './cli-error.ts'
import type { Api } from './api.ts'
import { cutEvents } from './server-sent-events.ts'
import type { SentEvent } from './server-sent-events.ts'

/** As the contract has it; headers and body only in test mode. */
export interface CallbackEvent {
  readonly id: string
  readonly mode: 'live' | 'test'
  readonly transactionId: string | null
  readonly status: string
  readonly attempts: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Followed =
  | { readonly kind: 'open' }
  | { readonly kind: 'callback'; readonly event: CallbackEvent }
  /** `why` is null where the stream simply ended. */
  | { readonly kind: 'lost'; readonly waitMs: number; readonly why: CliError | null }

export interface FollowTimes {
  /** After the first loss; doubled with each further one. */
  readonly firstWaitMs: number
  readonly waitMaxMs: number
  /** Three of the service's beats: a connection as silent as that is dead, though nobody said so. */
  readonly silenceMaxMs: number
}

const TIMES: FollowTimes = { firstWaitMs: 1_000, waitMaxMs: 30_000, silenceMaxMs: 45_000 }
// The replay and a live event may tell the same thing; the service itself remembers as many.
const REMEMBERED_MAX = 1_000

export async function* followEvents(
  open: { readonly api: Api; readonly path: string; readonly signal: AbortSignal },
  times: FollowTimes = TIMES,
): AsyncGenerator<Followed> {
  const told = new Set<string>()
  let lastId: string | null = null
  let losses = 0
  let hasOpened = false
  while (!open.signal.aborted) {
    const watch = watchSilence(open.signal, times.silenceMaxMs)
    let waitMs = toWait(losses, times)
    let why: CliError | null = null
    try {
      const response = await open.api.openStream(open.path, lastId, watch.signal)
      losses = 0
      hasOpened = true
      yield { kind: 'open' }
      for await (const sent of readStream(response, () => watch.beat())) {
        lastId = sent.id ?? lastId
        const event = toCallback(sent)
        if (event === null) continue
        const key = `${event.id} ${event.attempts}`
        if (told.has(key)) continue
        told.add(key)
        if (told.size > REMEMBERED_MAX) told.delete(told.values().next().value!)
        yield { kind: 'callback', event }
      }
    } catch (error) {
      if (isFinal(error, hasOpened)) throw error
      why = error instanceof CliError ? error : null
      waitMs = Math.max(waitMs, (why?.facts.retryAfterSec ?? 0) * 1000)
    } finally {
      watch.stop()
    }
    if (open.signal.aborted) return
    losses += 1
    yield { kind: 'lost', waitMs, why }
    await sleep(waitMs, undefined, { signal: open.signal }).catch(() => undefined) // Woken by Ctrl+C; the loop ends.
  }
}

async function* readStream(response: Response, beat: () => void): AsyncGenerator<SentEvent> {
  if (response.body === null) return
  yield* cutEvents(withBeat(response.body.pipeThrough(new TextDecoderStream()), beat))
}

function toCallback({ event, id, data }: SentEvent): CallbackEvent | null {
  if (event !== 'callback' || data === null) return null
  return { ...(JSON.parse(data) as CallbackEvent), id: id ?? '' }
}

async function* withBeat(chunks: ReadableStream<string>, beat: () => void): AsyncGenerator<string> {
  const reader = chunks.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    beat()
    yield piece.value
  }
}

function watchSilence(outer: AbortSignal, silenceMaxMs: number) {
  const silent = new AbortController()
  let timer = setTimeout(() => silent.abort(), silenceMaxMs)
  return {
    signal: AbortSignal.any([outer, silent.signal]),
    beat() {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), silenceMaxMs)
    },
    stop() {
      clearTimeout(timer)
      silent.abort()
    },
  }
}

function toWait(losses: number, { firstWaitMs, waitMaxMs }: FollowTimes): number {
  // Not all listeners of a service that restarts should come back in the same instant.
  const spread = 0.8 + Math.random() * 0.4
  return Math.round(Math.min(firstWaitMs * 2 ** losses, waitMaxMs) * spread)
}

/**
 * What no waiting mends: a token that is not let in, a project that is not there. Whoever is refused for lack of room
 * had a place before and gets it back; at the start others have all of them, and only a person can close one.
 */
function isFinal(error: unknown, hasOpened: boolean): boolean {
  if (!(error instanceof CliError)) return false
  const { status } = error.facts
  return status !== undefined && status >= 400 && status < 500 && !(status === 429 && hasOpened)
}

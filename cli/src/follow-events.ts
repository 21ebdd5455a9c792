// Follows a project's callbacks until an abort or a final error. If a stream ends, a new stream is opened.
// The new stream continues after the last event id.
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from './cli-error.ts'
import type { Api } from './api.ts'
import { splitEvents } from './server-sent-events.ts'
import type { SentEvent } from './server-sent-events.ts'

/** Only callbacks in test mode have headers and body. */
export interface CallbackEvent {
  readonly id: string
  readonly mode: 'live' | 'test'
  readonly transactionId: string | null
  readonly status: string
  readonly attempts: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type FollowStep =
  | { readonly kind: 'open' }
  | { readonly kind: 'callback'; readonly event: CallbackEvent }
  /** `cause` is the refusal or the connection error. Null if the stream ended, broke or sent no data in time. */
  | { readonly kind: 'lost'; readonly waitMs: number; readonly cause: CliError | null }

export interface FollowTimes {
  /** The first wait before a reconnect. Each failure in a row doubles it, up to `waitMaxMs`. Waits vary by 20 %. */
  readonly firstWaitMs: number
  readonly waitMaxMs: number
  /** After this long without data, the connection is closed. The service sends three pings in this time. */
  readonly silenceMaxMs: number
}

export const FOLLOW_TIMES: FollowTimes = { firstWaitMs: 1_000, waitMaxMs: 30_000, silenceMaxMs: 45_000 }
// After a reconnect, the service may send events again. The latest events are remembered, so that repeats are skipped.
const REMEMBERED_MAX = 1_000

export async function* followEvents(
  source: { readonly api: Api; readonly path: string; readonly signal: AbortSignal },
  times: FollowTimes = FOLLOW_TIMES,
): AsyncGenerator<FollowStep> {
  const returned = new Set<string>()
  let lastId: string | null = null
  let losses = 0
  let hasOpened = false
  while (!source.signal.aborted) {
    const silenceGuard = createSilenceGuard(source.signal, times.silenceMaxMs)
    let cause: CliError | null = null
    try {
      const response = await source.api.openStream(source.path, lastId, silenceGuard.signal)
      losses = 0
      hasOpened = true
      yield { kind: 'open' }
      for await (const sent of readStream(response, () => silenceGuard.onData())) {
        lastId = sent.id ?? lastId
        const event = toCallback(sent)
        if (event === null) continue
        const key = `${event.id} ${event.attempts}`
        if (returned.has(key)) continue
        returned.add(key)
        if (returned.size > REMEMBERED_MAX) returned.delete(returned.values().next().value!)
        yield { kind: 'callback', event }
      }
    } catch (error) {
      if (isFinal(error, hasOpened)) throw error
      cause = error instanceof CliError ? error : null
    } finally {
      silenceGuard.stop()
    }
    if (source.signal.aborted) return
    const waitMs = Math.max(toWait(losses, times), (cause?.facts.retryAfterSec ?? 0) * 1_000)
    losses += 1
    yield { kind: 'lost', waitMs, cause }
    await sleep(waitMs, undefined, { signal: source.signal }).catch(() => undefined) // An abort ends the loop.
  }
}

async function* readStream(response: Response, onData: () => void): AsyncGenerator<SentEvent> {
  if (response.body === null) return
  yield* splitEvents(withOnData(response.body.pipeThrough(new TextDecoderStream()), onData))
}

function toCallback({ event, id, data }: SentEvent): CallbackEvent | null {
  if (event !== 'callback' || data === null) return null
  return { ...(JSON.parse(data) as CallbackEvent), id: id ?? '' }
}

async function* withOnData(chunks: ReadableStream<string>, onData: () => void): AsyncGenerator<string> {
  const reader = chunks.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    onData()
    yield piece.value
  }
}

/** The guard's signal is aborted after `silenceMaxMs` without data, when `outer` is aborted, and by `stop`. */
function createSilenceGuard(outer: AbortSignal, silenceMaxMs: number) {
  const silenceController = new AbortController()
  let timer = setTimeout(() => silenceController.abort(), silenceMaxMs)
  return {
    signal: AbortSignal.any([outer, silenceController.signal]),
    onData() {
      clearTimeout(timer)
      timer = setTimeout(() => silenceController.abort(), silenceMaxMs)
    },
    stop() {
      clearTimeout(timer)
      silenceController.abort()
    },
  }
}

/** `losses` counts the lost connections in a row before this attempt. */
export function toWait(losses: number, { firstWaitMs, waitMaxMs }: FollowTimes): number {
  // The wait is random, so that clients do not all reconnect at the same moment.
  const spread = 0.8 + Math.random() * 0.4
  return Math.round(Math.min(firstWaitMs * 2 ** losses, waitMaxMs) * spread)
}

/**
 * Returns true if a retry is useless, for example after a refused token. Once a stream has opened, two refusals are retried.
 * One is a 429 (too many streams): the service may still count our old stream. The other is a response that is not from Pazar:
 * it may be the 404 of a proxy while the service restarts.
 */
export function isFinal(error: unknown, hasOpened: boolean): boolean {
  if (!(error instanceof CliError)) return false
  const { status, code } = error.facts
  if (hasOpened && (status === 429 || code === 'unexpected_answer')) return false
  return status !== undefined && status >= 400 && status < 500
}

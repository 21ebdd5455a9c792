// Sends spans to an OpenTelemetry collector (OTLP over HTTP, as JSON) if one is configured. No request waits for the
// collector: spans wait in a bounded queue. Spans are dropped and counted if the queue is full or the collector does not
// accept them.
import type { Trace } from './trace.ts'

export type SpanKind = 'server' | 'client'

/** Names, ids and numbers. Texts of payers or merchants are not allowed. */
export type SpanAttributes = Record<string, string | number | null>

export interface Span {
  trace: Pick<Trace, 'traceId' | 'spanId' | 'parentId'>
  name: string
  kind: SpanKind
  endedMs: number
  durationMs: number
  isError: boolean
  attributes: SpanAttributes
}

export interface Spans {
  isExported: boolean
  record(span: Span): void
  close(): Promise<void>
}

export const NO_SPANS: Spans = { isExported: false, record: () => undefined, close: async () => undefined }

/** The spans of a few busy seconds, about 2 MB. */
const QUEUE_MAX = 4_096
const BATCH_MAX = 512
const SEND_EVERY_MS = 2_000
/** A collector nearby never needs this long. */
const SEND_TIMEOUT_MS = 3_000
const KINDS: Record<SpanKind, number> = { server: 2, client: 3 }
const STATUS_ERROR = 2

export interface SpansOptions {
  /** The collector's address, to which `/v1/traces` is added. */
  endpoint: string
  resource: SpanAttributes
  onDropped: (count: number) => void
  sendEveryMs?: number
}

function toAttributes(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: toValue(value) }],
  )
}

function toValue(value: string | number): object {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

const toNanos = (ms: number) => String(BigInt(Math.round(ms * 1000)) * 1000n)

export function toOtlpSpan({ trace, name, kind, endedMs, durationMs, isError, attributes }: Span): object {
  return {
    traceId: trace.traceId,
    spanId: trace.spanId,
    ...(trace.parentId === null ? {} : { parentSpanId: trace.parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: toNanos(endedMs - durationMs),
    endTimeUnixNano: toNanos(endedMs),
    attributes: toAttributes(attributes),
    ...(isError ? { status: { code: STATUS_ERROR } } : {}),
  }
}

export function createSpans({ endpoint, resource, onDropped, sendEveryMs }: SpansOptions): Spans {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const queue: Span[] = []
  let sending: Promise<void> | null = null
  let isClosed = false

  function toBody(batch: readonly Span[]): string {
    const scopeSpans = [{ scope: { name: 'pazar' }, spans: batch.map(toOtlpSpan) }]
    return JSON.stringify({
      resourceSpans: [{ resource: { attributes: toAttributes(resource) }, scopeSpans }],
    })
  }

  async function sendBatch(batch: readonly Span[]): Promise<void> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: toBody(batch),
        redirect: 'error',
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      })
      await response.body?.cancel()
      if (!response.ok) onDropped(batch.length)
    } catch {
      // The batch is not sent again, because spans for a collector that cannot be reached must not fill the memory. A
      // metric counts the loss.
      onDropped(batch.length)
    }
  }

  /** Sends one batch at a time. After close(), it sends no further batch, because close() itself sends the last one. */
  async function sendAll(): Promise<void> {
    while (queue.length > 0 && !isClosed) await sendBatch(queue.splice(0, BATCH_MAX))
  }

  function sendUnlessSending(): Promise<void> {
    sending ??= sendAll().finally(() => (sending = null))
    return sending
  }

  const timer = setInterval(() => void sendUnlessSending(), sendEveryMs ?? SEND_EVERY_MS)
  timer.unref()
  return {
    isExported: true,
    record(span) {
      if (isClosed || queue.length >= QUEUE_MAX) return onDropped(1)
      queue.push(span)
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await sending
      // Only one more batch is sent. So if the collector does not respond, the stop waits for only one more timeout.
      const [last, rest] = [queue.splice(0, BATCH_MAX), queue.splice(0)]
      if (rest.length > 0) onDropped(rest.length)
      if (last.length > 0) await sendBatch(last)
    },
  }
}

// A trace shows which request a log line, a call to the upstream or a callback belongs to. A caller may send
// `traceparent` (W3C Trace Context) and `x-request-id`; invalid values are replaced and never logged.
import { AsyncLocalStorage } from 'node:async_hooks'
import { newRequestId } from './id.ts'

export interface Trace {
  traceId: string
  /** Identifies our own part of the trace: 16 hex digits. */
  spanId: string
  /** The caller's part. Null if the trace begins here. */
  parentId: string | null
  /** Two hex digits that are passed on unchanged. */
  flags: string
  requestId: string | null
  /** The caller sent a traceparent, or spans are exported. Only then is a `traceparent` sent to other systems. */
  isPropagated: boolean
  /** The response was sent. Work that the request started may last longer, but is not part of the trace. */
  isOver: boolean
}

type SentTrace = Pick<Trace, 'traceId' | 'flags'> & { parentId: string }

/** Later versions of traceparent may add fields, which are ignored. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/
const NEW_TRACE_FLAGS = '01'

export function parseTraceparent(value: unknown): SentTrace | null {
  const match = typeof value === 'string' ? TRACEPARENT.exec(value) : null
  if (!match) return null
  const [, version, traceId, parentId, flags, more] = match
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId!) || /^0+$/.test(parentId!)) return null
  return { traceId: traceId!, parentId: parentId!, flags: flags! }
}

/** The forms that proxies use: hex digits, a UUID or similar. */
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/

export function parseRequestId(value: unknown): string | null {
  return typeof value === 'string' && REQUEST_ID.test(value) ? value : null
}

export function startTrace(
  sent: SentTrace | null,
  isExported: boolean,
  requestId: string | null = null,
): Trace {
  return {
    traceId: sent?.traceId ?? newRequestId() + newRequestId(),
    spanId: newRequestId(),
    parentId: sent?.parentId ?? null,
    flags: sent?.flags ?? NEW_TRACE_FLAGS,
    requestId,
    isPropagated: sent !== null || isExported,
    isOver: false,
  }
}

export function toChild(trace: Trace): Trace {
  return { ...trace, parentId: trace.spanId, spanId: newRequestId() }
}

export function toTraceparent({
  traceId,
  spanId,
  flags,
}: Pick<Trace, 'traceId' | 'spanId' | 'flags'>): string {
  return `00-${traceId}-${spanId}-${flags}`
}

const traces = new AsyncLocalStorage<Trace>()

export function runInTrace<T>(trace: Trace, work: () => T): T {
  return traces.run(trace, work)
}

/** For work that a request only wakes up, such as a loop. The work does not belong to the trace of the request. */
export function runWithoutTrace<T>(work: () => T): T {
  return traces.exit(work)
}

export function findTrace(): Trace | null {
  const trace = traces.getStore()
  return trace === undefined || trace.isOver ? null : trace
}

/** The traceparent to store in a row that is sent later. Null: no trace is sent to other systems. */
export function findTraceparent(): string | null {
  const trace = findTrace()
  return trace?.isPropagated ? toTraceparent(trace) : null
}

/** For a request to a system of the operator. */
export function toTraceHeaders(trace: Trace | null): Record<string, string> {
  return {
    ...(trace?.isPropagated ? { traceparent: toTraceparent(trace) } : {}),
    ...(trace?.requestId ? { 'x-request-id': trace.requestId } : {}),
  }
}

export function toLogFields(trace: Trace | null): { reqId?: string; traceId?: string } {
  return {
    ...(trace?.requestId ? { reqId: trace.requestId } : {}),
    ...(trace?.isPropagated ? { traceId: trace.traceId } : {}),
  }
}

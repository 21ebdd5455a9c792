// Which request a line of the log, a call to the upstream or a callback belongs to. A caller may send `traceparent` (W3C Trace
// Context) and `x-request-id`; what does not have their form is replaced and never logged. While a request is served, its
// trace is found without being passed on.
import { AsyncLocalStorage } from 'node:async_hooks'
import { newRequestId } from './id.ts'

export interface Trace {
  /** 32 hex digits. */
  traceId: string
  /** Of our own part of the trace: 16 hex digits. */
  spanId: string
  /** The caller's part. Null if the trace begins here. */
  parentId: string | null
  /** Two hex digits that are passed on as they came. */
  flags: string
  /** Null outside of requests. */
  requestId: string | null
  /** The caller traces, or spans are exported: only then others get the trace. */
  isCarried: boolean
  /** The response was sent. What a request has started, such as a connection, may live much longer. */
  isOver: boolean
}

type Sent = Pick<Trace, 'traceId' | 'flags'> & { parentId: string }

/** Later versions may add fields, which are ignored. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/
const NEW_TRACE_FLAGS = '01'

export function parseTraceparent(value: unknown): Sent | null {
  const match = typeof value === 'string' ? TRACEPARENT.exec(value) : null
  if (!match) return null
  const [, version, traceId, parentId, flags, more] = match
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId!) || /^0+$/.test(parentId!)) return null
  return { traceId: traceId!, parentId: parentId!, flags: flags! }
}

/** As proxies make them: hex digits, a UUID or similar. */
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/

export function parseRequestId(value: unknown): string | null {
  return typeof value === 'string' && REQUEST_ID.test(value) ? value : null
}

/** A part that continues what was sent, or a new trace. */
export function startTrace(sent: Sent | null, isExported: boolean, requestId: string | null = null): Trace {
  return {
    traceId: sent?.traceId ?? newRequestId() + newRequestId(),
    spanId: newRequestId(),
    parentId: sent?.parentId ?? null,
    flags: sent?.flags ?? NEW_TRACE_FLAGS,
    requestId,
    isCarried: sent !== null || isExported,
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

/** For work that a request only woke up. */
export function runWithoutTrace<T>(work: () => T): T {
  return traces.exit(work)
}

export function findTrace(): Trace | null {
  const trace = traces.getStore()
  return trace === undefined || trace.isOver ? null : trace
}

/** For what is stored now and sent later by another process. Null if nobody traces. */
export function findTraceparent(): string | null {
  const trace = findTrace()
  return trace?.isCarried ? toTraceparent(trace) : null
}

/** For a request to a system of the operator. */
export function toTraceHeaders(trace: Trace | null): Record<string, string> {
  return {
    ...(trace?.isCarried ? { traceparent: toTraceparent(trace) } : {}),
    ...(trace?.requestId ? { 'x-request-id': trace.requestId } : {}),
  }
}

/** What a line of the log says about its request. */
export function toLogFields(trace: Trace | null): { reqId?: string; traceId?: string } {
  return {
    ...(trace?.requestId ? { reqId: trace.requestId } : {}),
    ...(trace?.isCarried ? { traceId: trace.traceId } : {}),
  }
}

// Runs one request to another system as a part of a trace, and records the request as a span.
import type { Clock } from './clock.ts'
import type { SpanAttributes, Spans } from './spans.ts'
import type { Trace } from './trace.ts'
import { findTrace, runInTrace, runWithoutTrace, startTrace, toChild } from './trace.ts'

export interface TracedCall<T> {
  name: string
  /** By default the current trace. Null: the work continues no trace, even if a request has caused the work. */
  parent?: Trace | null
  work: (trace: Trace | null) => Promise<T>
  toFacts: (result: { value: T } | { error: unknown }) => { isError: boolean; attributes: SpanAttributes }
}

/** If spans are not exported, none is recorded. If there is also no trace to continue, the work runs without a trace. */
export function traceCall<T>(deps: { spans: Spans; clock: Clock }, call: TracedCall<T>): Promise<T> {
  const { parent = findTrace() } = call
  if (parent === null && !deps.spans.isExported) return runWithoutTrace(() => call.work(null))
  return recordCall(deps, parent, call)
}

async function recordCall<T>(
  { spans, clock }: { spans: Spans; clock: Clock },
  parent: Trace | null,
  { name, work, toFacts }: TracedCall<T>,
): Promise<T> {
  const trace = parent === null ? startTrace(null, true) : toChild(parent)
  const startedMs = performance.now()
  const end = (result: { value: T } | { error: unknown }) => {
    if (!spans.isExported) return
    const durationMs = performance.now() - startedMs
    spans.record({ trace, name, kind: 'client', endedMs: clock.nowMs(), durationMs, ...toFacts(result) })
  }
  try {
    const value = await runInTrace(trace, () => work(trace))
    end({ value })
    return value
  } catch (error) {
    end({ error })
    throw error
  }
}

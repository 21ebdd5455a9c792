import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { systemClock } from '../lib/clock.ts'
import { newRequestId } from '../lib/id.ts'
import { markRequestLogger } from '../lib/logger.ts'
import type { Spans } from '../lib/spans.ts'
import { parseRequestId, parseTraceparent, startTrace, toLogFields } from '../lib/trace.ts'
import type { Trace } from '../lib/trace.ts'

export interface RequestTraces {
  of(raw: IncomingMessage): Trace
  toRequestId: (raw: IncomingMessage) => string
  toChildLogger: (
    logger: FastifyBaseLogger,
    bindings: object,
    options: object,
    raw: IncomingMessage,
  ) => FastifyBaseLogger
  end(req: FastifyRequest, reply: FastifyReply): void
}

export function createRequestTraces(spans: Spans): RequestTraces {
  const traces = new WeakMap<IncomingMessage, Trace>()

  function of(raw: IncomingMessage): Trace {
    const known = traces.get(raw)
    if (known) return known
    const requestId = parseRequestId(raw.headers['x-request-id']) ?? newRequestId()
    const trace = startTrace(parseTraceparent(raw.headers['traceparent']), spans.isExported, requestId)
    traces.set(raw, trace)
    return trace
  }

  return {
    of,
    toRequestId: (raw) => of(raw).requestId!,
    toChildLogger: (logger, bindings, options, raw) =>
      markRequestLogger(logger.child({ ...bindings, ...toLogFields(of(raw)) }, options)),
    end(req, reply) {
      const trace = of(req.raw)
      trace.isOver = true
      if (!spans.isExported) return
      const route = req.routeOptions.url ?? 'unknown'
      spans.record({
        trace,
        name: `${req.method} ${route}`,
        kind: 'server',
        endedMs: systemClock.nowMs(),
        durationMs: reply.elapsedTime,
        isError: reply.statusCode >= 500,
        attributes: {
          'http.request.method': req.method,
          'http.route': route,
          'http.response.status_code': reply.statusCode,
          'pazar.request_id': trace.requestId,
        },
      })
    },
  }
}

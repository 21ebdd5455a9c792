// Code must not log values of requests. If it does by mistake, texts that look like secrets are removed from each line.
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { ServiceError } from './service-error.ts'
import { scrubSecrets } from './scrub.ts'
import { findTrace, toLogFields } from './trace.ts'

export type { Logger }

interface ErrorFacts {
  type: string
  code?: string
  /** Why a ServiceError was thrown, for example what the database reported. */
  why?: string
  stack?: string
  errors?: ErrorFacts[]
}

/** PostgreSQL's error codes for invalid values. Their messages may quote the value. */
const INVALID_VALUE_CODE = /^22...$/

/**
 * A database error's `detail` and `where` quote values of rows, so they are not logged. The stack contains the message.
 * If the message may quote input, it is removed from the stack.
 */
function toErrorFacts(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error }
  const facts: ErrorFacts = { type: error.name }
  if ('code' in error && typeof error.code === 'string') facts.code = error.code
  if (error instanceof ServiceError && error.log !== null) facts.why = error.log
  const quotesInput = error instanceof SyntaxError || INVALID_VALUE_CODE.test(facts.code ?? '')
  if (error.stack) facts.stack = quotesInput ? toFrames(error.stack) : error.stack
  if (error instanceof AggregateError) facts.errors = error.errors.map(toErrorFacts)
  return facts
}

function toFrames(stack: string): string {
  return stack.slice(Math.max(0, stack.search(/\n {4}at /))).trimStart()
}

const requestLoggers = new WeakSet<object>()

/** Marks the logger of a request. Its lines already have the ids of the request, so the ids are not added again. */
export function markRequestLogger<T extends object>(logger: T): T {
  requestLoggers.add(logger)
  return logger
}

/** About 80,000 lines. If the reader of the log hangs, later lines are lost, because they would fill the memory. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024

export interface LogOptions {
  /** `writableLength`: how many bytes wait for the reader. */
  out?: { write(line: string): unknown; readonly writableLength?: number }
  base?: { role: string; host: string; version: string } | null
}

export function createLogger(level: string, { out = process.stdout, base = null }: LogOptions = {}): Logger {
  const scrubbed: DestinationStream = {
    write(line) {
      if ((out.writableLength ?? 0) < WAITING_BYTES_MAX) out.write(scrubSecrets(line))
    },
  }
  return pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toErrorFacts },
      // All loggers except those of requests add the ids of the request that is being served.
      mixin: (_fields, _level, logger) => (requestLoggers.has(logger) ? {} : toLogFields(findTrace())),
    },
    scrubbed,
  )
}

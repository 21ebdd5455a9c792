// Structured logs on one stream. Values of requests are never handed to it; the scrub behind it is the safety net.
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { scrubSecrets } from './scrub.ts'

export type { Logger }

interface ErrorFacts {
  type: string
  code?: string
  stack?: string
}

/** A database error's `detail` and `where` quote row values, so only name, code and stack are kept. */
function toErrorFacts(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error }
  const facts: ErrorFacts = { type: error.name }
  if ('code' in error && typeof error.code === 'string') facts.code = error.code
  if (error.stack) facts.stack = error.stack
  return facts
}

export function createLogger(level: string, out: { write(line: string): unknown } = process.stdout): Logger {
  const scrubbed: DestinationStream = { write: (line) => void out.write(scrubSecrets(line)) }
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toErrorFacts },
    },
    scrubbed,
  )
}

// Structured logs on one stream. Values of requests are never logged; scrubbing is only a safety net.
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { scrubSecrets } from './scrub.ts'

export type { Logger }

interface ErrorFacts {
  type: string
  code?: string
  stack?: string
}

/** PostgreSQL's class of data errors, whose messages quote the value. */
const BAD_VALUE = /^22...$/

/**
 * A database error's `detail` and `where` quote row values, so only name, code and stack are logged. The stack begins with
 * the message, which is removed where it quotes input: a value that the database refused, or text that is not JSON.
 */
function toErrorFacts(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error }
  const facts: ErrorFacts = { type: error.name }
  if ('code' in error && typeof error.code === 'string') facts.code = error.code
  const isQuoting = error instanceof SyntaxError || BAD_VALUE.test(facts.code ?? '')
  if (error.stack) facts.stack = isQuoting ? toFrames(error.stack) : error.stack
  return facts
}

function toFrames(stack: string): string {
  return stack.slice(Math.max(0, stack.search(/\n {4}at /))).trimStart()
}

export interface LogOptions {
  out?: { write(line: string): unknown }
  /** In every line: which process wrote it. */
  base?: { role: string; host: string; version: string } | null
}

export function createLogger(level: string, { out = process.stdout, base = null }: LogOptions = {}): Logger {
  const scrubbed: DestinationStream = { write: (line) => void out.write(scrubSecrets(line)) }
  return pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toErrorFacts },
    },
    scrubbed,
  )
}

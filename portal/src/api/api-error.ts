// A refusal of the service, or no answer at all, in the words of the catalogue.
import type { ErrorCode, Problem } from '@pazar/contract'
import { formatWait } from '@pazar/words'
import { locale, words } from '../app/language.ts'

export class ApiError extends Error {
  /** Null when nothing usable came back. */
  readonly problem: Problem | null
  /** When the service wants to be asked again, by this machine's clock. */
  readonly retryAtMs: number | null
  /** False when the request may never have arrived. */
  readonly isAnswered: boolean
  constructor(problem: Problem | null, retryAfterSec: number | null = null, isAnswered = problem !== null) {
    super(problem?.title ?? 'no answer')
    this.problem = problem
    this.retryAtMs = retryAfterSec === null ? null : Date.now() + retryAfterSec * 1000
    this.isAnswered = isAnswered
  }
  get code(): ErrorCode | 'offline' {
    return this.problem?.code ?? 'offline'
  }
}

/** The person closed the dialog that asked for a password: all stays as it was, and nothing has to be said. */
export class GivenUp extends Error {}

/** How long the service still wants to be left alone. */
export function toWaitMs(error: unknown): number {
  const untilMs = error instanceof ApiError ? error.retryAtMs : null
  return untilMs === null ? 0 : Math.max(0, untilMs - Date.now())
}

interface ErrorText {
  title: string
  detail: string
}

export function toErrorText(error: unknown): ErrorText {
  const { errors, waits, frame } = words()
  // What the page wanted to show was not fetched, because the person closed the dialog that asked for the password.
  if (error instanceof GivenUp) return errors.unauthenticated
  if (!(error instanceof ApiError)) return errors.internal_error
  // A proxy in front answers in its own way while the service is away.
  if (error.problem === null) return error.isAnswered ? errors.unavailable : frame.offline
  const known: Partial<Record<string, ErrorText>> = errors
  const text = known[error.problem.code] ?? errors.internal_error
  const waitMs = toWaitMs(error)
  return waitMs === 0 ? text : { ...text, detail: waits.retryIn(formatWait(locale, waitMs)) }
}

/** The sentence for each field the service found fault with. */
export function toFieldTexts(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries((error.problem?.errors ?? []).map(({ path, message }) => [path, message]))
}

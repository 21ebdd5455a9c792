// A refusal of the service, or no answer at all, in the words of the catalogue.
import type { ErrorCode, Problem } from '@pazar/contract'
import { formatWait } from '@pazar/words'
import { locale, words } from '../app/language.ts'

export class ApiError extends Error {
  /** Null when nothing usable came back. */
  readonly problem: Problem | null
  readonly retryAfterSec: number | null
  constructor(problem: Problem | null, retryAfterSec: number | null = null) {
    super(problem?.title ?? 'no answer')
    this.problem = problem
    this.retryAfterSec = retryAfterSec
  }
  get code(): ErrorCode | 'offline' {
    return this.problem?.code ?? 'offline'
  }
}

/** The person closed the dialog that asked for a password: all stays as it was, and nothing has to be said. */
export class GivenUp extends Error {}

export function toErrorText(error: unknown): { title: string; detail: string } {
  const { errors, waits, frame } = words()
  if (!(error instanceof ApiError)) return errors.internal_error
  if (error.problem === null) return frame.offline
  const text = errors[error.problem.code]
  const waitSec = error.retryAfterSec
  return waitSec === null ? text : { ...text, detail: waits.retryIn(formatWait(locale, waitSec * 1000)) }
}

/** The sentence for each field the service found fault with. */
export function toFieldTexts(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries((error.problem?.errors ?? []).map(({ path, message }) => [path, message]))
}

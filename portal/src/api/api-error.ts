// The error of a request that got an error response or no response. The catalogue has the texts of the errors.
import type { ErrorCode, Problem } from '@pazar/contract'
import { formatWait } from '@pazar/words'
import { locale, entryWords } from '../ui/language.ts'

export class ApiError extends Error {
  /** Null if the service did not respond. A proxy may have responded instead. */
  readonly problem: Problem | null
  /** When to send the next request, by this machine's clock. */
  readonly retryAtMs: number | null
  /** False if no complete response arrived. */
  readonly hasResponse: boolean
  /** True for an action of the user. If its response was lost, the action may have taken effect. */
  readonly isAction: boolean
  constructor(
    problem: Problem | null,
    retryAfterSec: number | null = null,
    { hasResponse = problem !== null, isAction = false } = {},
  ) {
    super(problem?.title ?? 'no response')
    this.problem = problem
    this.retryAtMs = retryAfterSec === null ? null : Date.now() + retryAfterSec * 1000
    this.hasResponse = hasResponse
    this.isAction = isAction
  }
  get code(): ErrorCode | 'offline' {
    return this.problem?.code ?? 'offline'
  }
}

export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof ApiError && error.code === code
}

/** The user closed a dialog that a request needs, or left the page that sent the request. The service has changed nothing. */
export class DismissedError extends Error {}

/** 0 if the service asked for no wait, or if the wait is over. */
export function toWaitMs(error: unknown): number {
  const retryAtMs = error instanceof ApiError ? error.retryAtMs : null
  return retryAtMs === null ? 0 : Math.max(0, retryAtMs - Date.now())
}

interface ErrorText {
  title: string
  detail: string
}

/** `unknownOutcome` replaces the general text about an action that got no complete response from the service. */
export function toErrorText(error: unknown, unknownOutcome?: string): ErrorText {
  const { errors, waits, frame } = entryWords()
  // Usually the user dismissed the sign-in, so the page could not load its data.
  if (error instanceof DismissedError) return errors.unauthenticated
  if (!(error instanceof ApiError)) return errors.internal_error
  // While the service is down, a proxy in front of it responds in its own format.
  if (error.problem === null) {
    const text = error.hasResponse ? errors.unavailable : frame.offline
    return error.isAction ? { ...text, detail: unknownOutcome ?? frame.unknownOutcome } : text
  }
  const errorTexts: Partial<Record<string, ErrorText>> = errors
  const general = errorTexts[error.problem.code] ?? errors.internal_error
  // For step_up_required, the service may say why the last confirmation is not enough.
  const reason = error.code === 'step_up_required' && error.problem.errors?.[0]?.message
  const text = reason ? { ...general, detail: reason } : general
  const waitMs = toWaitMs(error)
  return waitMs === 0 ? text : { ...text, detail: waits.retryIn(formatWait(locale, waitMs)) }
}

export function toFieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries((error.problem?.errors ?? []).map(({ path, message }) => [path, message]))
}

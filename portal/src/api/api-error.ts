// An error response of the service, or no response at all, with its text from the catalogue.
import type { ErrorCode, Problem } from '@pazar/contract'
import { formatWait } from '@pazar/words'
import { locale, entryWords } from '../ui/language.ts'

export class ApiError extends Error {
  /** Null if there was no response, or if the response is not from the service but from a proxy in front of it. */
  readonly problem: Problem | null
  /** When the request may be retried, by this machine's clock. */
  readonly retryAtMs: number | null
  /** False when the request may never have arrived. */
  readonly hasResponse: boolean
  /** The request was to change something. Without a response of the service, that may have happened. */
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

/** Whether the service refused a request with this code. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof ApiError && error.code === code
}

/** The user closed the dialog that asked for a password. Nothing has changed, so there is nothing to report. */
export class DismissedError extends Error {}

/** How long until the request may be retried, or 0 if the service asked for no wait. */
export function toWaitMs(error: unknown): number {
  const retryAtMs = error instanceof ApiError ? error.retryAtMs : null
  return retryAtMs === null ? 0 : Math.max(0, retryAtMs - Date.now())
}

interface ErrorText {
  title: string
  detail: string
}

/** `unknownOutcome`: the text for an action whose response was lost, if the page can say more than the general one. */
export function toErrorText(error: unknown, unknownOutcome?: string): ErrorText {
  const { errors, waits, frame } = entryWords()
  // The page could not load its data, because the user closed the dialog that asked for the password.
  if (error instanceof DismissedError) return errors.unauthenticated
  if (!(error instanceof ApiError)) return errors.internal_error
  // While the service is down, the proxy in front of it responds in its own format.
  if (error.problem === null) {
    const text = error.hasResponse ? errors.unavailable : frame.offline
    return error.isAction ? { ...text, detail: unknownOutcome ?? frame.unknownOutcome } : text
  }
  const errorTexts: Partial<Record<string, ErrorText>> = errors
  const general = errorTexts[error.problem.code] ?? errors.internal_error
  // For step_up_required the service also says why the last confirmation is not enough.
  const reason = error.code === 'step_up_required' && error.problem.errors?.[0]?.message
  const text = reason ? { ...general, detail: reason } : general
  const waitMs = toWaitMs(error)
  return waitMs === 0 ? text : { ...text, detail: waits.retryIn(formatWait(locale, waitMs)) }
}

/** The message for each field that the service refused. */
export function toFieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries((error.problem?.errors ?? []).map(({ path, message }) => [path, message]))
}

// Turns the error of a request into a CliError, which also says what the user can do next.
import type { Problem } from '@pazar/contract'
import { formatWait } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { CliError } from './cli-error.ts'
import type { Words } from './words.ts'

interface RequestContext {
  readonly words: Words
  readonly locale: Locale
  readonly baseUrl: string
}

export async function toRefusal(response: Response, context: RequestContext): Promise<CliError> {
  const { words, baseUrl } = context
  const { status } = response
  const problem = await findProblem(response)
  if (problem === null) return toUnexpected(status, words, baseUrl)
  const { code, requestId, type: docsUrl, title, detail, errors = [] } = problem
  const retryAfterSec = Number(response.headers.get('retry-after')) || undefined
  // The general text of `step_up_required` asks for the password. The text for requests with a token is in `errors`.
  const tokenError =
    code === 'step_up_required' ? errors.find(({ path }) => path === 'authorization') : undefined
  const message = tokenError?.message ?? `${title}. ${detail}`
  return new CliError(message, toNextStep(problem, retryAfterSec, context), {
    code,
    status,
    requestId,
    docsUrl,
    retryAfterSec,
    cursor: problem.next,
    details: errors
      .filter((one) => one !== tokenError && one.message !== detail)
      .map((one) => `${one.path}: ${one.message}`),
  })
}

/** Returns the error for a response that is not in Pazar's format, for example the page of a proxy. */
export function toUnexpected(status: number, words: Words, baseUrl: string): CliError {
  return new CliError(words.problems.unexpected(baseUrl, status), words.next.checkConnection, {
    code: 'unexpected_answer',
    status,
  })
}

function toNextStep(
  problem: Problem,
  retryAfterSec: number | undefined,
  { words, locale }: RequestContext,
): string {
  const { next } = words
  const field = problem.errors?.[0]
  switch (problem.code) {
    case 'unauthenticated':
      return next.checkToken
    case 'step_up_required':
      return next.widerToken
    case 'not_found':
      return next.seeProjects
    case 'cursor_expired':
      return next.continueAfter(problem.next ?? '')
    case 'already_delivered':
      return next.resendAgain
    case 'invalid_request':
      return field?.code === 'confirm_live_url' ? next.confirmLive : next.correct
    case 'rate_limited':
    case 'unavailable':
      return retryAfterSec === undefined ? next.later : next.wait(formatWait(locale, retryAfterSec * 1000))
    default:
      return next.read(problem.type)
  }
}

async function findProblem(response: Response): Promise<Problem | null> {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return null
  try {
    return (await response.json()) as Problem
  } catch {
    return null
  }
}

/** Turns a timeout or a failed connection into a CliError. A CliError and the AbortError of Ctrl+C are returned unchanged. */
export function toConnectionError(error: unknown, words: Words, baseUrl: string): unknown {
  if (error instanceof CliError || !(error instanceof Error) || error.name === 'AbortError') return error
  return error.name === 'TimeoutError'
    ? new CliError(words.problems.timeout(baseUrl), words.next.later, { code: 'timeout' })
    : new CliError(words.problems.unreachable(baseUrl), words.next.checkConnection, { code: 'unreachable' })
}

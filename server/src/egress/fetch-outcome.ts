// The outcome of one POST to a merchant, and the mapping from errors to outcomes. The response body, the location and
// error texts are untrusted: escape them before they are shown.
import { errors } from 'undici'

export type FetchFault = 'timeout' | 'dns' | 'connect' | 'tls' | 'blocked_address' | 'too_large'
export type FetchOutcomeKind = 'delivered' | 'http_error' | 'redirect' | FetchFault

export interface FetchOutcome {
  outcome: FetchOutcomeKind
  statusCode: number | null
  error: string | null
  responseBody: Buffer
  /**
   * How the body ended. `whole`: it is complete, or there was no response. `too_long`, `late`: we stopped at the size or time
   * limit. `broken`: the merchant broke it off.
   */
  bodyEnd: 'whole' | 'too_long' | 'late' | 'broken'
  remoteIp: string | null
  durationMs: number
  /** The header as the merchant sent it: seconds or a date. */
  retryAfter: string | null
  /** The target of a redirect. This service never fetches it. */
  location: string | null
  /** The fault is ours, for example of the egress proxy or the name servers. Nothing was sent to the merchant. */
  isEgressFault: boolean
}

/** Other statuses from 300 to 399 are not redirects. */
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function toOutcomeKind(statusCode: number): FetchOutcomeKind {
  if (statusCode >= 200 && statusCode < 300) return 'delivered'
  return REDIRECT_STATUSES.has(statusCode) ? 'redirect' : 'http_error'
}

/** The size of the database column. */
export const ERROR_LENGTH_MAX = 500

/** One text for every refused address, because a more exact one would reveal our network to an attacker. */
export const BLOCKED_TEXT = 'the address is not allowed'

/** The name of the broken rule follows this text. */
export const URL_REFUSED_TEXT = 'the URL is not allowed: '

/** The attempt failed on our side, so nothing was sent to the merchant. */
export const EGRESS_FAILED_TEXT = 'our egress failed'

export class FetchFailure extends Error {
  readonly outcome: FetchFault
  readonly isEgressFault: boolean

  constructor(outcome: FetchFault, message: string, { isEgressFault = false } = {}) {
    super(message)
    this.outcome = outcome
    this.isEgressFault = isEgressFault
  }
}

export type Fault = Pick<FetchOutcome, 'outcome' | 'error' | 'isEgressFault'>

/** For errors before the headers were complete. `isTimeUp`: the time of the whole attempt was up. */
export function toFault(error: unknown, isTimeUp: boolean): Fault {
  if (error instanceof FetchFailure) {
    return { outcome: error.outcome, error: toLogText(error.message), isEgressFault: error.isEgressFault }
  }
  if (isTimeUp) return { outcome: 'timeout', error: 'no answer in time', isEgressFault: false }
  if (error instanceof errors.HeadersOverflowError) {
    return {
      outcome: 'too_large',
      error: 'the answer has too many or too long headers',
      isEgressFault: false,
    }
  }
  // If the headers contain two lengths, undici reports a wrong length of the body, although it has read no body.
  if (error instanceof errors.HTTPParserError || error instanceof errors.ResponseContentLengthMismatchError) {
    return { outcome: 'http_error', error: 'the answer is not valid HTTP', isEgressFault: false }
  }
  return {
    outcome: 'connect',
    error: `connection lost before an answer: ${toCode(error)}`,
    isEgressFault: false,
  }
}

export function toCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown error'
}

export function toLogText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, ERROR_LENGTH_MAX)
}

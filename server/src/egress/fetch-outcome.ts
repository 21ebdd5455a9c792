// What became of one POST to a merchant, in the words of the delivery log, and how an error on the way becomes one of
// them. The response body, the location and error texts come from strangers: escape them before they are shown.
import { errors } from 'undici'

export type FetchFault = 'timeout' | 'dns' | 'connect' | 'tls' | 'blocked_address' | 'too_large'
export type FetchOutcomeKind = 'delivered' | 'http_error' | 'redirect' | FetchFault

export interface FetchOutcome {
  outcome: FetchOutcomeKind
  /** Null when no status line came. */
  statusCode: number | null
  error: string | null
  responseBody: Buffer
  /** How the body ended: by itself, cut off by us at our limit or at the end of the time, or broken off. */
  bodyEnd: 'whole' | 'too_long' | 'late' | 'broken'
  /** The vetted address really connected to. */
  remoteIp: string | null
  durationMs: number
  /** As the merchant wrote it; seconds or a date. */
  retryAfter: string | null
  /** Where a redirect pointed. Never fetched. */
  location: string | null
  /** The egress proxy failed, not the merchant: the attempt must not count against them. */
  isProxyFault: boolean
}

/** The column's size; longer texts are noise in the log. */
export const ERROR_LENGTH_MAX = 500

/** The one text for every refused address: anything finer would map our network for an attacker. */
export const BLOCKED_TEXT = 'the address is not allowed'

/** Before the name of the rule that a URL breaks. It judges only what the merchant entered. */
export const URL_REFUSED_TEXT = 'the URL is not allowed: '

/** A fault with its place in the log already decided. */
export class FetchFailure extends Error {
  readonly outcome: FetchFault
  readonly isProxyFault: boolean

  constructor(outcome: FetchFault, message: string, isProxyFault = false) {
    super(message)
    this.outcome = outcome
    this.isProxyFault = isProxyFault
  }
}

export type Fault = Pick<FetchOutcome, 'outcome' | 'error' | 'isProxyFault'>

/** For errors before a status line; `hasRunOut` says whether the whole attempt's time was up. */
export function toFault(error: unknown, hasRunOut: boolean): Fault {
  if (error instanceof FetchFailure) {
    return { outcome: error.outcome, error: toLogText(error.message), isProxyFault: error.isProxyFault }
  }
  if (hasRunOut) return { outcome: 'timeout', error: 'no answer in time', isProxyFault: false }
  if (error instanceof errors.HeadersOverflowError) {
    return { outcome: 'too_large', error: 'the answer has too many or too long headers', isProxyFault: false }
  }
  if (error instanceof errors.HTTPParserError) {
    return { outcome: 'http_error', error: 'the answer is not valid HTTP', isProxyFault: false }
  }
  return {
    outcome: 'connect',
    error: `connection lost before an answer: ${toCode(error)}`,
    isProxyFault: false,
  }
}

export function toCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown error'
}

export function toLogText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, ERROR_LENGTH_MAX)
}

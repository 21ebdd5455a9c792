export interface ErrorFacts {
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly docsUrl?: string | undefined
  readonly next?: string | undefined
  readonly cause?: unknown
}

export class PazarError extends Error {
  override readonly name: string = 'PazarError'
  /** For programs: stable, unlike the message. */
  readonly code: string
  /** HTTP status of the response. Null with `timeout`, `unreachable` and errors found by the SDK itself. */
  readonly status: number | null
  /** Identifies the request for the service's operator, or null without a valid response. */
  readonly requestId: string | null
  /** Address of the page that explains `code`, or null for errors that the service did not report. */
  readonly docsUrl: string | null

  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.status = facts.status ?? null
    this.requestId = facts.requestId ?? null
    this.docsUrl = facts.docsUrl ?? null
  }
}

/**
 * The service refused the request, or there was no valid response. Without a valid response, `code` is `timeout`,
 * `unreachable` or `unexpected_answer`.
 */
export class ApiError extends PazarError {
  override readonly name = 'ApiError'
  /** With `cursor_expired`: the cursor to continue from. Otherwise null. */
  readonly next: string | null

  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    super(code, message, facts)
    this.next = facts.next ?? null
  }
}

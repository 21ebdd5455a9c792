// What every error of the SDK has in common, so that a shop can log one thing and look one thing up. None of them
// carries a secret, a hash or text of a body.

export interface ErrorFacts {
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly docsUrl?: string | undefined
  readonly cause?: unknown
}

export class PazarError extends Error {
  override readonly name: string = 'PazarError'
  /** For programs; it stays when the message changes. */
  readonly code: string
  /** Of the service's answer, null when there was none. */
  readonly status: number | null
  /** Names the request to whoever runs the service, null when it was never answered. */
  readonly requestId: string | null
  /** Where the code is explained, null for what the SDK found out by itself. */
  readonly docsUrl: string | null

  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.status = facts.status ?? null
    this.requestId = facts.requestId ?? null
    this.docsUrl = facts.docsUrl ?? null
  }
}

/** The service refused (`code` is one of its error codes), or was not heard: `timeout`, `unreachable`, `unexpected_answer`. */
export class ApiError extends PazarError {
  override readonly name = 'ApiError'
}

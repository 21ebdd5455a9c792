export interface ErrorFacts {
  /** Identifies the error for programs that read --json. */
  readonly code: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly docsUrl?: string | undefined
  readonly retryAfterSec?: number | undefined
  /** When the cursor of a feed has expired: the cursor from which reading can continue. */
  readonly cursor?: string | undefined
  /** Lines that are printed below the message, for example one for each wrong field. */
  readonly details?: readonly string[]
}

export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly next: string
  readonly facts: ErrorFacts
  readonly exitCode: 1 | 2 = 1

  constructor(message: string, next: string, facts: ErrorFacts) {
    super(message)
    this.next = next
    this.facts = facts
  }
}

/** A wrong command line. */
export class UsageError extends CliError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2

  constructor(message: string, next: string) {
    super(message, next, { code: 'usage' })
  }
}

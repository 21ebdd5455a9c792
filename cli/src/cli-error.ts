export interface ErrorFacts {
  /** For programs that read --json. */
  readonly code: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly docsUrl?: string | undefined
  readonly retryAfterSec?: number | undefined
  /** The cursor to continue from. */
  readonly cursor?: string | undefined
  /** Further lines, such as one per wrong field. */
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

// What the tool says when it cannot go on: what is wrong, and what to do next.
export interface ErrorFacts {
  /** For programs that read --json. */
  readonly code: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly docsUrl?: string | undefined
  readonly retryAfterSec?: number | undefined
  /** More lines, such as one for each wrong field. */
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

/** The words of the call are off. */
export class UsageError extends CliError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2

  constructor(message: string, next: string) {
    super(message, next, { code: 'usage' })
  }
}

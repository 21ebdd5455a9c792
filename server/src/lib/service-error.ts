// Errors that are expected. The caller gets all fields of the class except `log`, and a sentence in the caller's language.
// The cause is never sent to the caller.
import { ERROR_STATUS } from '@pazar/contract'
import type { ErrorCode } from '@pazar/contract'

export interface FieldError {
  path: string
  /** A key of the catalogue's `fields`, where its text is in both languages. */
  code: string
  params?: Record<string, string | number>
}

export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly fields: FieldError[]
  readonly retryAfterSec: number | null
  /** If the caller's cursor has expired: the cursor to continue from. */
  readonly next: string | null
  /** The `detail` of the problem, instead of the general sentence for this code. */
  readonly detail: Pick<FieldError, 'code' | 'params'> | null
  readonly log: string | null

  constructor(
    code: ErrorCode,
    facts: {
      fields?: FieldError[]
      next?: string
      detail?: FieldError
      retryAfterSec?: number
      log?: string
      cause?: unknown
    } = {},
  ) {
    super(code, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'ServiceError'
    this.code = code
    this.fields = facts.fields ?? []
    this.detail = facts.detail ?? null
    this.retryAfterSec = facts.retryAfterSec ?? null
    this.next = facts.next ?? null
    this.log = facts.log ?? null
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

export function invalidField(
  path: string,
  code: string,
  params?: Record<string, string | number>,
): ServiceError {
  return new ServiceError('invalid_request', { fields: [params ? { path, code, params } : { path, code }] })
}

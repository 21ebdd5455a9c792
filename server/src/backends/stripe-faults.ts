// Finds out what a failed request to Stripe means: refused, certainly not sent, or an unknown outcome.
import { Stripe } from 'stripe'
import type { UpstreamFault } from './backend.ts'
import { NeverSentError, toStatusFault, toUpstreamFault, UnknownOutcomeError } from './backend.ts'

/** Stripe refused the request and did nothing. Stripe's message is left out, because it quotes what was sent. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly code: string | null
  readonly fault: UpstreamFault

  constructor(message: string, code: string | null, fault: UpstreamFault) {
    super(message)
    this.code = code
    this.fault = fault
  }
}

function toFault(error: unknown): Error {
  if (!(error instanceof Stripe.errors.StripeError))
    return new UnknownOutcomeError('the SDK failed', { cause: error })
  const detail: unknown = error.detail
  if (detail instanceof NeverSentError || detail instanceof UnknownOutcomeError) return detail
  const { statusCode: status = 0, rawType, code, param, requestId } = error
  const facts = [status, rawType, code, param, requestId].filter(Boolean).join(' ')
  // If the idempotency key is in use, or was used with other values, another request may have had an effect.
  const mayBeDone = status === 409 || rawType === 'idempotency_error'
  if (status >= 400 && status < 500 && !mayBeDone)
    return new RefusedError(`Stripe refused: ${facts}`, code ?? null, toStatusFault(status))
  return new UnknownOutcomeError(`Stripe responded ${facts}`)
}

export async function request(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    throw toFault(error)
  }
}

/** Looks up something that may exist at Stripe. Every failure, also a refusal, leaves the outcome unknown. */
export async function lookUp(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await request(call)
  } catch (error) {
    throw toUnknownOutcome(error)
  }
}

/**
 * Null: Stripe refused, most likely because it does not know what was looked up. A rejected key, a rate limit and every
 * other failure throw.
 */
export async function lookUpOrNull(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await request(call)
  } catch (error) {
    if (error instanceof RefusedError && error.fault === 'failing') return null
    throw toUnknownOutcome(error)
  }
}

export function toUnknownOutcome(error: unknown): UnknownOutcomeError {
  if (error instanceof UnknownOutcomeError) return error
  if (error instanceof RefusedError)
    return new UnknownOutcomeError(error.message, { cause: error, fault: error.fault })
  const fault = toUpstreamFault(error) ?? 'failing'
  return new UnknownOutcomeError('the request to Stripe failed', { cause: error, fault })
}

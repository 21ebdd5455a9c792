import type { Backend, Backends } from '../backends/backend.ts'
import type { LookupQuota } from '../backends/lookup-quota.ts'
import { GarbledResponseError } from '../backends/backend.ts'
import type { PaymentDeps } from './deps.ts'
import type { Payment } from './payment.ts'
import type { NoResponse } from './reactions.ts'

/**
 * Returns the upstream that has the payment's account. Null: the upstream or account is not configured. No other upstream is
 * returned instead, because it would report that the payment was never charged.
 */
export function findBackend(
  backends: Backends,
  { mode, backend, upstreamAccount }: Pick<Payment, 'mode' | 'backend' | 'upstreamAccount'>,
): Backend | null {
  const all = [backends[mode], backends.live, backends.test, ...backends.previous]
  return all.find((one) => one.name === backend && one.accounts.includes(upstreamAccount)) ?? null
}

/** A set, because `live` and `test` are the same upstream if live payments go to the sandbox. */
export function listBackends({ live, test, previous }: Backends): Set<Backend> {
  return new Set([live, test, ...previous])
}

/** Null: lookups are not limited, or the upstream is no longer configured. In the second case, no lookups are made. */
export function findQuota(deps: PaymentDeps, name: string): LookupQuota | null {
  return [...listBackends(deps.backends)].find((one) => one.name === name)?.quota ?? null
}

/**
 * Throws if the upstream or account of the payment is not configured. No other upstream or account may be called for
 * this payment.
 */
export function requireBackend(deps: PaymentDeps, payment: Payment): Backend {
  const found = findBackend(deps.backends, payment)
  if (!found)
    throw new Error(`the upstream ${payment.backend} of transaction ${payment.id} is not configured`)
  return found
}

/** A NeverSentError counts as no response. Only requestCharge handles it differently, before it calls this function. */
export function toNoResponse(
  deps: PaymentDeps,
  payment: Payment,
  error: unknown,
): Exclude<NoResponse, 'never_sent'> {
  deps.log.warn(
    { err: error, transactionId: payment.id },
    'the upstream gave no usable response; the payment will be looked up',
  )
  return error instanceof GarbledResponseError ? 'garbled' : 'no_response'
}

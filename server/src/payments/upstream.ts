// Which upstream a payment belongs to, and why a call to it brought no report.
import type { Backend, Backends, LookupQuota } from '../backends/backend.ts'
import { GarbledResponseError } from '../backends/backend.ts'
import type { PaymentDeps } from './deps.ts'
import type { Payment } from './payment.ts'
import type { NoResponse } from './reactions.ts'

/** Null: its upstream or account is no longer configured. Any other upstream would say that it was never charged. */
export function findBackend(
  backends: Backends,
  { mode, backend, upstreamAccount }: Pick<Payment, 'mode' | 'backend' | 'upstreamAccount'>,
): Backend | null {
  const all = [backends[mode], backends.live, backends.test, ...backends.previous]
  return all.find((one) => one.name === backend && one.accounts.includes(upstreamAccount)) ?? null
}

/** Null also for an upstream that is no longer configured, since no lookups are made there. */
export function findQuota(deps: PaymentDeps, name: string): LookupQuota | null {
  const { live, test, previous } = deps.backends
  return [live, test, ...previous].find((one) => one.name === name)?.quota ?? null
}

/** Throws when settings were changed: the payment stays open rather than be looked up at an upstream that never had it. */
export function requireBackend(deps: PaymentDeps, payment: Payment): Backend {
  const found = findBackend(deps.backends, payment)
  if (!found)
    throw new Error(`the upstream ${payment.backend} of transaction ${payment.id} is not configured`)
  return found
}

/** Why a call brought no report. That nothing was sent matters only for the first call, which the caller handles. */
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

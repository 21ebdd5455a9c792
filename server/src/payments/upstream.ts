// Which upstream a payment belongs to, and why a call to it brought nothing.
import type { Backend, Backends, LookupQuota } from '../backends/backend.ts'
import { GarbledAnswerError } from '../backends/backend.ts'
import type { PaymentDeps } from './deps.ts'
import type { Payment } from './payment.ts'
import type { Unheard } from './reactions.ts'

/** Null: its upstream, or the account of it, is not configured any more. Any other would say that it was never charged. */
export function findBackend(
  backends: Backends,
  { mode, backend, upstreamAccount }: Pick<Payment, 'mode' | 'backend' | 'upstreamAccount'>,
): Backend | null {
  const all = [backends[mode], backends.live, backends.test, ...backends.kept]
  return all.find((one) => one.name === backend && one.accounts.includes(upstreamAccount)) ?? null
}

/** Null also where it is no longer configured: nothing is asked then. */
export function findQuota(deps: PaymentDeps, name: string): LookupQuota | null {
  const { live, test, kept } = deps.backends
  return [live, test, ...kept].find((one) => one.name === name)?.quota ?? null
}

/** After the settings were changed, an open payment stays open rather than be looked up in books that never had it. */
export function requireBackend(deps: PaymentDeps, payment: Payment): Backend {
  const found = findBackend(deps.backends, payment)
  if (!found)
    throw new Error(`the upstream ${payment.backend} of transaction ${payment.id} is not configured`)
  return found
}

/** Why a call brought no word about the payment. Only for the first one can it matter that nothing was sent. */
export function toUnheard(
  deps: PaymentDeps,
  payment: Payment,
  error: unknown,
): Exclude<Unheard, 'never_sent'> {
  deps.log.warn(
    { err: error, transactionId: payment.id },
    'the upstream gave no usable answer; it will be asked',
  )
  return error instanceof GarbledAnswerError ? 'garbled' : 'silent'
}

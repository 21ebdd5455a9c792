import type { Backend, BackendRefunds, NewRefund } from '../backends/backend.ts'
import { ServiceError } from '../lib/service-error.ts'
import { callUpstream } from '../payments/call-upstream.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import type { Payment } from '../payments/payment.ts'
import { findBackend, toNoResponse } from '../payments/upstream.ts'
import { toAbsence } from './check-plan.ts'
import type { Report } from './reactions.ts'
import type { Refund } from './refund.ts'

/** Null: the upstream does not offer refunds, or is no longer configured. */
export async function findRefundApi(deps: PaymentDeps, payment: Payment): Promise<BackendRefunds | null> {
  const refunds = findBackend(deps.backends, payment)?.refunds
  if (!refunds) return null
  try {
    return (await refunds.isOffered()) ? refunds : null
  } catch (error) {
    // The upstream has never declared whether it can refund, and does not respond now.
    throw new ServiceError('unavailable', {
      retryAfterSec: 5,
      log: 'the upstream does not respond',
      cause: error,
    })
  }
}

function requireRefunds({ name, refunds }: Backend): BackendRefunds {
  if (!refunds) throw new Error(`the upstream ${name} cannot refund`)
  return refunds
}

function toNewRefund(deps: PaymentDeps, payment: Payment, refund: Refund): NewRefund {
  return {
    id: refund.id,
    paymentId: refund.transactionId,
    projectId: refund.projectId,
    amount: refund.amount,
    currency: refund.currency,
    chargeId: refund.chargeRef ?? payment.upstreamRef,
    isOtherCharge: refund.chargeRef !== null,
    upstreamRef: refund.upstreamRef,
    lookupId: refund.lookupId,
    isOwn: refund.origin !== 'upstream',
    ...(refund.origin !== 'upstream' && {
      origin: {
        installationId: deps.installation.id,
        requestedBy: refund.origin,
        idempotencyKey: refund.idempotencyKey,
        requestedAmount: refund.requestedAmount,
        reason: refund.reason,
        createdAt: refund.createdAt,
      },
    }),
  }
}

/** A repeated call cannot refund twice, because the refund's id is the idempotency key. */
export async function sendRefund(deps: PaymentDeps, payment: Payment, refund: Refund): Promise<Report> {
  // A process that was paused may send too late. By then, the upstream may have made the refund and forgotten the key.
  const ageMs = deps.clock.nowMs() - refund.createdAt.getTime()
  const resendMs = findBackend(deps.backends, payment)?.refunds?.resendMs
  if (toAbsence(ageMs, resendMs) === 'absent_for_good') return 'no_response'
  try {
    return await callUpstream(deps, payment, 'refund', (backend) =>
      requireRefunds(backend).refund(toNewRefund(deps, payment, refund)),
    )
  } catch (error) {
    return toNoResponse(deps, payment, error)
  }
}

/** If the upstream does not know a refund that we requested, `ageMs` decides between `absent` and `absent_for_good`. */
export async function lookUpRefund(
  deps: PaymentDeps,
  payment: Payment,
  refund: Refund,
  ageMs: number,
): Promise<Report> {
  try {
    return await callUpstream(deps, payment, 'lookup', async (backend) => {
      const refunds = requireRefunds(backend)
      const found = await refunds.findRefund(toNewRefund(deps, payment, refund))
      if (found) return found
      // This refund was made at the upstream. If a lookup does not find the refund, that does not mean that it failed.
      if (refund.origin === 'upstream') return 'no_response'
      const absence = toAbsence(ageMs, refunds.resendMs)
      if (absence === 'absent') return absence
      // A wrong address or a proxy responds 404 to everything. So the absence counts only if the upstream knows the payment.
      return (await backend.find(payment.id)) ? absence : 'no_response'
    })
  } catch (error) {
    return toNoResponse(deps, payment, error)
  }
}

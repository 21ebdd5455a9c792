// Another payment of the order is open, in review or paid. A Pay button would only be refused, and the statement "not
// charged" on a declined attempt's page must not be taken for the whole order.
import { isUnpaid } from '../payments/payment.ts'
import type { CheckoutDeps } from './deps.ts'
import type { CheckedLink } from './check-link.ts'
import { mayStartOver } from './own-payment.ts'
import type { OfferedAttempt, PayOutcome } from './pay-outcome.ts'
import type { Payer } from './payer.ts'

/**
 * The page shown instead of a Pay button; null if the button may be shown. An unsigned link reveals nothing
 * about the order to a browser that has not tried to pay it: anybody could have written the link.
 */
export async function findHeldOutcome(
  deps: CheckoutDeps,
  payer: Payer,
  open: CheckedLink,
  attempt: OfferedAttempt,
): Promise<PayOutcome | null> {
  const { holder, inReviewElsewhere, attempts } = open.target
  if (open.isSigned && inReviewElsewhere)
    return { kind: 'order_in_review', open, reviewedId: inReviewElsewhere.id }
  const hasTried = attempts[0] !== undefined && isUnpaid(attempts[0])
  if (!hasTried || (!holder && !inReviewElsewhere)) return null
  if (holder?.isPaid) return { kind: 'already_paid', open }
  const isAtBank = holder?.state === 'requires_action'
  const canStartOver = isAtBank && (await mayStartOver(deps, payer, open, holder.id))
  return { kind: 'in_flight', open, startOver: canStartOver ? { attempt, replaces: holder.id } : null }
}

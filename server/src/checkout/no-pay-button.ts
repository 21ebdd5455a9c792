// What is shown instead of a Pay button while another payment of the order is open, in review or paid. A press of
// the button would only be refused.
import { isUnpaid } from '../payments/payment.ts'
import type { CheckoutDeps } from './deps.ts'
import type { CheckedLink } from './check-link.ts'
import { isPaymentOfLink } from './check-link.ts'
import { mayStartOver } from './made-by-browser.ts'
import type { OfferedAttempt, PayOutcome } from './pay-outcome.ts'
import type { Payer } from './payer.ts'

/**
 * Null: the Pay button may be shown. For an unsigned link, a browser that has not tried to pay always gets null: anybody can
 * write such a link, so it must not reveal the state of the order.
 */
export async function findInsteadOfPayButton(
  deps: CheckoutDeps,
  payer: Payer,
  checkedLink: CheckedLink,
  attempt: OfferedAttempt,
): Promise<PayOutcome | null> {
  const { holder, inReviewElsewhere, attempts } = checkedLink.target
  if (checkedLink.isSigned && inReviewElsewhere)
    return { kind: 'order_in_review', checkedLink, reviewedId: inReviewElsewhere.id }
  const hasTried = attempts[0] !== undefined && isUnpaid(attempts[0])
  // A payment with another amount or other data does not pay this link. A press of Pay opens a page that says so.
  const isPaidOtherwise = holder?.isPaid === true && !isPaymentOfLink(checkedLink.link, holder)
  const blocking = isPaidOtherwise ? null : holder
  if (!hasTried || (!blocking && !inReviewElsewhere)) return null
  if (blocking?.isPaid) return { kind: 'already_paid', checkedLink }
  const isAtBank = blocking?.state === 'requires_action'
  const canStartOver = isAtBank && (await mayStartOver(deps, payer, checkedLink, blocking.id))
  const startOver = canStartOver ? { attempt, replaces: blocking.id } : null
  return { kind: 'in_flight', checkedLink, startOver }
}

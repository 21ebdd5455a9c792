// A payer starts over while a payment is open at the bank. A new payment begins only once the first one
// has ended and does not count as paid.
import type { Payment } from '../payments/payment.ts'
import { isInReview, isPaid, isSameOrder } from '../payments/payment.ts'
import { findPayment } from '../payments/payments-store.ts'
import { abandonBankStep } from '../payments/reconcile.ts'
import type { Attempt } from './attempt-token.ts'
import type { CheckoutDeps } from './deps.ts'
import type { CheckedLink } from './check-link.ts'
import { findReviewElsewhere, toAmountAndData } from './check-link.ts'
import { isMadeByBrowser } from './made-by-browser.ts'
import type { DecidedPayment, OfferedAttempt, PayOutcome } from './pay-outcome.ts'
import { toPressOutcome } from './pay-outcome.ts'
import type { Payer } from './payer.ts'

/** The outcome if the first payment is paid, or may still be charged. */
export function toNotReplacedOutcome(
  checkedLink: CheckedLink,
  attempt: OfferedAttempt,
  first: DecidedPayment & Pick<Payment, 'amount' | 'data'>,
  isOwn: boolean,
): PayOutcome {
  const reviewedId = isInReview(first) ? first.id : findReviewElsewhere(checkedLink.target)?.id
  // If `actionUrl` is null, the payer has already finished at the bank. Now the bank decides.
  if (first.state === 'requires_action' && first.actionUrl !== null && !reviewedId) {
    const startOver = { attempt, replaces: first.id }
    return { kind: 'bank_step_kept', checkedLink, startOver, payment: first, isOwn }
  }
  if (isOwn) return toPressOutcome(checkedLink, attempt, first)
  if (isPaid(first))
    return isSameOrder({ ...first, isErased: false }, toAmountAndData(checkedLink.link))
      ? { kind: 'already_paid', checkedLink }
      : { kind: 'conflict', checkedLink, startOver: null }
  if (reviewedId && checkedLink.isSigned) return { kind: 'order_in_review', checkedLink, reviewedId }
  return { kind: 'in_flight', checkedLink, startOver: null }
}

/** Null if the new payment may begin. */
export async function replaceBankStep(
  deps: CheckoutDeps,
  payer: Payer,
  checkedLink: CheckedLink,
  attempt: Attempt,
): Promise<PayOutcome | null> {
  const first = attempt.replaces === null ? null : await findPayment(deps.db, attempt.replaces)
  if (!first) return null
  const { payment, mayStartOver } = await abandonBankStep(deps, first)
  if (mayStartOver) return null
  return toNotReplacedOutcome(checkedLink, attempt, payment, await isMadeByBrowser(deps, payer, payment.id))
}

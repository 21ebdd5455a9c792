// Another payment of the order is open, in review or paid. What a declined attempt's page says of money must not be read
// as said of the order, and Pay would only be held.
import { isUnpaid } from '../payments/payment.ts'
import type { Attempt } from './attempt-token.ts'
import { sendAlreadyPaid, sendBankStepElsewhere, sendInFlight, sendOrderInReview } from './link-answers.ts'
import type { OpenLink } from './open-link.ts'
import { mayStartOver } from './own-payment.ts'
import type { Visit } from './visit.ts'

/**
 * Whether the payer got the page of that other payment instead of a Pay button. An unsigned link says nothing about the
 * order to a browser that has not tried to pay it: anybody could have written the link.
 */
export async function answerHeld(
  visit: Visit,
  open: OpenLink,
  attempt: Pick<Attempt, 'id' | 'checkoutId'>,
): Promise<boolean> {
  const { holder, inReviewElsewhere, attempts } = open.shop
  const hasTried = attempts[0] !== undefined && isUnpaid(attempts[0])
  if (open.isSigned && inReviewElsewhere) sendOrderInReview(visit, open, inReviewElsewhere.id)
  else if (!hasTried || (!holder && !inReviewElsewhere)) return false
  else if (holder?.isPaid) sendAlreadyPaid(visit, open)
  else if (
    holder?.state === 'requires_action' &&
    !visit.wantsJson &&
    (await mayStartOver(visit, open, holder.id))
  )
    sendBankStepElsewhere(visit, open, {
      holderId: holder.id,
      attempt,
      notice: visit.words.bankStepElsewhere,
    })
  else sendInFlight(visit, open)
  return true
}

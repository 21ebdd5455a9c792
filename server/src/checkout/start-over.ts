// A payer begins anew although a bank's page is still open: the open payment is closed upstream first, and only if that
// is confirmed may the new one go on.
import type { Payment } from '../payments/payment.ts'
import { isPaid } from '../payments/payment.ts'
import { findPayment } from '../payments/payments-store.ts'
import { abandonBankStep } from '../payments/reconcile.ts'
import type { Attempt } from './attempt-token.ts'
import { answerPayment } from './confirm-answer.ts'
import { sendAlreadyPaid, sendBankStepElsewhere, sendInFlight } from './link-answers.ts'
import type { OpenLink } from './open-link.ts'
import { isOwn } from './own-payment.ts'
import type { Visit } from './visit.ts'

/** The first payment stands: it is paid, or nobody could promise that it will not be. */
async function answerStanding(visit: Visit, open: OpenLink, attempt: Attempt, first: Payment): Promise<void> {
  const own = await isOwn(visit, first.id)
  if (first.state === 'requires_action' && !visit.wantsJson) {
    return sendBankStepElsewhere(visit, open, {
      holderId: first.id,
      attempt,
      notice: visit.words.bankStepKept,
      bankUrl: own ? first.actionUrl : null,
    })
  }
  if (own) return answerPayment(visit, open, attempt, first)
  return isPaid(first) ? sendAlreadyPaid(visit, open) : sendInFlight(visit, open)
}

/** Whether a new payment may begin; if not, the payer has been told why. */
export async function clearWay(visit: Visit, open: OpenLink, attempt: Attempt): Promise<boolean> {
  const { deps } = visit
  const first = attempt.replaces === null ? null : await findPayment(deps.db, attempt.replaces)
  if (!first) return true
  const { payment, mayStartAnew } = await abandonBankStep(deps, first)
  if (!mayStartAnew) await answerStanding(visit, open, attempt, payment)
  return mayStartAnew
}

// The forms that start an attempt to pay when they are sent.
import type { PayLink } from '../paylinks/pay-link.ts'
import { toPayPath } from '../paylinks/pay-link.ts'
import { isInReview, isPaid, isUnpaid, toReference } from '../payments/payment.ts'
import { nextAttemptId } from './attempt-token.ts'
import type { OfferedAttempt, StartOver } from './pay-outcome.ts'
import type { PageContext, PayForm, PageLink } from './page-parts.ts'
import { toMoney } from './page-parts.ts'
import type { ShownPayment } from './shown-payment.ts'
import { AGAIN_PARAMETER } from './shown-payment.ts'

export function toLinkPath({ chosenLocale }: PageContext, link: PayLink): string {
  return toPayPath(link, chosenLocale)
}

/** For the first attempt, or for a retry after an attempt that does not count as paid. */
export function toAttemptForm(
  context: PageContext,
  link: PayLink,
  { id, checkoutId }: OfferedAttempt,
  isRetry: boolean,
): PayForm {
  const { pay, retry } = context.words.actions
  return {
    action: toLinkPath(context, link),
    token: context.sealAttempt({ id, checkoutId, link, replaces: null }),
    label: (isRetry ? retry : pay)(toMoney(context, BigInt(link.amount))),
  }
}

export function toStartOverForm(context: PageContext, link: PayLink, startOver: StartOver): PayForm {
  const { id, checkoutId } = startOver.attempt
  return {
    action: toLinkPath(context, link),
    token: context.sealAttempt({ id, checkoutId, link, replaces: startOver.replaces }),
    label: context.words.actions.startOver(toMoney(context, BigInt(link.amount))),
  }
}

export interface NextSteps {
  /** Another attempt after a failure, or starting over while the payment is at the bank. */
  form: PayForm | null
  payAgain: PageLink | null
}

export function toNextSteps(context: PageContext, payment: ShownPayment, link: PayLink): NextSteps {
  const noSteps: NextSteps = { form: null, payAgain: null }
  if (isInReview(payment)) return noSteps
  const attempt = { id: nextAttemptId(payment.attemptId), checkoutId: payment.checkoutId }
  if (payment.state === 'requires_action')
    return { ...noSteps, form: toStartOverForm(context, link, { attempt, replaces: payment.id }) }
  if (isUnpaid(payment)) return { ...noSteps, form: toAttemptForm(context, link, attempt, true) }
  // An order with a customId can be paid only once.
  if (!isPaid(payment) || payment.customId !== null) return noSteps
  const href = `${toLinkPath(context, link)}&${AGAIN_PARAMETER}=${toReference(payment.id)}`
  return { ...noSteps, payAgain: { href, label: context.words.actions.payAgain } }
}

// Step 2 of the trip (docs/trip.md): a link is opened. Nothing is written to the database. A browser that has paid the
// link usually sees its payment instead of a Pay button.
import type { Query } from '../http/query.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { isPaid, isUnpaid, toReference } from '../payments/payment.ts'
import type { RememberedAttempt } from './attempt-memory.ts'
import { newAttemptId, nextAttemptId, toLatestIds } from './attempt-token.ts'
import type { CheckoutDeps } from './deps.ts'
import { findMoneyBack } from './money-back.ts'
import { findInsteadOfPayButton } from './no-pay-button.ts'
import { findReviewElsewhere, checkLink, requirePayTarget, toLinkRefusal } from './check-link.ts'
import type { FormRefusal, OfferedAttempt, PayOutcome } from './pay-outcome.ts'
import type { PayTarget } from './pay-target-store.ts'
import type { Payer } from './payer.ts'
import { AGAIN_PARAMETER, findDecisiveAttempt } from './shown-payment.ts'

/** The next attempt belongs to the checkout of the last one, unless that checkout is paid. */
export function toNextAttempt(
  attempts: PayTarget['attempts'],
  memory: RememberedAttempt | null,
): OfferedAttempt {
  const [latest] = attempts
  const decisive = findDecisiveAttempt(attempts)
  if (latest && decisive) {
    const id = nextAttemptId(latest.attemptId)
    return { id, checkoutId: isPaid(decisive) ? id : latest.checkoutId }
  }
  const id = memory?.attemptId ?? newAttemptId()
  return { id, checkoutId: memory?.checkoutId ?? id }
}

interface Reopened {
  /** Set if the payer wants to pay again: the reference of the payment that the payer has made. */
  again?: string | undefined
  reason?: FormRefusal
}

export async function presentLink(
  deps: CheckoutDeps,
  payer: Payer,
  link: PayLink,
  { again, reason }: Reopened,
): Promise<PayOutcome> {
  const memory = payer.attempts.find(link)
  const ids = memory ? toLatestIds(memory.attemptId) : []
  const target = await requirePayTarget(deps, link, ids, memory?.checkoutId ?? null)
  const latest = target.attempts[0] ?? null
  const ownPayment = findDecisiveAttempt(target.attempts)
  const wantsAnother = ownPayment !== null && isPaid(ownPayment) && again === toReference(ownPayment.id)
  if (memory && latest && ownPayment && !isUnpaid(ownPayment) && !wantsAnother) {
    // The signature of the opened link is not checked here, and may differ from the remembered signature. So the browser
    // keeps the remembered link, whose signature was checked earlier.
    const { link: checked } = memory
    payer.attempts.remember(checked, {
      id: latest.attemptId,
      checkoutId: latest.checkoutId,
      isPressed: true,
    })
    return {
      kind: 'payment_state',
      payment: ownPayment,
      merchant: target,
      link: checked,
      other: findReviewElsewhere(target),
      isReturn: false,
      isReopened: true,
      moneyBack: await findMoneyBack(deps.db, ownPayment),
    }
  }
  const checkedLink = checkLink(deps, link, target)
  if (checkedLink.isShownAsPaid) return { kind: 'already_paid', checkedLink }
  const attempt = toNextAttempt(target.attempts, memory)
  const remembered = latest ? { id: latest.attemptId, checkoutId: latest.checkoutId } : attempt
  payer.attempts.remember(link, { ...remembered, isPressed: false })
  const insteadOfButton = await findInsteadOfPayButton(deps, payer, checkedLink, attempt)
  if (insteadOfButton) return insteadOfButton
  const offer = { checkedLink, attempt, last: ownPayment }
  return reason ? { kind: 'form_refused', reason, ...offer } : { kind: 'ready', ...offer }
}

/** For an invalid link, the error names the merchant if the project can be read. */
export async function requireLink(deps: CheckoutDeps, query: Query): Promise<PayLink> {
  try {
    return parsePayLink(query)
  } catch (error) {
    throw error instanceof ServiceError ? await toLinkRefusal(deps, query, error) : error
  }
}

export async function showLink(deps: CheckoutDeps, payer: Payer, query: Query): Promise<PayOutcome> {
  const link = await requireLink(deps, query)
  return presentLink(deps, payer, link, { again: query.all(AGAIN_PARAMETER)[0] })
}

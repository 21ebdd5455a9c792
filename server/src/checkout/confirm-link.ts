// Step 4 of the trip (docs/trip.md): the payer presses Pay. Only the sealed token is trusted. A token that has made a payment
// makes no second payment.
import type { Query } from '../http/query.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import type { Confirmation } from '../payments/confirm.ts'
import { confirmPayment } from '../payments/confirm.ts'
import type { Order } from '../payments/payment.ts'
import { isInReview, isPaid, isUnpaid } from '../payments/payment.ts'
import type { RememberedAttempt } from './attempt-memory.ts'
import type { Attempt } from './attempt-token.ts'
import { nextAttemptId, openAttempt, toLatestIds } from './attempt-token.ts'
import { awaitMerchant } from './await-merchant.ts'
import type { CheckoutDeps } from './deps.ts'
import { toCurrentCurrency } from './deps.ts'
import { findInsteadOfPayButton } from './no-pay-button.ts'
import type { CheckedLink } from './check-link.ts'
import { checkLink, requirePayTarget, toAmountAndData } from './check-link.ts'
import { mayStartOver } from './made-by-browser.ts'
import type { FormRefusal, PayOutcome } from './pay-outcome.ts'
import { OutcomeUnknownError, toPressOutcome } from './pay-outcome.ts'
import type { Payer } from './payer.ts'
import { presentLink, requireLink } from './show-link.ts'
import type { ShownPayment } from './shown-payment.ts'
import { findDecisiveAttempt } from './shown-payment.ts'
import { replaceBankStep } from './replace-bank-step.ts'

function toOrder(
  deps: CheckoutDeps,
  { id, checkoutId, link }: Attempt,
  { isSigned, target }: CheckedLink,
): Order {
  return {
    attemptId: id,
    checkoutId: link.customId === null ? checkoutId : null,
    projectId: link.projectId,
    mode: link.mode,
    ...toAmountAndData(link),
    ...toCurrentCurrency(deps),
    customId: link.customId,
    isLinkSigned: isSigned,
    merchantName: target.isOwnerVerified ? target.name : null,
  }
}

const toAttempt = ({ attemptId, checkoutId }: ShownPayment) => ({ id: attemptId, checkoutId })

/**
 * `ownPayment`: the payment that the first press of this form has made. `decisive`: the payment that is shown for the whole
 * order. Returns whether the repeated press shows `ownPayment` instead of `decisive`.
 */
function isOwnResult(ownPayment: ShownPayment, decisive: ShownPayment, isProgram: boolean): boolean {
  if (isPaid(ownPayment) || isInReview(ownPayment)) return true
  // A JSON client gets the failure of its own press, unless `decisive` is in review. A browser gets the state of the order.
  if (isUnpaid(ownPayment)) return isProgram && !isInReview(decisive)
  // If `decisive` was or may have been charged, continuing `ownPayment` at the bank could charge the payer twice.
  return !isInReview(decisive) && !isPaid(decisive)
}

/** Called if this form was sent before and has already made a payment. */
async function repeatPress(
  deps: CheckoutDeps,
  payer: Payer,
  checkedLink: CheckedLink,
  ownPayment: ShownPayment,
): Promise<PayOutcome> {
  const { link, target } = checkedLink
  const latest = target.attempts[0] ?? ownPayment
  payer.attempts.remember(link, { ...toAttempt(latest), isPressed: true })
  const decisive = findDecisiveAttempt(target.attempts) ?? ownPayment
  if (isOwnResult(ownPayment, decisive, payer.isProgram))
    return toPressOutcome(checkedLink, toAttempt(ownPayment), ownPayment)
  const next = { id: nextAttemptId(latest.attemptId), checkoutId: latest.checkoutId }
  // No retry is offered while another payment of the order is open, in review or paid.
  const insteadOfButton = isUnpaid(decisive)
    ? await findInsteadOfPayButton(deps, payer, checkedLink, next)
    : null
  return insteadOfButton ?? toPressOutcome(checkedLink, toAttempt(decisive), decisive)
}

/**
 * Two windows that opened the link at the same moment have two attempts, and the cookie names one of them. With a customId,
 * this check is not needed, because the database lets only one attempt be charged.
 */
function isOfOtherWindow(attempt: Attempt, memory: RememberedAttempt | null): boolean {
  return (
    attempt.link.customId === null && memory !== null && !toLatestIds(memory.attemptId).includes(attempt.id)
  )
}

/** Whether an earlier payment may have been charged. False for a first press, and for a retry after a failed payment. */
export function mayHavePaid(
  attempt: Pick<Attempt, 'id' | 'replaces'>,
  memory: RememberedAttempt | null,
): boolean {
  if (attempt.replaces !== null) return true
  return memory !== null && memory.isPressed && attempt.id !== nextAttemptId(memory.attemptId)
}

function hasCurrencyChanged(deps: CheckoutDeps, { shown, sealedMs }: Attempt): boolean {
  const current = toCurrentCurrency(deps)
  if (shown) return shown.currency !== current.currency || shown.scale !== current.scale
  // Tokens of an earlier release name no currency.
  const { currencyChangedAt } = deps.installation
  return currencyChangedAt !== null && sealedMs < currencyChangedAt.getTime()
}

function findFormRefusal(
  deps: CheckoutDeps,
  attempt: Attempt,
  memory: RememberedAttempt | null,
): FormRefusal | null {
  if (hasCurrencyChanged(deps, attempt)) return 'currencyChanged'
  if (attempt.isTooOld || attempt.sealedMs < deps.restoreGate.restoredMs()) return 'pageTooOld'
  return isOfOtherWindow(attempt, memory) ? 'openElsewhere' : null
}

async function toOutcome(
  deps: CheckoutDeps,
  payer: Payer,
  checkedLink: CheckedLink,
  attempt: Attempt,
  confirmation: Confirmation,
): Promise<PayOutcome> {
  const startOverOf = async (id: string) =>
    (await mayStartOver(deps, payer, checkedLink, id)) ? { attempt, replaces: id } : null
  switch (confirmation.kind) {
    case 'payment':
      return toPressOutcome(checkedLink, attempt, confirmation.payment)
    case 'already_paid':
      return { kind: 'already_paid', checkedLink }
    case 'in_flight': {
      const { id, actionUrl } = confirmation.payment
      if (checkedLink.isSigned && isInReview(confirmation.payment))
        return { kind: 'order_in_review', checkedLink, reviewedId: id }
      return { kind: 'in_flight', checkedLink, startOver: actionUrl === null ? null : await startOverOf(id) }
    }
    case 'conflict': {
      const { holder } = checkedLink.target
      // Starting over cancels the payment at the bank, so that the payer need not wait until that payment expires.
      const isAtBank = holder?.state === 'requires_action'
      return { kind: 'conflict', checkedLink, startOver: isAtBank ? await startOverOf(holder.id) : null }
    }
  }
}

async function confirmAttempt(
  deps: CheckoutDeps,
  payer: Payer,
  attempt: Attempt,
  memory: RememberedAttempt | null,
): Promise<PayOutcome> {
  const { link } = attempt
  const rememberedIds = memory ? toLatestIds(memory.attemptId) : []
  const ids = [...toLatestIds(attempt.id), ...rememberedIds]
  const target = await requirePayTarget(deps, link, ids, attempt.checkoutId)
  // The link was checked when the token was issued. A result is shown even if the link can no longer be paid.
  const linkWhenShown = { link, target, isSigned: link.sig !== null, isShownAsPaid: false }
  const ownPayment = target.attempts.find((one) => one.attemptId === attempt.id)
  if (ownPayment) return repeatPress(deps, payer, linkWhenShown, ownPayment)
  const isPaidCheckout = (one: ShownPayment) => isPaid(one) && one.checkoutId === attempt.checkoutId
  const blocking = target.attempts.find(isInReview) ?? target.attempts.find(isPaidCheckout)
  if (blocking) return toPressOutcome(linkWhenShown, toAttempt(blocking), blocking)
  const checkedLink = checkLink(deps, link, target)
  const reason = findFormRefusal(deps, attempt, memory)
  if (reason && payer.isProgram) return { kind: 'form_refused', reason, checkedLink, attempt, last: null }
  if (reason) return presentLink(deps, payer, link, { reason })
  const notReplaced = await replaceBankStep(deps, payer, checkedLink, attempt)
  if (notReplaced) return notReplaced
  // The attempt is remembered before the upstream is called, so that the cookie is set even if the request fails later.
  payer.attempts.remember(link, { ...attempt, isPressed: true })
  const confirmation = await confirmPayment(deps, toOrder(deps, attempt, checkedLink))
  if (confirmation.kind === 'payment' && confirmation.payment.state === 'succeeded')
    await awaitMerchant(deps, confirmation.payment.id)
  return toOutcome(deps, payer, checkedLink, attempt, confirmation)
}

export interface PressedForm {
  token: string
  /** The query of the URL to which the form was posted: the fields of the pay link. Null: the URL has no query. */
  query: Query | null
}

export async function confirmLink(
  deps: CheckoutDeps,
  payer: Payer,
  { token, query }: PressedForm,
): Promise<PayOutcome> {
  const attempt = openAttempt(deps.attemptTokens, token, deps.clock.nowMs())
  if (!attempt) {
    if (payer.isProgram || !query) throw invalidField('token', 'invalid')
    return presentLink(deps, payer, await requireLink(deps, query), { reason: 'formInvalid' })
  }
  const memory = payer.attempts.find(attempt.link)
  try {
    return await confirmAttempt(deps, payer, attempt, memory)
  } catch (error) {
    const isLost = error instanceof ServiceError && error.code === 'unavailable'
    throw isLost && mayHavePaid(attempt, memory) ? new OutcomeUnknownError(error) : error
  }
}

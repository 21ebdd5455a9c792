// GET /pay/successful shows the stored payment that its URL names. Anybody can write such a URL, so the page does not
// believe a result that the URL states. If the payer has pressed Cancel, the page says about money only what is certain
// (AbandonedCertainty).
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Query } from '../http/query.ts'
import { ServiceError } from '../lib/service-error.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { toLatestIds } from './attempt-token.ts'
import type { RememberedAttempt } from './attempt-memory.ts'
import type { CheckedLink } from './check-link.ts'
import { checkLink, isPaymentOfLink, LinkRefusal, requirePayTarget } from './check-link.ts'
import type { CheckoutDeps } from './deps.ts'
import type { Confirmation, AbandonedCertainty, AbandonedLink, PayOutcome } from './pay-outcome.ts'
import type { Payer } from './payer.ts'
import { toState } from './show-payment.ts'
import { findDecisiveAttempt } from './shown-payment.ts'
import { findShownPayment } from './shown-payment-store.ts'

/** Reads only the stored state. The page of an open payment polls for the result. */
async function findState(deps: CheckoutDeps, payer: Payer, id: string): Promise<Confirmation['state']> {
  try {
    const shown = await findShownPayment(deps.db, id)
    // After a restore, the payment may be one of the lost rows.
    if (!shown) return deps.restoreGate.isClosed() ? 'unavailable' : null
    return await toState(deps, payer, shown)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    deps.log.warn({ err: error, transactionId: id }, 'the confirmation page could not read its payment')
    return 'unavailable'
  }
}

type Found = Pick<Confirmation, 'state' | 'abandoned'>
const NO_ABANDONED_LINK: Found = { state: null, abandoned: null }

/** An unsigned link does not reveal that another browser has paid the order or is paying it. */
function findOtherPayment(checkedLink: CheckedLink): AbandonedLink | null {
  const { holder, inReviewElsewhere } = checkedLink.target
  if (!checkedLink.isSigned) return null
  if (inReviewElsewhere) return { kind: 'order_in_review', checkedLink, reviewedId: inReviewElsewhere.id }
  if (!holder) return null
  if (holder.isPaid)
    return isPaymentOfLink(checkedLink.link, holder) ? { kind: 'already_paid', checkedLink } : null
  return { kind: 'in_flight', checkedLink, startOver: null }
}

function toCertainty(
  { link, isSigned, target }: CheckedLink,
  memory: RememberedAttempt | null,
): AbandonedCertainty {
  if (memory && !memory.isPressed) return 'not_pressed'
  // If the payer has pressed Pay and no payment is stored, the payment may still be on its way.
  const isUnpaid = isSigned && link.customId !== null && target.holder === null
  return memory === null && isUnpaid ? 'order_unpaid' : 'unknown'
}

/**
 * The Cancel button leads to a URL with all parameters of the pay link and its signature, so the link can be checked even
 * without cookies. If this browser has a payment of the link, that payment is shown.
 */
async function findAbandonedLink(deps: CheckoutDeps, payer: Payer, query: Query): Promise<Found> {
  try {
    const link = parsePayLink(query)
    const memory = payer.attempts.find(link)
    const ids = memory ? toLatestIds(memory.attemptId) : []
    const target = await requirePayTarget(deps, link, ids, memory?.checkoutId ?? null)
    const payment = findDecisiveAttempt(target.attempts)
    // The payment is read with the other payments of its order. No retry is offered while one of them is open or paid.
    const shown = payment && (await findShownPayment(deps.db, payment.id))
    if (shown) return { state: await toState(deps, payer, shown), abandoned: null }
    const checkedLink = checkLink(deps, link, target)
    const certainty = toCertainty(checkedLink, memory)
    return {
      state: null,
      abandoned: findOtherPayment(checkedLink) ?? { kind: 'abandoned', checkedLink, certainty },
    }
  } catch (error) {
    if (error instanceof LinkRefusal)
      return { state: null, abandoned: { kind: 'link_refused', refusal: error } }
    if (!(error instanceof ServiceError)) throw error
    return NO_ABANDONED_LINK // The page is shown without the order.
  }
}

export async function showConfirmation(
  deps: CheckoutDeps,
  payer: Payer,
  query: Query,
): Promise<PayOutcome<'confirmation'>> {
  const read = (name: string) => query.all(name)[0]
  const id = read('transactionId') ?? ''
  const transactionId = TRANSACTION_ID_PATTERN.test(id) ? id : null
  const namedState = transactionId ? await findState(deps, payer, transactionId) : null
  // If the URL names a payment, even an unknown one, the status and the pay-link parameters in the URL are ignored.
  const saysCancelled = transactionId === null && read('status') === 'cancel'
  const found = saysCancelled ? await findAbandonedLink(deps, payer, query) : NO_ABANDONED_LINK
  const { abandoned } = found
  const state = namedState ?? found.state
  return {
    kind: 'confirmation',
    transactionId:
      transactionId ?? (found.state && found.state !== 'unavailable' ? found.state.payment.id : null),
    state,
    isCancelled: saysCancelled && state === null,
    abandoned,
    mode: read('mode') === 'test' ? 'test' : 'live',
  }
}

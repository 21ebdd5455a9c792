// GET /pay/successful confirms that the payer has finished. It can also be the resultUrl of a merchant without a return
// page. Anybody can write its URL, so the state comes from the stored payment. Without a payment, the page says nothing
// about money.
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Query } from '../http/query.ts'
import { ServiceError } from '../lib/service-error.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { toLatestIds } from './attempt-token.ts'
import { checkLink, findReviewElsewhere, requirePayTarget } from './check-link.ts'
import type { CheckoutDeps } from './deps.ts'
import type { Confirmation, PayOutcome } from './pay-outcome.ts'
import type { Payer } from './payer.ts'
import { toState } from './show-payment.ts'
import { findDecisiveAttempt } from './shown-payment.ts'
import { findShownPayment } from './shown-payment-store.ts'

/** Reads only the stored state. That is enough: while the payment is open, its page polls for the result. */
async function findState(deps: CheckoutDeps, payer: Payer, id: string): Promise<Confirmation['state']> {
  try {
    const shown = await findShownPayment(deps.db, id)
    return shown && (await toState(deps, payer, shown))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    deps.log.warn({ err: error, transactionId: id }, 'the confirmation page could not read its payment')
    return 'unavailable'
  }
}

type LeftLink = Pick<Confirmation, 'state' | 'checkedLink'>
const NO_LINK: LeftLink = { state: null, checkedLink: null }

/**
 * Finds the link that the payer left, if it can be paid now. A payer can leave while the charge runs; then this browser's
 * payment is shown instead.
 */
async function findLeftLink(deps: CheckoutDeps, payer: Payer, query: Query): Promise<LeftLink> {
  try {
    const link = parsePayLink(query)
    const memory = payer.attempts.find(link)
    const ids = memory ? toLatestIds(memory.attemptId) : []
    const target = await requirePayTarget(deps, link, ids, memory?.checkoutId ?? null)
    const payment = findDecisiveAttempt(target.attempts)
    if (payment) {
      const shown = { payment, merchant: target, other: findReviewElsewhere(target) }
      return { state: await toState(deps, payer, shown), checkedLink: null }
    }
    const checkedLink = checkLink(deps, link, target)
    // An unsigned link reveals nothing about payments of other browsers.
    const hasOther = checkedLink.isSigned && (target.holder !== null || target.inReviewElsewhere !== null)
    // Without a cookie, or after a press whose payment is not stored, this browser may have paid. Then nothing is claimed.
    const isUnpressed = memory !== null && !memory.isPressed
    return isUnpressed && !hasOther ? { state: null, checkedLink } : NO_LINK
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return NO_LINK // The page is shown without the order.
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
  const named = transactionId ? await findState(deps, payer, transactionId) : null
  const saysCancelled = !named && read('status') === 'cancel'
  // If the URL names a payment, its claim that the payer cancelled is ignored.
  const left = saysCancelled && transactionId === null ? await findLeftLink(deps, payer, query) : NO_LINK
  const state = named ?? left.state
  return {
    kind: 'confirmation',
    transactionId:
      transactionId ?? (left.state && left.state !== 'unavailable' ? left.state.payment.id : null),
    state,
    isCancelled: saysCancelled && state === null,
    checkedLink: left.checkedLink,
    mode: read('mode') === 'test' ? 'test' : 'live',
  }
}

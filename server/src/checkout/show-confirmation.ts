// GET /pay/successful: confirms that the payer has finished, also as the resultUrl of a merchant without a return page.
// Anybody can write its URL, so the state comes from the stored payment. Without one the page claims nothing.
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Query } from '../http/query.ts'
import { ServiceError } from '../lib/service-error.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import type { CheckedLink } from './check-link.ts'
import { checkLink, requirePayTarget } from './check-link.ts'
import type { CheckoutDeps } from './deps.ts'
import type { Confirmation, PayOutcome } from './pay-outcome.ts'
import type { Payer } from './payer.ts'
import { toState } from './show-payment.ts'
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

/** Finds the link that the payer left. Null: the URL has none, or it cannot be paid now. */
async function findLeftLink(deps: CheckoutDeps, query: Query): Promise<CheckedLink | null> {
  try {
    const link = parsePayLink(query)
    const checkedLink = checkLink(deps, link, await requirePayTarget(deps, link, [], null))
    return checkedLink.isShownAsPaid ? null : checkedLink
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return null // The page is shown without the order.
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
  const state = transactionId && (await findState(deps, payer, transactionId))
  const isCancelled = !state && read('status') === 'cancel'
  return {
    kind: 'confirmation',
    transactionId,
    state: state || null,
    isCancelled,
    // If the URL names a payment, its claim that the payer cancelled is ignored.
    checkedLink: isCancelled && transactionId === null ? await findLeftLink(deps, query) : null,
    mode: read('mode') === 'test' ? 'test' : 'live',
  }
}

// Whether a browser made a payment. The browser proves that with the sealed cookie of its last attempt, which no other
// browser has.
import type { CheckoutDeps } from './deps.ts'
import type { CheckedLink } from './check-link.ts'
import type { Payer } from './payer.ts'
import { toPlainLink } from './shown-payment.ts'
import { findShownPayment } from './shown-payment-store.ts'

export async function isMadeByBrowser(deps: CheckoutDeps, payer: Payer, id: string): Promise<boolean> {
  const shown = await findShownPayment(deps.db, id)
  const memory = shown && payer.attempts.find(toPlainLink(shown.payment))
  return memory !== null && memory.attemptId === shown?.payment.attemptId
}

/**
 * Whether this payer may cancel a payment of the order that is open at the bank. Anybody can write an unsigned link, so
 * with an unsigned link only the browser that made the payment may. A signed link was issued by the merchant for this order.
 */
export async function mayStartOver(
  deps: CheckoutDeps,
  payer: Payer,
  checkedLink: CheckedLink,
  id: string,
): Promise<boolean> {
  return checkedLink.isSigned || isMadeByBrowser(deps, payer, id)
}

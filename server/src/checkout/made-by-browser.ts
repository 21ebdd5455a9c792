// Finds out whether a browser made a payment. The proof is the sealed cookie of the browser's last attempt.
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
 * Whether the payer may cancel the payment and start over. Anybody can write an unsigned link. So with an unsigned link, only
 * the browser that made the payment may cancel the payment.
 */
export async function mayStartOver(
  deps: CheckoutDeps,
  payer: Payer,
  checkedLink: CheckedLink,
  id: string,
): Promise<boolean> {
  return checkedLink.isSigned || isMadeByBrowser(deps, payer, id)
}

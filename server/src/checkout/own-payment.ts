// Whose payment it is. A browser proves it by the sealed cookie of its last attempt; nobody else has one for it.
import { recallAttempt } from './attempt-memory.ts'
import type { OpenLink } from './open-link.ts'
import { toPlainLink } from './shown-payment.ts'
import { findShownPayment } from './shown-payment-store.ts'
import type { Visit } from './visit.ts'

/** Whether this browser made the payment. */
export async function isOwn(visit: Visit, id: string): Promise<boolean> {
  const shown = await findShownPayment(visit.deps.db, id)
  const memory = shown && recallAttempt(visit, toPlainLink(shown.payment))
  return memory !== null && memory.attemptId === shown?.payment.attemptId
}

/**
 * Whether this payer may end a payment of the order that is open at the bank. An unsigned link can be written by
 * anybody, so it ends nobody else's payment; a signed one was handed out by the merchant for this order.
 */
export async function mayStartOver(visit: Visit, open: OpenLink, id: string): Promise<boolean> {
  return open.isSigned || isOwn(visit, id)
}

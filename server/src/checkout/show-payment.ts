// GET /pay/{transactionId}: the live state of a payment, then its receipt. Also where a bank sends its payer back to,
// with `return=1`: once paid, the way leads on to the shop.
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import { queryOf } from '../http/server.ts'
import { ServiceError } from '../lib/service-error.ts'
import { isFinal, isPaid } from '../payments/payment.ts'
import { findPayment } from '../payments/payments-store.ts'
import { refreshPayment } from '../payments/reconcile.ts'
import { sendOn } from './answers.ts'
import { recallAttempt } from './attempt-memory.ts'
import type { CheckoutDeps } from './deps.ts'
import { holdReturn, sendPayment, toNextUrl } from './payment-answers.ts'
import type { Shop, ShownPayment } from './shown-payment.ts'
import { toPlainLink } from './shown-payment.ts'
import { findShownPayment } from './shown-payment-store.ts'
import type { Visit } from './visit.ts'

export interface Shown {
  payment: ShownPayment
  shop: Shop
  /** Another payment of the same order or checkout is open, in review or paid. */
  isOrderHeld: boolean
}

export async function requireShownPayment(deps: CheckoutDeps, id: string): Promise<Shown> {
  const shown = TRANSACTION_ID_PATTERN.test(id) ? await findShownPayment(deps.db, id) : null
  if (!shown) throw new ServiceError('not_found')
  return shown
}

/** For the sandbox's bank, which has no business with payments of a real upstream. */
export async function requireSandboxPayment(deps: CheckoutDeps, id: string): Promise<Shown> {
  const shown = await requireShownPayment(deps, id)
  if (shown.payment.backend !== 'sandbox') throw new ServiceError('not_found')
  return shown
}

/** A payer is looking, so the upstream is asked now; if it cannot answer, what we know is still the truth so far. */
async function bringUpToDate(deps: CheckoutDeps, shown: Shown): Promise<Shown> {
  const payment = await findPayment(deps.db, shown.payment.id)
  if (!payment) return shown
  try {
    await refreshPayment(deps, payment)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    deps.log.warn({ err: error, transactionId: payment.id }, 'the upstream could not be asked for a payer')
  }
  return requireShownPayment(deps, payment.id)
}

export async function showPayment(visit: Visit, id: string): Promise<void> {
  const { deps, req, wantsJson } = visit
  const known = await requireShownPayment(deps, id)
  const shown = isFinal(known.payment.state) ? known : await bringUpToDate(deps, known)
  const { payment, shop, isOrderHeld } = shown
  const isReturn = queryOf(req).all('return')[0] === '1'
  if (isReturn && isPaid(payment) && !wantsJson) {
    await holdReturn(deps, payment.id)
    return sendOn(visit, 'shop', toNextUrl(deps, payment, shop.resultUrl))
  }
  const memory = recallAttempt(visit, toPlainLink(payment))
  const isOwn = memory?.attemptId === payment.attemptId
  return sendPayment(visit, { payment, shop, isOrderHeld, link: isOwn ? memory.link : null })
}

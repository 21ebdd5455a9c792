// GET /pay/{transactionId}: the current state of a payment, or its receipt if it is paid. Payers who come from the
// bank's page have `return=1` in the URL. If their payment is paid, their browser is redirected to the merchant.
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import { GateClosedError } from '../db/gate-view.ts'
import { ServiceError } from '../lib/service-error.ts'
import { isFinal, isPaid } from '../payments/payment.ts'
import { findPayment } from '../payments/payments-store.ts'
import { refreshPayment } from '../payments/reconcile.ts'
import { awaitMerchant } from './await-merchant.ts'
import type { CheckoutDeps } from './deps.ts'
import { findMoneyBack } from './money-back.ts'
import type { PayOutcome } from './pay-outcome.ts'
import type { Payer } from './payer.ts'
import type { Merchant, OtherPayment, ShownPayment } from './shown-payment.ts'
import { toPlainLink } from './shown-payment.ts'
import { findShownPayment } from './shown-payment-store.ts'

export interface ShownWithOther {
  payment: ShownPayment
  merchant: Merchant
  /** Another payment of the same order or checkout that is in review, paid or open. */
  other: OtherPayment | null
}

export async function requireShownPayment(deps: CheckoutDeps, id: string): Promise<ShownWithOther> {
  if (!TRANSACTION_ID_PATTERN.test(id)) throw new ServiceError('not_found')
  const shown = await findShownPayment(deps.db, id)
  // After a restore, the payment may be one of the lost rows.
  if (!shown) throw deps.restoreGate.isClosed() ? new GateClosedError() : new ServiceError('not_found')
  return shown
}

/** For the sandbox's bank page, which must not act on payments of a real upstream. */
export async function requireSandboxPayment(deps: CheckoutDeps, id: string): Promise<ShownWithOther> {
  const shown = await requireShownPayment(deps, id)
  if (shown.payment.backend !== 'sandbox') throw new ServiceError('not_found')
  return shown
}

/** A payer is waiting, so the upstream is queried now. Without a response, the stored state is shown. */
async function bringUpToDate(deps: CheckoutDeps, shown: ShownWithOther): Promise<ShownWithOther> {
  const payment = await findPayment(deps.db, shown.payment.id)
  if (!payment) return shown
  try {
    await refreshPayment(deps, payment)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    deps.log.warn({ err: error, transactionId: payment.id }, 'the upstream could not be queried for a payer')
  }
  return requireShownPayment(deps, payment.id)
}

export async function showPayment(
  deps: CheckoutDeps,
  payer: Payer,
  { id, isReturn }: { id: string; isReturn: boolean },
): Promise<PayOutcome> {
  const stored = await requireShownPayment(deps, id)
  const shown = isFinal(stored.payment.state) ? stored : await bringUpToDate(deps, stored)
  const { payment, merchant } = shown
  if (isReturn && isPaid(payment) && !payer.isProgram) {
    await awaitMerchant(deps, payment.id)
    return { kind: 'paid', payment, resultUrl: merchant.resultUrl }
  }
  return { kind: 'payment_state', ...(await toState(deps, payer, shown)), isReturn }
}

export async function toState(
  deps: CheckoutDeps,
  payer: Payer,
  shown: ShownWithOther,
): Promise<Omit<PayOutcome<'payment_state'>, 'kind'>> {
  const { payment } = shown
  const memory = payer.attempts.find(toPlainLink(payment))
  const link = memory?.attemptId === payment.attemptId ? memory.link : null
  return { ...shown, link, isReturn: false, moneyBack: await findMoneyBack(deps.db, payment) }
}

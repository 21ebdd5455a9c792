// The money step. A committed `processing` row, whose id is the upstream's idempotency key, comes before the call; no
// transaction is open during it; one commit ends it. No answer is neither success nor failure: it stays open and the
// reconciler asks.
import type { Charge } from '../backends/backend.ts'
import { UnknownOutcomeError } from '../backends/backend.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { PaymentDeps } from './deps.ts'
import type { Order, Payment } from './payment.ts'
import { checkSoon, findPayment, findRival, openPayment, setActionRequired } from './payments-store.ts'
import { settle, toEnd } from './settle.ts'

export type Confirmation =
  | { kind: 'payment'; payment: Payment }
  /** Another attempt has paid this order; whose it was is not this payer's business. */
  | { kind: 'already_paid' }
  | { kind: 'in_flight' }
  | { kind: 'conflict' }

async function explainRival(deps: PaymentDeps, order: Order): Promise<Confirmation> {
  const rival = await findRival(deps.db, order)
  // It ended as failed between the two statements, which leaves the order free for another press of the button.
  if (!rival) return { kind: 'in_flight' }
  const { payment, sameAttempt } = rival
  if (sameAttempt) return { kind: 'payment', payment }
  const sameOrder = payment.amount === order.amount && payment.data === order.data
  if (!sameOrder) return { kind: 'conflict' }
  return payment.state === 'succeeded' ? { kind: 'already_paid' } : { kind: 'in_flight' }
}

async function askUpstream(deps: PaymentDeps, payment: Payment): Promise<Charge | null> {
  try {
    return await deps.backends[payment.mode].create({
      id: payment.id,
      amount: payment.amount,
      currency: payment.currency,
      projectId: payment.projectId,
      mode: payment.mode,
      customId: payment.customId,
      data: payment.data,
      returnUrl: `${deps.config.baseUrl}/pay/${payment.id}?return=1`,
    })
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error
    deps.log.warn({ transactionId: payment.id }, 'the upstream gave no answer; the reconciler will ask')
    return null
  }
}

/** Writes down what the upstream said; the payment as it then stands. */
export async function recordCharge(
  deps: PaymentDeps,
  payment: Payment,
  charge: Charge | null,
): Promise<Payment> {
  const end = charge && toEnd(payment, charge)
  if (end) await settle(deps, payment.id, end)
  else if (charge?.status === 'requires_action' && charge.actionUrl)
    await setActionRequired(deps.db, payment.id, charge.actionUrl)
  else await checkSoon(deps.db, payment.id)
  return (await findPayment(deps.db, payment.id))!
}

export async function confirmPayment(deps: PaymentDeps, order: Order): Promise<Confirmation> {
  const payment = await openPayment(deps.db, newUuidV7(deps.clock), order)
  if (!payment) return explainRival(deps, order)
  const charge = await askUpstream(deps, payment)
  return { kind: 'payment', payment: await recordCharge(deps, payment, charge) }
}

// A report ends (settles) a payment only here. The final state and the callback are written in one transaction.
import type { StoredPaymentFacts } from '../callbacks/event-facts.ts'
import { newCallbackId } from '../lib/id.ts'
import { findTraceparent } from '../lib/trace.ts'
import type { PaymentDeps } from './deps.ts'
import type { Payment } from './payment.ts'
import type { End } from './settle-store.ts'
import { settlePayment } from './settle-store.ts'

export function toFacts(
  payment: Payment,
  result: Pick<StoredPaymentFacts, 'status' | 'failureCode'>,
): StoredPaymentFacts {
  const traceparent = findTraceparent()
  return {
    status: result.status,
    projectId: payment.projectId,
    transactionId: payment.id,
    amount: payment.amount.toString(),
    currency: payment.currency,
    amountScale: payment.scale,
    customId: payment.customId,
    data: payment.data,
    mode: payment.mode,
    createdAt: payment.createdAt.toISOString(),
    failureCode: result.failureCode,
    ...(traceparent === null ? {} : { traceparent }),
  }
}

/** Null: the payment had already ended, and nothing changes. */
export async function settle(deps: PaymentDeps, payment: Payment, end: End): Promise<Payment | null> {
  const status = end.state === 'succeeded' ? 'success' : 'fail'
  const facts = toFacts(payment, { status, failureCode: end.failureCode })
  const callback = { id: newCallbackId(deps.clock), facts }
  const ended = await settlePayment(deps.db, payment.id, end, callback)
  if (ended) {
    deps.wakeDelivery(ended)
    deps.metrics.countEndedPayment(ended.mode, ended.state)
    const { id: transactionId, projectId, mode, state, failureCode } = ended
    deps.log.info({ transactionId, projectId, mode, state, failureCode }, 'payment ended')
  }
  return ended
}

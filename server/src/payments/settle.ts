// The only place that ends a payment: its end state and the callback that tells of it, in one commit.
import { cancelOvertakenFails, insertCallback } from '../callbacks/outbox-store.ts'
import type { Charge } from '../backends/backend.ts'
import type { Tx } from '../db/pool.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { PaymentDeps } from './deps.ts'
import type { Payment } from './payment.ts'
import { finishPayment } from './payments-store.ts'

export type End =
  | { state: 'succeeded'; failureCode: null }
  | { state: 'failed' | 'expired'; failureCode: string }

function newCallbackId(deps: PaymentDeps): string {
  return `msg_${newUuidV7(deps.clock).replaceAll('-', '')}`
}

async function queueResult(deps: PaymentDeps, tx: Tx, payment: Payment): Promise<void> {
  const result = payment.state === 'succeeded' ? 'success' : 'fail'
  // A late "fail" must never undo an order that was paid at the second try.
  if (result === 'success' && payment.customId !== null) {
    await cancelOvertakenFails(tx, payment.projectId, payment.mode, payment.customId)
  }
  await insertCallback(tx, {
    id: newCallbackId(deps),
    projectId: payment.projectId,
    transactionId: payment.id,
    mode: payment.mode,
    result,
    customId: payment.customId,
    facts: {
      status: result,
      projectId: payment.projectId,
      transactionId: payment.id,
      amount: payment.amount.toString(),
      currency: payment.currency,
      customId: payment.customId,
      data: payment.data,
      mode: payment.mode,
      createdAt: payment.createdAt.toISOString(),
      failureCode: payment.failureCode,
    },
  })
}

/** Returns the ended payment, or null when it had ended before: then nothing happens a second time. */
export async function settle(deps: PaymentDeps, id: string, end: End): Promise<Payment | null> {
  const ended = await deps.db.transaction(async (tx) => {
    const payment = await finishPayment(tx, id, end)
    if (payment) await queueResult(deps, tx, payment)
    return payment
  })
  if (ended) deps.wakeDelivery()
  return ended
}

/** What an upstream's answer means for a payment; null while it is still open. Another amount is never a success. */
export function toEnd(payment: Payment, charge: Charge): End | null {
  switch (charge.status) {
    case 'succeeded':
      if (charge.amount !== payment.amount || charge.currency !== payment.currency) return null
      return { state: 'succeeded', failureCode: null }
    case 'failed':
      return { state: 'failed', failureCode: charge.failureCode ?? 'declined' }
    case 'cancelled':
      return { state: 'failed', failureCode: 'not_charged' }
    case 'requires_action':
    case 'processing':
      return null
  }
}

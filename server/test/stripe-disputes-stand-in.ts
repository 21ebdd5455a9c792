// The disputes of the stand-in for Stripe.
import { randomBytes } from 'node:crypto'
import type { StandInSession } from './stripe-sessions-stand-in.ts'

export interface StandInDispute {
  object: 'dispute'
  id: string
  created: number
  amount: number
  currency: string
  payment_intent: string
  status: string
  reason: string
  evidence_details: { due_by: number }
}

export interface StandInDisputes {
  disputes: StandInDispute[]
  /** Opens a dispute of a payment, or changes the status of the existing dispute. The default amount is the whole amount. */
  dispute(transactionId: string, status: string, amount?: number): StandInDispute
}

export function createStandInDisputes(require: (transactionId: string) => StandInSession): StandInDisputes {
  const disputes: StandInDispute[] = []

  function dispute(transactionId: string, status: string, amount?: number): StandInDispute {
    const { payment_intent: payment, amount_total: totalAmount, currency } = require(transactionId)
    if (!payment) throw new Error(`${transactionId} was never paid`)
    const existing = disputes.find((one) => one.payment_intent === payment.id)
    if (existing) return Object.assign(existing, { status })
    const created = Math.floor(Date.now() / 1000)
    const opened: StandInDispute = {
      object: 'dispute',
      id: `du_${randomBytes(8).toString('hex')}`,
      created,
      amount: amount ?? totalAmount,
      currency,
      payment_intent: payment.id,
      status,
      reason: 'fraudulent',
      evidence_details: { due_by: created + 7 * 24 * 3600 },
    }
    disputes.unshift(opened)
    return opened
  }

  return { disputes, dispute }
}

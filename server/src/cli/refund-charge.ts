import { toRefundId } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import type { ChargeRefusal } from '../refunds/refund-charge.ts'
import { refundCharge } from '../refunds/refund-charge.ts'
import type { Deps } from '../wire.ts'
import { RefusedError, toCell } from './command.ts'

const REFUSALS: Record<ChargeRefusal, string> = {
  not_in_review: 'nothing about it is in doubt; the merchant refunds it in the portal.',
  unknown_charge: 'its upstream has reported no such charge; "payments show" lists the charges.',
  nothing_left: 'all of this charge is already refunded or disputed.',
  not_offered: 'its upstream cannot refund through Pazar; refund the charge there.',
}

export interface ChargeChoice {
  chargeId: string
  reason: string
  by: string
}

export async function refundOneCharge(deps: Deps, payment: Payment, choice: ChargeChoice): Promise<string> {
  const result = await refundCharge(deps, payment, choice)
  if (typeof result === 'string') throw new RefusedError(`Payment ${payment.id}: ${REFUSALS[result]}`)
  const money = `${result.amount} ${result.currency}`
  return `Refund ${toRefundId(result.id)} of charge ${toCell(choice.chargeId, 128)}, ${money}: ${result.state}.`
}

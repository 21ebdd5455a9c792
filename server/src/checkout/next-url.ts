// The next page after a payment: the bank's page, the page with the current state, or the merchant.
import type { Payment } from '../payments/payment.ts'
import { isFinal, isInReview, isPaid } from '../payments/payment.ts'
import { toReturnUrl } from './return-url.ts'

export function toNextUrl(
  baseUrl: string,
  payment: Pick<Payment, 'id' | 'state' | 'needsReview' | 'resolution' | 'actionUrl' | 'customId' | 'mode'>,
  resultUrl: string,
): string {
  const isAtBank = payment.state === 'requires_action' && !isInReview(payment)
  if (isAtBank && payment.actionUrl) return payment.actionUrl
  if (!isFinal(payment.state)) return `${baseUrl}/pay/${payment.id}?return=1`
  const status = isPaid(payment) ? 'success' : isInReview(payment) ? 'pending' : 'fail'
  const order = { transactionId: payment.id, customId: payment.customId, mode: payment.mode }
  return toReturnUrl(resultUrl, { status, ...order })
}

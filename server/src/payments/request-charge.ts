// Sends the request to charge a payment. The request counts as sent unless there is proof that nothing was sent.
import { NeverSentError } from '../backends/backend.ts'
import { callUpstream } from './call-upstream.ts'
import type { PaymentDeps } from './deps.ts'
import type { Order, Payment } from './payment.ts'
import type { Report } from './reactions.ts'
import { toNoResponse } from './upstream.ts'

/**
 * How long after `openedMs` the request may still be sent. The process may have been paused since it stored the payment.
 * After 30 s the reconciler may have ended the payment as not charged, and the call itself takes up to 10 s.
 */
const SEND_WITHIN_MS = 15_000

export async function requestCharge(
  deps: PaymentDeps,
  payment: Payment,
  {
    attemptId,
    checkoutId = null,
    merchantName = null,
  }: Pick<Order, 'attemptId' | 'checkoutId' | 'merchantName'>,
  openedMs: number,
): Promise<Report> {
  if (deps.clock.nowMs() - openedMs > SEND_WITHIN_MS) return 'never_sent'
  try {
    return await callUpstream(deps, payment, 'create', (backend) =>
      backend.create({
        id: payment.id,
        amount: payment.amount,
        currency: payment.currency,
        scale: payment.scale ?? deps.installation.scaleOfOldPayments,
        projectId: payment.projectId,
        mode: payment.mode,
        customId: payment.customId,
        data: payment.data,
        merchantName,
        returnUrl: `${deps.config.baseUrl}/pay/${payment.id}?return=1`,
        origin: {
          installationId: deps.installation.id,
          attemptId,
          checkoutId,
          createdAt: payment.createdAt,
        },
      }),
    )
  } catch (error) {
    if (!(error instanceof NeverSentError)) return toNoResponse(deps, payment, error)
    deps.log.warn({ err: error, transactionId: payment.id }, 'the upstream cannot be reached')
    return 'never_sent'
  }
}

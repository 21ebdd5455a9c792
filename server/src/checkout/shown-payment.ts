import type { PayLink } from '../paylinks/pay-link.ts'
import type { Payment } from '../payments/payment.ts'
import type { RefundSums } from '../payments/refundable.ts'
import type { Brand } from '../projects/brand.ts'
import { isInReview, isPaid, isUnpaid } from '../payments/payment.ts'

export interface ShownPayment extends Payment {
  attemptId: string
  /** The id of the checkout's first attempt. For orders with a customId, no such id is stored, so this is `attemptId`. */
  checkoutId: string
  completedAt: Date | null
  sums: RefundSums
}

/** Another payment of the same order or checkout. */
export interface OtherPayment {
  standing: 'in_review' | 'paid' | 'open'
  id: string
  attemptId: string
}

/** If another payment was charged, or may have been, continuing at the bank could charge the payer twice. */
export function mustNotContinueAtBank(
  { state, actionUrl }: Pick<ShownPayment, 'state' | 'actionUrl'>,
  other: OtherPayment | null,
): other is OtherPayment {
  return state === 'requires_action' && actionUrl !== null && other !== null && other.standing !== 'open'
}

export interface Merchant {
  name: string
  resultUrl: string
  /** Null: this page shows no brand. */
  brand: Brand | null
}

/** The query parameter of the "pay again" link: the reference of the payment that this browser has made with the pay link. */
export const AGAIN_PARAMETER = 'again'

/**
 * The attempt whose page is shown for the whole checkout. `attempts` are all attempts of one browser for one link,
 * latest first. If the latest was declined, an earlier one may still have been charged.
 */
export function findDecisiveAttempt(attempts: readonly ShownPayment[]): ShownPayment | null {
  const [latest] = attempts
  if (!latest || isPaid(latest)) return latest ?? null
  // Attempts with a customId belong to one order, even if they belong to different checkouts.
  const ofSamePurchase = attempts.filter(
    ({ customId, checkoutId }) => customId !== null || checkoutId === latest.checkoutId,
  )
  return (
    ofSamePurchase.find(isInReview) ??
    ofSamePurchase.find(isPaid) ??
    ofSamePurchase.find((one) => !isUnpaid(one)) ??
    latest
  )
}

/** The link of this payment, without its signature and expiry date, which are not stored. */
export function toPlainLink(payment: ShownPayment): PayLink {
  return {
    projectId: payment.projectId,
    amount: payment.amount.toString(),
    data: payment.data ?? '',
    customId: payment.customId,
    mode: payment.mode,
    exp: null,
    sig: null,
  }
}

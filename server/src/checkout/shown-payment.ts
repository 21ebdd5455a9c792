// A payment as its payer may see it. Used by the page of a link, which finds it by this browser's attempt, and by
// the page of the payment itself.
import type { PayLink } from '../paylinks/pay-link.ts'
import type { Payment } from '../payments/payment.ts'
import { isInReview, isPaid, isUnpaid } from '../payments/payment.ts'

export interface ShownPayment extends Payment {
  attemptId: string
  /** The first attempt of the checkout this one belongs to. */
  checkoutId: string
  completedAt: Date | null
}

/** Another payment of the same order or checkout. */
export interface OtherPayment {
  standing: 'in_review' | 'paid' | 'open'
  id: string
  attemptId: string
}

/**
 * A payment that waits at the bank while another one of its order was charged, or may have been: continuing at the
 * bank would be paying twice.
 */
export function isHeldAtBank(
  { state, actionUrl }: Pick<ShownPayment, 'state' | 'actionUrl'>,
  other: OtherPayment | null,
): other is OtherPayment {
  return state === 'requires_action' && actionUrl !== null && other !== null && other.standing !== 'open'
}

/** The project that is paid, as its payers see it. */
export interface Merchant {
  name: string
  resultUrl: string
}

/** Holds the reference of the payment after which another one is requested. It has no effect once that one is made. */
export const AGAIN_PARAMETER = 'again'

/**
 * Of a browser's attempts, latest first, the one whose page is shown for the whole checkout. A declined one does not
 * exclude that an earlier one was charged after all.
 */
export function toDecisive(attempts: readonly ShownPayment[]): ShownPayment | null {
  const [latest] = attempts
  if (!latest || isPaid(latest)) return latest ?? null
  const same = attempts.filter(
    ({ customId, checkoutId }) => customId !== null || checkoutId === latest.checkoutId,
  )
  return same.find(isInReview) ?? same.find(isPaid) ?? same.find((one) => !isUnpaid(one)) ?? latest
}

/** The link this was paid by, without its signature and date, which are not stored. */
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

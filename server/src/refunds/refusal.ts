import type { CurrencyAndScale } from '../db/installation-store.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Payment } from '../payments/payment.ts'
import { isPaid } from '../payments/payment.ts'
import type { RefundSums } from '../payments/refundable.ts'
import { toRemaining } from '../payments/refundable.ts'
import type { Refund } from './refund.ts'

type NotRefundable = 'refund_not_paid' | 'refund_in_review' | 'refund_disputed' | 'refund_not_offered'

export function notRefundable(code: NotRefundable): ServiceError {
  return new ServiceError('not_refundable', { fields: [{ path: 'transactionId', code }] })
}

/** `left`: how much can still be refunded. The detail of the error shows this amount. */
function amountTooHigh(
  code: 'refund_left' | 'refund_daily_cap',
  left: bigint,
  money: CurrencyAndScale,
): ServiceError {
  const field = {
    path: 'amount',
    code,
    params: { left: left.toString(), currency: money.currency, scale: money.scale },
  }
  return new ServiceError('refund_exceeds', { fields: [field], detail: field })
}

export function requireAmount(
  payment: Payment,
  sums: RefundSums,
  requested: bigint | null,
  money: CurrencyAndScale,
): bigint {
  if (!isPaid(payment)) throw notRefundable('refund_not_paid')
  if (payment.needsReview) throw notRefundable('refund_in_review')
  const left = toRemaining(payment.amount, sums)
  if (left === 0n && sums.disputed > 0n) throw notRefundable('refund_disputed')
  if (left === 0n || (requested !== null && requested > left)) throw amountTooHigh('refund_left', left, money)
  return requested ?? left
}

/** Returns the same amount with another number of decimals, rounded down. */
export function toDecimals(amount: bigint, from: number, to: number): bigint {
  return to >= from ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to)
}

export function requireWithinCap(
  amount: bigint,
  dailyCap: bigint,
  spent: bigint,
  money: CurrencyAndScale,
): void {
  const left = dailyCap > spent ? dailyCap - spent : 0n
  if (amount > left) throw amountTooHigh('refund_daily_cap', left, money)
}

export interface RefundRequest {
  transactionId: string
  /** Null: everything that can still be refunded. */
  amount: bigint | null
  reason: string | null
  idempotencyKey: string
}

/** The same idempotency key with other values is a mistake of the caller. */
export function requireSame(earlier: Refund, request: RefundRequest): Refund {
  const isSame =
    earlier.transactionId === request.transactionId &&
    earlier.requestedAmount === request.amount &&
    earlier.reason === request.reason
  if (!isSame)
    throw new ServiceError('idempotency_conflict', { fields: [{ path: 'idempotencyKey', code: 'key_used' }] })
  return earlier
}

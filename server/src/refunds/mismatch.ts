// A report about one of our refunds that has another amount, currency or payment than we requested.
import type { RefundReport } from '../backends/backend.ts'
import type { IncidentFacts } from '../payments/incidents-store.ts'
import type { Refund } from './refund.ts'
import { toMismatchFacts } from './report-facts.ts'

export interface Mismatch {
  status: RefundReport['status']
  amount: bigint
  currency: string
  refundRef: string | null
  /**
   * The payment that the report names instead of the refund's own payment. Null: the report names the refund's own
   * payment, or no payment.
   */
  paymentId: string | null
  /** The report itself, if it has just arrived. */
  report: RefundReport | null
}

const STATUSES: readonly string[] = ['pending', 'succeeded', 'failed'] satisfies RefundReport['status'][]

const isStatus = (text: string | null | undefined): text is RefundReport['status'] =>
  text !== null && text !== undefined && STATUSES.includes(text)

/** Null: the report was not readable. */
export function readMismatch(facts: IncidentFacts): Mismatch | null {
  const { said, saidAmount, saidCurrency, saidRefund = null, saidPayment = null } = facts
  if (!isStatus(said) || !saidAmount || !saidCurrency) return null
  const amount = BigInt(saidAmount)
  return {
    status: said,
    amount,
    currency: saidCurrency,
    refundRef: saidRefund,
    paymentId: saidPayment,
    report: null,
  }
}

export function toMismatch(refund: Refund, report: RefundReport): Mismatch {
  const mismatch = readMismatch(toMismatchFacts(refund, report))
  if (!mismatch) throw new Error('a report of a refund always has a status, an amount and a currency')
  return { ...mismatch, report }
}

export function isSameMismatch(a: Mismatch, b: Mismatch): boolean {
  return (
    a.status === b.status &&
    a.amount === b.amount &&
    a.currency === b.currency &&
    a.refundRef === b.refundRef &&
    a.paymentId === b.paymentId
  )
}

/**
 * What an operator's decision `as` about our refund would mean. `moved`: our refund failed, and the reported amount moved
 * instead. `nothing`: no money moved. `untrue`: the decision would be wrong. The decision `succeeded` is always wrong here.
 * The decision `failed` is wrong if the report is pending, or if money moved in another currency or for another payment.
 */
export function judgeMismatch(
  { status, currency, paymentId }: Mismatch,
  refund: Refund,
  as: 'succeeded' | 'failed',
): 'moved' | 'nothing' | 'untrue' {
  if (as === 'succeeded' || status === 'pending') return 'untrue'
  if (status === 'failed') return 'nothing'
  return currency === refund.currency && paymentId === null ? 'moved' : 'untrue'
}

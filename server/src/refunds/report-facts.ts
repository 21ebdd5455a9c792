import type { RefundReport } from '../backends/backend.ts'
import { toSafeText } from '../payments/record-report.ts'
import type { RefundEnd, Report } from './reactions.ts'
import type { Refund } from './refund.ts'
import type { End } from './refunds-store.ts'

export function toEnd(state: RefundEnd, report: Report): End {
  if (typeof report === 'string')
    return { state, failureCode: 'not_refunded', upstreamRef: null, changesInMs: null }
  const { upstreamRef, changesInMs = null } = report
  const failureCode = state === 'succeeded' ? null : (report.failureCode ?? 'declined')
  return { state, failureCode, upstreamRef, changesInMs }
}

export function toReportedFacts(report: RefundReport): Record<string, string | null> {
  return {
    said: report.status,
    saidAmount: report.amount.toString(),
    saidCurrency: toSafeText(report.currency),
    saidRefund: report.upstreamRef && toSafeText(report.upstreamRef),
  }
}

export function toMismatchFacts(refund: Refund, report: RefundReport): Record<string, string | null> {
  const { paymentId } = report
  const isOther = paymentId !== null && paymentId !== refund.transactionId
  return { ...toReportedFacts(report), ...(isOther && { saidPayment: toSafeText(paymentId) }) }
}

import type { Charge } from '../backends/backend.ts'
import { GarbledResponseError } from '../backends/backend.ts'
import { callUpstream } from './call-upstream.ts'
import type { PaymentDeps } from './deps.ts'
import type { Payment } from './payment.ts'
import { isFinal } from './payment.ts'
import { findPayment } from './payments-store.ts'
import type { Report } from './reactions.ts'
import { toEvent } from './reactions.ts'
import { recordReport, toSafeText } from './record-report.ts'
import { requireBackend } from './upstream.ts'

export interface LookupResult {
  payment: Payment
  /**
   * The status that the upstream reported. `unknown`: the upstream has no such payment. `no response`: there was no usable
   * response.
   */
  reported: Charge['status'] | 'unknown' | 'no response'
  noResponseReason: string | null
  /**
   * True: the upstream reported a charge that has the payment's amount, currency and project, even if the report was too
   * old to be recorded.
   */
  isCharged: boolean
}

interface Reply {
  /** Null: the upstream has no such payment. */
  report: Report | null
  noResponseReason: string | null
}

async function toReply(request: () => Promise<Charge | null>): Promise<Reply> {
  try {
    return { report: await request(), noResponseReason: null }
  } catch (error) {
    const noResponseReason = error instanceof Error ? error.message : String(error)
    return {
      report: error instanceof GarbledResponseError ? 'garbled' : 'no_response',
      noResponseReason: toSafeText(noResponseReason, 160),
    }
  }
}

function toReported(report: Report | null): LookupResult['reported'] {
  if (report === null) return 'unknown'
  return typeof report === 'string' ? 'no response' : report.status
}

async function record(
  deps: PaymentDeps,
  payment: Payment,
  { report, noResponseReason }: Reply,
): Promise<LookupResult> {
  const reported = toReported(report)
  if (report === null) return { payment, reported, noResponseReason, isCharged: false }
  await recordReport(deps, payment, report)
  // The payment is read again, because a report can put it in review without changing its state.
  const stored = (await findPayment(deps.db, payment.id)) ?? payment
  const event = toEvent(payment, report)
  const isCharged = event === 'charged' || event === 'charged_again'
  return { payment: stored, reported, noResponseReason, isCharged }
}

/** Looks the payment up without recording the report, for a dry run. A fault of the upstream raises no incident here. */
export async function previewLookup(
  deps: PaymentDeps,
  payment: Payment,
): Promise<Pick<LookupResult, 'reported' | 'noResponseReason'>> {
  const { report, noResponseReason } = await toReply(async () =>
    requireBackend(deps, payment).find(payment.id),
  )
  return { reported: toReported(report), noResponseReason }
}

export async function lookUpNow(deps: PaymentDeps, payment: Payment): Promise<LookupResult> {
  const reply = await toReply(() =>
    callUpstream(deps, payment, 'lookup', (backend) => backend.find(payment.id)),
  )
  return record(deps, payment, reply)
}

/**
 * Used before an operator ends an open payment: looks the payment up, and cancels it upstream if it may still be
 * charged. A missing response does not block the decision.
 */
export async function closeNow(deps: PaymentDeps, payment: Payment): Promise<LookupResult> {
  const found = await lookUpNow(deps, payment)
  const isCloseable =
    found.reported === 'processing' || found.reported === 'requires_action' || found.reported === 'unknown'
  if (isFinal(found.payment.state) || !isCloseable) return found
  const evenIfPayerFinished = found.reported === 'processing'
  const reply = await toReply(() =>
    callUpstream(deps, found.payment, 'lookup', (backend) =>
      backend.cancel(payment.id, { evenIfPayerFinished }),
    ),
  )
  return record(deps, found.payment, reply)
}

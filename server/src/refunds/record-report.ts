// Compares a report of an upstream with the stored refund, and does what the table of reactions defines.
import type { IncidentKind } from '../lib/incident-kind.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { raiseIncident } from '../payments/incidents.ts'
import type { Payment } from '../payments/payment.ts'
import { adoptRefund, toLookupId } from './adopt.ts'
import { checkSoon, planCheckOfEnded } from './due-store.ts'
import { endRefund } from './end-refund.ts'
import type { Report } from './reactions.ts'
import { REFUND_REACTIONS, toRefundEvent } from './reactions.ts'
import type { Refund } from './refund.ts'
import { findRefund, storePendingReason } from './refunds-store.ts'
import { toEnd, toMismatchFacts } from './report-facts.ts'
import { lookUpRefund, sendRefund } from './upstream.ts'

/** A refund changes its state at most twice and is sent again at most once per lookup, so more rounds would be a bug. */
const ROUNDS_MAX = 5

async function raiseRefundIncident(
  deps: PaymentDeps,
  refund: Refund,
  report: Report,
  { act, kind }: { act: 'raise' | 'review'; kind: IncidentKind },
): Promise<void> {
  const reportedFacts = typeof report === 'string' ? { said: report } : toMismatchFacts(refund, report)
  const facts = { refund: refund.id, state: refund.state, amount: refund.amount.toString(), ...reportedFacts }
  const incident = { kind, transactionId: refund.transactionId, subject: refund.id, facts }
  await raiseIncident(deps, incident, { needsReview: act === 'review' })
}

function wouldChangeEnded(refund: Refund, act: string): boolean {
  return refund.state !== 'processing' && act !== 'keep'
}

export interface ReportOptions {
  /** The report is not a response to a request of ours, so it may be late. */
  isWebhook?: boolean
}

export interface Recorded {
  refund: Refund
  /**
   * The last report. If the first report led to another request to the upstream, this is the response to that request.
   */
  report: Report
}

export async function recordRefundReport(
  deps: PaymentDeps,
  payment: Payment,
  lastRead: Refund,
  firstReport: Report,
  options: ReportOptions = {},
): Promise<Refund> {
  return (await recordLastReport(deps, payment, lastRead, firstReport, options)).refund
}

export async function recordLastReport(
  deps: PaymentDeps,
  payment: Payment,
  lastRead: Refund,
  firstReport: Report,
  { isWebhook = false }: ReportOptions = {},
): Promise<Recorded> {
  let refund = lastRead
  let report = firstReport
  let mayBeLate = isWebhook
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const reaction = REFUND_REACTIONS[refund.state][toRefundEvent(refund, report)]
    if (mayBeLate && wouldChangeEnded(refund, reaction.act)) {
      report = await lookUpAgain(deps, payment, refund, report)
      mayBeLate = false
      continue
    }
    switch (reaction.act) {
      case 'keep':
        await planNext(deps, refund, report)
        return { refund, report }
      case 'wait':
        return { refund: (await recordWait(deps, refund, report)) ?? refund, report }
      case 'raise':
      case 'review':
        await raiseRefundIncident(deps, refund, report, reaction)
        return { refund, report }
      case 'adopt':
        if (typeof report === 'string') throw new Error('only a report can be adopted')
        return {
          refund: await adoptRefund(deps, payment, {
            ...report,
            id: null,
            chargeId: refund.chargeRef ?? report.chargeId,
            upstreamRef: report.upstreamRef ?? refund.id,
            lookupId: toLookupId(refund, report),
          }),
          report,
        }
      case 'send':
        report = await sendRefund(deps, payment, refund)
        break
      case 'end': {
        const ended = await endRefund(deps, refund, toEnd(reaction.state, report))
        if (ended) return { refund: ended, report }
        // Another process has changed the refund in the meantime, so the report is compared with the new state.
        refund = await requireRefund(deps, refund.id)
      }
    }
  }
  throw new Error(`refund ${refund.id} keeps changing while a report is recorded`)
}

/** A webhook that contradicts the end of the refund may be old. Only a lookup shows the current status. */
async function lookUpAgain(
  deps: PaymentDeps,
  payment: Payment,
  refund: Refund,
  webhook: Report,
): Promise<Report> {
  // Earlier releases did not store under which id the upstream finds the refund. The webhook has this id.
  const lookupId = (typeof webhook === 'string' ? null : webhook.lookupId) ?? refund.lookupId
  const report = await lookUpRefund(deps, payment, { ...refund, lookupId }, 0)
  // The error makes the upstream send the webhook again.
  if (report === 'no_response' || report === 'garbled')
    throw new ServiceError('unavailable', { retryAfterSec: 30, log: 'a refund could not be looked up' })
  return report
}

async function planNext(deps: PaymentDeps, refund: Refund, report: Report): Promise<void> {
  if (refund.state !== 'processing') {
    const changesInMs = typeof report === 'string' ? null : (report.changesInMs ?? null)
    return planCheckOfEnded(deps.db, refund.id, changesInMs)
  }
  await storePendingReason(deps.db, refund.id, 'no_response', null)
}

async function recordWait(deps: PaymentDeps, refund: Refund, report: Report): Promise<Refund | null> {
  if (typeof report === 'string') return null
  return storePendingReason(deps.db, refund.id, report.pendingReason ?? 'processing', report.upstreamRef)
}

async function requireRefund(deps: PaymentDeps, id: string): Promise<Refund> {
  const refund = await findRefund(deps.db, id)
  if (!refund) throw new Error(`refund ${id} does not exist any more`)
  return refund
}

export async function recordResponse(
  deps: PaymentDeps,
  payment: Payment,
  refund: Refund,
  report: Report,
): Promise<Refund> {
  if (typeof report === 'string') await checkSoon(deps.db, refund.id)
  await recordRefundReport(deps, payment, refund, report)
  return requireRefund(deps, refund.id)
}

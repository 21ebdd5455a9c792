// Compares a report of an upstream with the stored payment, and does what the table of reactions defines.
import type { Charge } from '../backends/backend.ts'
import type { IncidentKind } from '../lib/incident-kind.ts'
import { recordBankFinished, recordBankPage } from './bank-step-store.ts'
import { checkNow, stopChecks } from './checks-store.ts'
import type { PaymentDeps } from './deps.ts'
import { closeUnresolved, raiseIncident } from './incidents.ts'
import type { IncidentFacts } from './incidents-store.ts'
import type { Payment } from './payment.ts'
import { isFinal } from './payment.ts'
import { findPayment } from './payments-store.ts'
import type { EndState, Report, UpstreamEvent } from './reactions.ts'
import { toEvent, toReaction } from './reactions.ts'
import { storeReport } from './reports-store.ts'
import { recordSequence } from './sequence-store.ts'
import type { End } from './settle-store.ts'
import { storeChargeId } from './settle-store.ts'
import { settle } from './settle.ts'

/** Why a bank step was closed upstream. The payer sees this reason, and the merchant gets it. */
export type CancelReason = 'expired' | 'cancelled'

/** A payment changes rarely. Three other changes while one report is recorded would be a bug. */
const MOVES_MAX = 3

/** After one of these events, a payment that an operator has resolved needs no further lookups. */
const CONCLUSIVE_EVENTS: ReadonlySet<UpstreamEvent> = new Set<UpstreamEvent>([
  'charged',
  'charged_again',
  'charged_differently',
  'declined',
  'cancelled',
])

/** The longest id that an upstream may report (Stripe). A shortened id could be that of another charge. */
const ID_LENGTH_MAX = 255

/** Text from other systems is shortened and made printable before it is stored or logged. */
export function toSafeText(text: string, max = 64): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, max)
}

function toIncidentFacts(payment: Payment, report: Report): IncidentFacts {
  const ours = { state: payment.state, amount: payment.amount.toString(), currency: payment.currency }
  if (typeof report === 'string') return { ...ours, said: report }
  return {
    ...ours,
    said: report.status,
    saidId: toSafeText(report.id),
    saidAmount: report.amount.toString(),
    saidCurrency: toSafeText(report.currency),
    saidProject: report.projectId && toSafeText(report.projectId),
    saidCharge: report.chargeId && toSafeText(report.chargeId, ID_LENGTH_MAX),
    charge: payment.upstreamRef,
  }
}

function toFailureCode(state: EndState, report: Report, cancelledAs: CancelReason): string | null {
  if (state === 'succeeded') return null
  if (typeof report === 'string') return 'upstream_unavailable'
  // An upstream that closes bank pages itself can report that the page has expired.
  if (state === 'expired') return report.failureCode === 'expired' ? 'expired' : cancelledAs
  return report.status === 'cancelled' ? 'not_charged' : (report.failureCode ?? 'declined')
}

function toEnd(state: EndState, report: Report, cancelledAs: CancelReason): End {
  const upstreamRef = typeof report === 'string' ? null : report.chargeId
  return { state, failureCode: toFailureCode(state, report, cancelledAs), upstreamRef }
}

async function raiseWithReport(
  deps: PaymentDeps,
  payment: Payment,
  report: Report,
  { act, kind }: { act: 'raise' | 'review'; kind: IncidentKind },
): Promise<void> {
  const facts = toIncidentFacts(payment, report)
  const incident = { kind, transactionId: payment.id, subject: payment.id, facts }
  await raiseIncident(deps, incident, {
    needsReview: act === 'review',
    // The report and its incident are stored in one transaction. A stored report counts as known to the operator who
    // decides next, so it must not be stored without an incident.
    isAlreadyDecided: (tx) => storeReport(tx, payment.id, payment.resolvedAt, facts),
  })
}

export interface ReportOptions {
  cancelledAs?: CancelReason
  /** The report is not a response to a request of ours, so it may be late. */
  isWebhook?: boolean
}

export async function recordReport(
  deps: PaymentDeps,
  lastRead: Payment,
  report: Report,
  { cancelledAs = 'cancelled', isWebhook = false }: ReportOptions = {},
): Promise<Payment> {
  let payment = lastRead
  const sequence = typeof report === 'string' || report.id !== lastRead.id ? null : report.sequence
  for (let round = 1; round <= MOVES_MAX; round += 1) {
    if (typeof sequence === 'number') {
      // If a response to our own request reports an end, it is current, even if the upstream has restarted its numbering.
      const newest = await recordSequence(deps.db, payment.id, sequence, !isWebhook && isEnd(report))
      payment = newest ?? (await requirePayment(deps, payment.id))
      if (!newest && !isChargeAfterEnd(payment, report)) {
        // An outdated report of an end is not recorded, but the payment is looked up to be sure.
        if (isEnd(report)) await checkNow(deps.db, payment.id)
        return payment
      }
    }
    const event = toEvent(payment, report)
    const reaction = toReaction(payment, event)
    let changed: Payment | null
    switch (reaction.act) {
      case 'keep':
      case 'raise':
      case 'review':
        if (reaction.act !== 'keep') await raiseWithReport(deps, payment, report, reaction)
        if (payment.resolution !== null && CONCLUSIVE_EVENTS.has(event)) await stopChecks(deps.db, payment.id)
        // The payment is read again, because it may be in review now, and then its payer must not start over.
        return reaction.act === 'review' ? requirePayment(deps, payment.id) : payment
      case 'end':
        // The incident is closed first. If the process is killed after that, the payment is still open and is looked up.
        if (payment.needsReview) await closeUnresolved(deps, payment.id)
        changed = await settle(deps, payment, toEnd(reaction.state, report, cancelledAs))
        if (changed?.needsReview) {
          await closeUnresolved(deps, payment.id)
          changed = await requirePayment(deps, payment.id)
        }
        break
      case 'store_charge_id': {
        const chargeId = typeof report === 'string' ? null : report.chargeId
        if (chargeId === null || payment.upstreamRef !== null) return payment
        changed = await storeChargeId(deps.db, payment.id, chargeId)
        break
      }
      case 'send_to_bank':
        if (payment.actionUrl !== null) return payment
        changed = await recordBankPage(deps.db, payment.id, requireActionUrl(report), sequence)
        break
      case 'leave_bank':
        if (payment.actionUrl === null) return payment
        changed = await recordBankFinished(deps.db, payment.id, sequence)
        break
    }
    if (changed) return changed
    // The payment has changed in the meantime, so the report is compared with it again.
    payment = await requirePayment(deps, payment.id)
  }
  throw new Error(`transaction ${payment.id} keeps changing while a report is recorded`)
}

function isEnd(report: Report): boolean {
  return typeof report !== 'string' && ['succeeded', 'failed', 'cancelled'].includes(report.status)
}

/** A charge that is reported after the end of the payment counts, whatever sequence number the report has. */
function isChargeAfterEnd(payment: Payment, report: Report): boolean {
  return isFinal(payment.state) && typeof report !== 'string' && report.status === 'succeeded'
}

/**
 * A webhook may be late. If it has no sequence number and would send the payer back to the bank, the payment is looked up
 * instead.
 */
export async function recordWebhook(deps: PaymentDeps, payment: Payment, report: Charge): Promise<void> {
  const hasLeftBank = payment.state === 'requires_action' && payment.actionUrl === null
  if (report.status === 'requires_action' && typeof report.sequence !== 'number' && hasLeftBank)
    return checkNow(deps.db, payment.id)
  await recordReport(deps, payment, report, { isWebhook: true })
}

function requireActionUrl(report: Report): string {
  const url = typeof report === 'string' ? null : report.actionUrl
  if (url === null) throw new Error('the upstream reported a bank step without a URL')
  return url
}

async function requirePayment(deps: PaymentDeps, id: string): Promise<Payment> {
  const payment = await findPayment(deps.db, id)
  if (!payment) throw new Error(`transaction ${id} does not exist any more`)
  return payment
}

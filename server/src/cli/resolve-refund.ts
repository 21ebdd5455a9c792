import { toRefundId } from '../lib/id.ts'
import { toReference } from '../payments/payment.ts'
import type { Refund } from '../refunds/refund.ts'
import { findRefund } from '../refunds/refunds-store.ts'
import type { RefundDecision, RefundOutcome, RefundPlan, RefundRefusal } from '../refunds/resolve-refund.ts'
import { planRefundEnd, resolveRefund } from '../refunds/resolve-refund.ts'
import type { Mismatch } from '../refunds/mismatch.ts'
import { judgeMismatch } from '../refunds/mismatch.ts'
import type { Deps } from '../wire.ts'
import { RefusedError, toCell } from './command.ts'
import type { Confirm, DecisionOptions } from './confirm-decision.ts'
import { confirmDecision } from './confirm-decision.ts'

const toShowCommand = ({ transactionId }: Refund) => `npm run pazar -- payments show ${transactionId}`

/** For example "succeeded with 600 EUR (rf_7)". */
function toReportText({ status, amount, currency, refundRef, paymentId }: Mismatch): string {
  const payment = paymentId === null ? '' : ` for the payment ${toCell(paymentId, 64)}`
  return `${status} with ${amount} ${toCell(currency, 8)}${payment} (${toCell(refundRef, 64)})`
}

function toMismatchText(name: string, refund: Refund, mismatch: Mismatch): string {
  const reported = `The upstream reports ${name} as ${toReportText(mismatch)}, but the request was to refund ${refund.amount} ${refund.currency} of the payment ${refund.transactionId}.`
  if (mismatch.status === 'pending')
    return `${reported} The refund can still change, so only the upstream can end it. Ask the upstream to complete or cancel the refund.`
  if (judgeMismatch(mismatch, refund, 'failed') === 'untrue')
    return `${reported} A refund of this amount cannot be recorded for this payment. Ask the upstream to reverse the refund. Once the upstream reports it as failed, resolve it as failed.`
  return `${reported} So it did not succeed as requested: resolve it as failed.`
}

function toRefusal(refusal: RefundRefusal): string {
  const { refund } = refusal
  const name = `Refund ${toRefundId(refund.id)}`
  switch (refusal.kind) {
    case 'ended':
      return `${name} has already ended as ${refund.state}. An operator cannot change that. See "${toShowCommand(refund)}".`
    case 'not_in_doubt':
      return `${name} is open and has no incident refund_unresolved: it is still looked up automatically. The incident is raised if the upstream does not respond for a day, or has not ended the refund after two weeks.`
    case 'not_configured':
      return `${name} is open, and its upstream ${refusal.backend} is not configured here (check ${refusal.setting}), so it cannot be looked up. Run the command with the service's own settings.`
    case 'responded':
      return `The upstream responds and reports ${name} as ${refusal.reported}, so only the upstream can end it. Ask it to complete or cancel the refund.`
    case 'mismatched':
      return toMismatchText(name, refund, refusal.mismatch)
    case 'changed':
      return `Since you looked at ${name}, something new was reported about its payment, or the payment was refunded or disputed. Nothing was changed. See "${toShowCommand(refund)}", then decide again.`
  }
}

function requireAllowed<T extends { kind: string }>(outcome: T | RefundRefusal): Exclude<T, RefundRefusal> {
  switch (outcome.kind) {
    case 'ended':
    case 'not_in_doubt':
    case 'not_configured':
    case 'responded':
    case 'mismatched':
    case 'changed':
      throw new RefusedError(toRefusal(outcome as RefundRefusal))
    default:
      return outcome as Exclude<T, RefundRefusal>
  }
}

function describeAmount({ refund, mismatch }: RefundPlan, as: RefundDecision['as']): string {
  if (as === 'succeeded') return '  its amount counts as refunded'
  switch (mismatch && judgeMismatch(mismatch, refund, as)) {
    case 'moved':
      return `  ${mismatch!.amount} ${refund.currency} are recorded as a refund that was made at the upstream; the rest of the requested amount is no longer reserved`
    case 'nothing':
      return '  its amount is no longer reserved and can be refunded again'
    default:
      return '  its amount is no longer reserved and can be refunded again; if the upstream did refund it, the payer gets the money twice'
  }
}

function describePlan(plan: RefundPlan, { as, reason, by }: RefundDecision): string {
  const { refund, payment, mismatch, isUnresolved } = plan
  const { id, amount, currency, chargeRef } = refund
  const charge = toCell(chargeRef ?? payment.upstreamRef, 128)
  const conditions = [
    ...(mismatch && judgeMismatch(mismatch, refund, as) !== 'untrue'
      ? ['the upstream still reports the same']
      : []),
    ...(isUnresolved ? ['the upstream gives no usable response'] : []),
  ]
  return [
    `Refund ${toRefundId(id)} of ${amount} ${currency}, charge ${charge}, payment ${payment.id} (${toReference(payment.id)}), state processing:`,
    ...(mismatch ? [`  the upstream has reported it as ${toReportText(mismatch)}`] : []),
    `  it is looked up again first; your decision counts only if ${conditions.join(', or if ')}`,
    `  it ends as ${as}, by ${by}: ${reason}`,
    describeAmount(plan, as),
    '  the event refund.result is recorded, and sent as a callback if the project has chosen this event',
    '  its incidents are closed',
    '  you cannot undo this',
  ].join('\n')
}

const describeAdopted = (adopted: Refund | null) =>
  adopted === null
    ? ''
    : ` The ${adopted.amount} ${adopted.currency} that the upstream reports are recorded as refund ${toRefundId(adopted.id)}, made at the upstream.`

function describeOutcome(outcome: Exclude<RefundOutcome, RefundRefusal>): string {
  const { refund } = outcome
  const name = `Refund ${toRefundId(refund.id)}`
  switch (outcome.kind) {
    case 'already':
      return `${name} is already ${refund.state}; nothing was changed and nothing was sent.`
    case 'reported':
      return `${name} has meanwhile ended as ${refund.state}, by the upstream's own report or another decision. There was nothing left to decide.`
    case 'resolved':
      return `${name} has ended as ${refund.state}.${describeAdopted(outcome.adopted)} If the upstream later reports something else, that is recorded, and "payments show" shows it.`
  }
}

/** `text`: the refund's id, as in the API (`re_…`) or as at the upstream (a UUID). */
async function requireRefund(deps: Deps, text: string): Promise<Refund> {
  const hex = text.replace(/^re_/, '').replaceAll('-', '')
  const refund = /^[0-9a-f]{32}$/.test(hex) ? await findRefund(deps.db, hex) : null
  if (!refund)
    throw new RefusedError(
      `There is no refund ${toCell(text)}; "payments show <payment>" lists the refunds of a payment.`,
    )
  return refund
}

export async function resolveOneRefund(
  deps: Deps,
  text: string,
  decision: RefundDecision,
  options: DecisionOptions,
  confirm?: Confirm,
): Promise<string> {
  const plan = requireAllowed(await planRefundEnd(deps, await requireRefund(deps, text), decision))
  if (plan.kind === 'already') return describeOutcome(plan)
  const { refund, evidenceCode } = plan
  if (options.evidenceCode !== null && options.evidenceCode !== evidenceCode)
    throw new RefusedError(toRefusal({ kind: 'changed', refund }))
  const dryRun = await confirmDecision(describePlan(plan, decision), evidenceCode, options, confirm)
  if (dryRun !== null) return dryRun
  return describeOutcome(requireAllowed(await resolveRefund(deps, refund.id, decision, evidenceCode)))
}

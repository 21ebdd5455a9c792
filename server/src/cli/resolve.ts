import type { Payment } from '../payments/payment.ts'
import { isFinal, toReference } from '../payments/payment.ts'
import type { Decision, Notice } from '../payments/resolution/resolution.ts'
import { toResult } from '../payments/resolution/resolution.ts'
import { planResolution, resolvePayment } from '../payments/resolution/resolve.ts'
import type { Plan, ResolveOutcome, ResolvePlan, ResolveRefusal } from '../payments/resolution/resolve.ts'
import { listReports } from '../payments/reports-store.ts'
import { isErased } from '../payments/resolution/resolve-store.ts'
import type { Deps } from '../wire.ts'
import { RefusedError, toCell } from './command.ts'
import type { Confirm, DecisionOptions } from './confirm-decision.ts'
import { confirmDecision } from './confirm-decision.ts'

const toChangedRefusal = (id: string) =>
  `More was reported about payment ${id} since you checked it, or the payment has changed or was refunded. Nothing was changed. See "npm run pazar -- payments show ${id}", then decide again.`

function toRefusal(refusal: ResolveRefusal): string {
  const { id, state } = refusal.payment
  switch (refusal.kind) {
    case 'not_in_review':
      return isFinal(state)
        ? `Payment ${id} is ${state}, and nothing about it is in doubt: there is no review to end.`
        : `Payment ${id} is open and has no incident: it is still looked up automatically. To look it up now: npm run pazar -- reconcile --transaction ${id}`
    case 'order_held': {
      const { holder } = refusal
      const other = holder ? `payment ${holder.id} (${holder.state})` : 'another payment'
      return `An order is paid once, and ${other} of the same order is open or counts as paid. Resolve the other payment first, or resolve this payment as unpaid.`
    }
    case 'charged':
      return `The upstream reports payment ${id} as charged, so it cannot be resolved as unpaid. To return the money, refund the payment at the upstream.`
    case 'denied':
      return `The upstream reports that payment ${id} was not charged (${refusal.reported}), so it cannot be resolved as paid. If the money did arrive, repeat the command with --force; the decision is recorded as forced.`
    case 'changed':
      return refusal.cause === 'decided'
        ? `Somebody else has just resolved payment ${id} as ${refusal.payment.resolution}. Check it again before you change that decision.`
        : toChangedRefusal(id)
    case 'not_configured':
      return `Payment ${id} is open, and its upstream ${refusal.payment.backend} is not configured here (${refusal.setting}), so it cannot be looked up. Run the command with the service's own settings. If the upstream is gone for good, the service raises an incident upstream_missing within minutes; then the payment can be resolved.`
  }
}

function requireAllowed<T extends ResolvePlan | ResolveOutcome>(outcome: T): Exclude<T, ResolveRefusal> {
  switch (outcome.kind) {
    case 'not_in_review':
    case 'order_held':
    case 'charged':
    case 'denied':
    case 'changed':
    case 'not_configured':
      throw new RefusedError(toRefusal(outcome))
    default:
      return outcome as Exclude<T, ResolveRefusal>
  }
}

const toAlreadyText = ({ id, resolution, resolvedAt }: Payment) =>
  `Payment ${id} was resolved as ${resolution} at ${resolvedAt?.toISOString()}; nothing was changed and nothing was sent.`

function toNoticeText(notice: Notice, resolution: Decision['as']): string {
  switch (notice) {
    case 'send':
      return `the merchant gets a callback with the result ${toResult(resolution)}, and earlier callbacks that are still queued are cancelled`
    case 'sent_or_queued':
      return 'this result was already sent or is queued; there is no further callback'
    case 'order_paid':
      return 'another payment has paid the order, so no "fail" is sent'
  }
}

function describePlan(plan: Plan, { as, reason, by }: Decision): string {
  const { payment, notice } = plan
  const isOpen = !isFinal(payment.state)
  return [
    `Payment ${payment.id} (${toReference(payment.id)}), customId ${toCell(payment.customId, 128)}, ${payment.amount} ${payment.currency}, state ${payment.state}:`,
    ...(isOpen
      ? [
          as === 'paid'
            ? '  it is looked up again, and nothing is closed upstream; if the payment is still open after that, its state becomes failed, because only the upstream can report it as succeeded'
            : '  it is looked up again, and closed upstream unless it was charged; if the payment is still open after that, its state becomes failed',
        ]
      : []),
    `  it counts as ${as} from now on, by ${by}: ${reason}`,
    `  ${toNoticeText(notice, as)}`,
    as === 'paid' ? '  the order cannot be paid again' : '  the order can be paid again',
    '  its open incidents are closed',
  ].join('\n')
}

function describeOutcome(outcome: Exclude<ResolveOutcome, ResolveRefusal>): string {
  const { payment } = outcome
  if (outcome.kind === 'already') return toAlreadyText(payment)
  const lookupText = outcome.lookup
    ? ` Lookup at the upstream: ${outcome.lookup.reported}${outcome.lookup.noResponseReason ? ` (${outcome.lookup.noResponseReason})` : ''}.`
    : ''
  if (outcome.kind === 'ended')
    return `Payment ${payment.id} has ended as ${payment.state} by the upstream's own report; there was nothing left to decide.${lookupText}`
  const callbackText = outcome.callbackId
    ? `Callback ${outcome.callbackId} is on its way.`
    : 'No callback was needed.'
  const laterChargeText =
    outcome.lookup?.reported === 'no response'
      ? payment.resolution === 'unpaid'
        ? ' The payment is looked up every hour until the upstream confirms that it cannot be charged; if the upstream charges it, it is put in review again.'
        : ' If the upstream charges it later, the payment is put in review again.'
      : ''
  return `Payment ${payment.id} is resolved as ${payment.resolution}. ${callbackText}${lookupText}${laterChargeText}`
}

/** Notes for the operator: reported charges, returned money, what `unpaid` means, and texts that the callback lacks. */
async function listCaveats(
  deps: Deps,
  { payment, notice }: Plan,
  resolution: Decision['as'],
): Promise<string[]> {
  const { id, amount, currency, state, upstreamRef } = payment
  const order = `${amount} ${currency}`
  const reports = await listReports(deps.db, id)
  const charges = reports.flatMap(({ facts, firstAt }) => {
    if (facts?.['said'] !== 'succeeded') return []
    const charge = `${facts['saidAmount']} ${facts['saidCurrency']}`
    const isOther = resolution === 'paid' && charge !== order
    const note = isOther ? `; the callback reports the order's amount, ${order}` : ''
    const name = toCell(facts['saidCharge'] ?? null, 255)
    return [`Note: the upstream reported a charge of ${charge} (${name}) at ${firstAt.toISOString()}${note}.`]
  })
  // A report that agrees with the payment is not stored, so `reports` can lack the payment's own charge.
  if (state === 'succeeded' && !reports.some(({ facts }) => facts?.['saidCharge'] === upstreamRef))
    charges.unshift(`Note: the payment's own charge is ${order} (${toCell(upstreamRef, 255)}).`)
  charges.push(...(await deps.listMoneyBack(deps.db, payment)).map((text) => `Note: ${text}.`))
  if (resolution === 'unpaid' && charges.length > 0)
    charges.push('Note: unpaid means that you have returned what was charged, or that it was never taken.')
  const lacksTexts = resolution === 'paid' && notice === 'send' && (await isErased(deps.db, id))
  return lacksTexts
    ? [
        ...charges,
        'Note: the texts of this payment were erased; the callback has no customId and no data, so tell the merchant which order it is.',
      ]
    : charges
}

export async function resolve(
  deps: Deps,
  id: string,
  decision: Decision,
  options: DecisionOptions,
  confirm?: Confirm,
): Promise<string> {
  const plan = requireAllowed(await planResolution(deps, id, decision))
  if (plan.kind === 'already') return toAlreadyText(plan.payment)
  if (options.evidenceCode !== null && options.evidenceCode !== plan.evidenceCode)
    throw new RefusedError(toChangedRefusal(id))
  const caveats = await listCaveats(deps, plan, decision.as)
  const text = [describePlan(plan, decision), ...caveats].join('\n')
  const dryRun = await confirmDecision(text, plan.evidenceCode, options, confirm)
  if (dryRun !== null) return dryRun
  const outcome = describeOutcome(requireAllowed(await resolvePayment(deps, id, decision, plan.evidenceCode)))
  return [...caveats, outcome].join('\n')
}

// The sentences around an operator's decision: what would happen, what happened, and why something is refused.
import type { Payment } from '../payments/payment.ts'
import { isFinal, toReference } from '../payments/payment.ts'
import type { Decision } from '../payments/resolution.ts'
import { planResolution, resolvePayment } from '../payments/resolve.ts'
import type { ResolveOutcome, ResolvePlan, ResolveRefusal } from '../payments/resolve.ts'
import { listReports } from '../payments/reports-store.ts'
import { isErased } from '../payments/resolve-store.ts'
import type { Deps } from '../wire.ts'
import { RefusedError } from './command.ts'

function toRefusal(refusal: ResolveRefusal): string {
  const { id, state } = refusal.payment
  switch (refusal.kind) {
    case 'not_in_review':
      return isFinal(state)
        ? `Payment ${id} is ${state}, and nothing about it is in doubt: there is no review to end.`
        : `Payment ${id} is open and has no incident: its upstream is still asked. "npm run pazar -- reconcile --transaction ${id}" asks now.`
    case 'order_held': {
      const { holder } = refusal
      const other = holder ? `${holder.id} (${holder.state})` : 'another one'
      return `An order is paid once: payment ${other} of the same customId is open or counts as paid. Resolve that one first, or this one as unpaid.`
    }
    case 'charged':
      return `The upstream reports payment ${id} as charged, so it cannot be unpaid. Money is returned by a refund at the upstream.`
    case 'denied':
      return `The upstream says that payment ${id} was not charged (${refusal.said}), so it does not count as paid. If the money came all the same, repeat the command with --force: the decision is recorded as forced.`
    case 'changed':
      return `Somebody else has just resolved payment ${id} as ${refusal.payment.resolution}. Look at it again before you decide otherwise.`
  }
}

function requireAllowed<T extends ResolvePlan | ResolveOutcome>(outcome: T): Exclude<T, ResolveRefusal> {
  switch (outcome.kind) {
    case 'not_in_review':
    case 'order_held':
    case 'charged':
    case 'denied':
    case 'changed':
      throw new RefusedError(toRefusal(outcome))
    default:
      return outcome as Exclude<T, ResolveRefusal>
  }
}

const toAlready = ({ id, resolution, resolvedAt }: Payment) =>
  `Payment ${id} was resolved as ${resolution} at ${resolvedAt?.toISOString()}; nothing was changed and nothing was sent.`

function describePlan(plan: Extract<ResolvePlan, { kind: 'resolve' }>, { as, reason, by }: Decision): string {
  const { payment, notifies } = plan
  const isOpen = !isFinal(payment.state)
  return [
    `Payment ${payment.id} (${toReference(payment.id)}), ${payment.amount} ${payment.currency}, state ${payment.state}:`,
    ...(isOpen
      ? [
          as === 'paid'
            ? '  its upstream is asked once more, and nothing is closed there; then it ends as failed'
            : '  its upstream is asked once more, and what it has not charged is closed there; then it ends as failed',
        ]
      : []),
    `  it counts as ${as} from now on, by ${by}: ${reason}`,
    notifies
      ? `  the merchant gets a callback with the result ${as === 'paid' ? 'success' : 'fail'}, and earlier ones that still wait are cancelled`
      : '  the merchant knows this result already; no callback is sent',
    as === 'paid' ? '  the order cannot be paid again' : '  the order can be paid again',
    '  its open incidents are closed',
  ].join('\n')
}

function describeOutcome(outcome: Exclude<ResolveOutcome, ResolveRefusal>): string {
  const { payment } = outcome
  if (outcome.kind === 'already') return toAlready(payment)
  const said = outcome.asked
    ? ` The upstream said: ${outcome.asked.said}${outcome.asked.why ? ` (${outcome.asked.why})` : ''}.`
    : ''
  if (outcome.kind === 'ended')
    return `Payment ${payment.id} has ended as ${payment.state} by the upstream's own report; there was nothing left to decide.${said}`
  const sent = outcome.callbackId
    ? `Callback ${outcome.callbackId} is on its way.`
    : 'No callback was needed.'
  const late =
    outcome.asked?.said === 'no response'
      ? payment.resolution === 'unpaid'
        ? ' It is asked every hour until it confirms; if it charges, the payment comes back into review.'
        : ' If it should charge later, the payment comes back into review.'
      : ''
  return `Payment ${payment.id} is resolved as ${payment.resolution}. ${sent}${said}${late}`
}

/** Where the callback of a success says something else than the charge, or less than the merchant needs. */
async function listCaveats(deps: Deps, { id, amount, currency }: Payment): Promise<string[]> {
  const charges = (await listReports(deps.db, id))
    .filter(({ facts }) => facts?.['said'] === 'succeeded')
    .map(({ facts }) => `${facts?.['saidAmount']} ${facts?.['saidCurrency']}`)
  const others = new Set(charges.filter((charge) => charge !== `${amount} ${currency}`))
  return [
    ...[...others].map(
      (charge) =>
        `Note: the upstream reported a charge of ${charge}; the callback says the order's amount, ${amount} ${currency}.`,
    ),
    ...((await isErased(deps.db, id))
      ? [
          'Note: the texts of this payment were erased; the callback has no customId and no data, so tell the merchant which order it is.',
        ]
      : []),
  ]
}

export async function resolve(
  deps: Deps,
  id: string,
  decision: Decision,
  options: { isDry: boolean; mayAct: (text: string) => boolean | Promise<boolean> },
): Promise<string> {
  const plan = requireAllowed(await planResolution(deps, id, decision))
  if (plan.kind === 'already') return toAlready(plan.payment)
  const caveats = decision.as === 'paid' && plan.notifies ? await listCaveats(deps, plan.payment) : []
  const text = [describePlan(plan, decision), ...caveats].join('\n')
  if (options.isDry) return `${text}\nDry run: nothing was changed.`
  if (!(await options.mayAct(text))) throw new RefusedError('Nothing was changed.')
  const outcome = describeOutcome(requireAllowed(await resolvePayment(deps, id, decision)))
  return [...caveats, outcome].join('\n')
}

import { toInstant } from '../lib/clock.ts'
import { toRefundId } from '../lib/id.ts'
import type { Incident } from '../payments/incidents-store.ts'
import type { Payment } from '../payments/payment.ts'
import { isFinal } from '../payments/payment.ts'
import { toCell } from './command.ts'

const toCommandLine = (command: string) => `npm run pazar -- ${command}`

const toResolveCommand = (id: string) => toCommandLine(`payments resolve ${id} --as paid|unpaid --reason "…"`)

/** If the operator restores the upstream's settings, most of its payments end without a decision. */
function toRestoreAdvice({ facts }: Incident): string {
  const account = facts['account'] ? ` with the account ${toCell(facts['account'], 128)}` : ''
  return `restore the upstream ${toCell(facts['backend'] ?? null, 32)}${account} (${toCell(facts['setting'] ?? null, 128)}); only if it is gone for good: `
}

/** The time is rounded down to whole seconds, which are easier to type. */
export function toReconcileCommand(since: Date): string {
  return toCommandLine(`reconcile --since ${since.toISOString().replace(/\.\d+Z$/, 'Z')}`)
}

/** `stoppedSince`: the upstream's ledger must be read from this time on. Null unless payments are stopped. */
export function toEndingCommand(
  incident: Incident,
  payment: Payment | null,
  stoppedSince: Date | null = null,
): string {
  // Closing this incident would hide that payments are still stopped.
  if (incident.kind === 'restored' && stoppedSince !== null) return toReconcileCommand(stoppedSince)
  const restoreAdvice = incident.kind === 'upstream_missing' ? toRestoreAdvice(incident) : ''
  return restoreAdvice + toInstruction(incident, payment)
}

function toInstruction(incident: Incident, payment: Payment | null): string {
  const { kind, facts, subject } = incident
  if (kind === 'refund_unresolved')
    return `ask the upstream about the refund; only if the upstream is gone for good: ${toCommandLine(`payments resolve-refund ${toRefundId(subject)} --as succeeded|failed --reason "…"`)}`
  if (kind === 'refund_mismatch' && facts['state'] === 'processing' && facts['saidAmount']) {
    const end = toCommandLine(`payments resolve-refund ${toRefundId(subject)} --as failed --reason "…"`)
    const then = payment?.needsReview ? `; if the refund has ended: ${toResolveCommand(payment.id)}` : ''
    return `compare the refund with the upstream's statement, then: ${end}${then}`
  }
  if (payment && (payment.needsReview || !isFinal(payment.state))) return toResolveCommand(payment.id)
  const close = toCommandLine(`incidents close ${incident.id}`)
  if (kind === 'delivery_stopped') return `Start a process with ROLE=delivery, then: ${close}`
  // The service's own check gave up because a list is too long. `reconcile --since` reads lists of any length.
  if (kind === 'restore_unchecked' && facts['since'])
    return `${toReconcileCommand(toInstant(facts['since']))}, then: ${close}`
  return close
}

export function toAdvice(payment: Payment, incidents: readonly Incident[]): string {
  const open = incidents.filter(({ closedAt }) => closedAt === null)
  if (open.length === 0 && !payment.needsReview) {
    if (isFinal(payment.state)) return 'Nothing is left to do.'
    return `The payment is looked up automatically. To look it up now: ${toCommandLine(`reconcile --transaction ${payment.id}`)}`
  }
  const commands = new Set(open.map((incident) => toEndingCommand(incident, payment)))
  if (payment.needsReview) commands.add(toResolveCommand(payment.id))
  return ['To end it:', ...[...commands].map((command) => `  ${command}`)].join('\n')
}

// Each incident, and each payment in doubt, comes with the command that ends it.
import type { Incident } from '../payments/incidents-store.ts'
import type { Payment } from '../payments/payment.ts'
import { isFinal } from '../payments/payment.ts'

const run = (command: string) => `npm run pazar -- ${command}`

const toResolve = (id: string) => run(`payments resolve ${id} --as paid|unpaid --reason "…"`)

/** For the payment that it is about; null where it is about none. */
export function toEndingCommand(incident: Incident, payment: Payment | null): string {
  if (payment && (payment.needsReview || !isFinal(payment.state))) return toResolve(payment.id)
  return run(`incidents close ${incident.id}`)
}

/** What an operator can do about a payment now. */
export function toAdvice(payment: Payment, incidents: readonly Incident[]): string {
  const open = incidents.filter(({ closedAt }) => closedAt === null)
  if (open.length === 0 && !payment.needsReview) {
    if (isFinal(payment.state)) return 'Nothing is left to do.'
    return `Its upstream is asked by itself. To ask now: ${run(`reconcile --transaction ${payment.id}`)}`
  }
  const commands = new Set(open.map((incident) => toEndingCommand(incident, payment)))
  if (payment.needsReview) commands.add(toResolve(payment.id))
  return ['To end it:', ...[...commands].map((command) => `  ${command}`)].join('\n')
}

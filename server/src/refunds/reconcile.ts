// Looks up refunds that have not ended, including refunds that were never sent because the process was killed. An ended
// refund is looked up again only if the upstream expects a change.
import { claimLookups } from '../payments/claim-lookups.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { raiseIncident } from '../payments/incidents.ts'
import type { Payment } from '../payments/payment.ts'
import { findPaymentsById } from '../payments/payments-store.ts'
import { findBackend } from '../payments/upstream.ts'
import { needsOperator, toPauseMs } from './check-plan.ts'
import type { DueRefund } from './due-store.ts'
import { claimDueRefunds, deferChecks } from './due-store.ts'
import { toRefundEvent } from './reactions.ts'
import { recordRefundReport } from './record-report.ts'
import { lookUpRefund } from './upstream.ts'

/** One run makes at most this many lookups. More could overload an upstream that is just recovering. */
const BATCH_MAX = 16

const DAY_MS = 24 * 3_600_000

async function raiseUnresolved(
  deps: PaymentDeps,
  payment: Payment,
  { refund, ageMs }: DueRefund,
): Promise<void> {
  const facts = {
    refund: refund.id,
    amount: refund.amount.toString(),
    currency: refund.currency,
    // This fact changes once a day, so a closed incident reopens the next day if the refund is still open.
    openForDays: Math.floor(ageMs / DAY_MS).toString(),
    // Stored if the service itself has no settings of the upstream. An operator's command that has no settings of the
    // upstream either resolves the refund only if this fact is stored.
    ...(findBackend(deps.backends, payment) === null && { upstream: 'missing' }),
  }
  const { id: subject, transactionId } = refund
  await raiseIncident(deps, { kind: 'refund_unresolved', transactionId, subject, facts })
}

async function lookUpAndRecord(deps: PaymentDeps, payment: Payment, due: DueRefund): Promise<boolean> {
  const { refund, ageMs } = due
  const report = await lookUpRefund(deps, payment, refund, ageMs)
  try {
    const recorded = await recordRefundReport(deps, payment, refund, report)
    const event = toRefundEvent(refund, report)
    if (recorded.state === 'processing' && needsOperator(event, ageMs))
      await raiseUnresolved(deps, payment, due)
  } catch (error) {
    deps.log.error(
      { err: error, refundId: refund.id },
      "the upstream's report of a refund could not be recorded",
    )
  }
  return report !== 'no_response' && report !== 'garbled'
}

async function chooseAllowed(
  deps: PaymentDeps,
  dueRefunds: readonly DueRefund[],
): Promise<{ payment: Payment; due: DueRefund }[]> {
  const payments = await findPaymentsById(
    deps.db,
    dueRefunds.map(({ refund }) => refund.transactionId),
  )
  const withPayment = dueRefunds.flatMap((due) => {
    const payment = payments.find(({ id }) => id === due.refund.transactionId)
    // A payment is missing only if it was deleted just now. A foreign key deletes its refunds with the payment.
    return payment ? [{ payment, due }] : []
  })
  const groups = [...Map.groupBy(withPayment, ({ payment }) => payment.backend)]
  const allowed = await Promise.all(
    groups.map(async ([backend, group]) => group.slice(0, await claimLookups(deps, backend, group.length))),
  )
  const chosen = allowed.flat()
  const denied = withPayment.filter((one) => !chosen.includes(one))
  await deferChecks(
    deps.db,
    denied.map(({ due }) => due.refund.id),
  )
  return chosen
}

export async function reconcileRefundsOnce(deps: PaymentDeps): Promise<number> {
  if (deps.restoreGate.isClosed()) return 0
  const dueRefunds = await claimDueRefunds(deps.db, {
    limit: BATCH_MAX,
    toPauseMs: ({ ageMs, checks }) => toPauseMs(ageMs, checks),
  })
  const chosen = await chooseAllowed(deps, dueRefunds)
  const responded = await Promise.all(chosen.map(({ payment, due }) => lookUpAndRecord(deps, payment, due)))
  return responded.filter(Boolean).length
}

// Looks up every refund that has not ended, by its id, until it ends. This includes a refund whose process was killed
// between the reservation and the request. A refund fails if the upstream says so. It also fails if the upstream does not
// have it and it is too old to be sent again under the same idempotency key. A refund that has ended is looked up again only
// if the upstream expects a change.
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

/** Concurrent lookups: enough to catch up after an outage, few enough not to overload an upstream that recovers. */
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
    // Changes once a day. So if the incident was closed while the refund is still open, it reopens the next day.
    openForDays: Math.floor(ageMs / DAY_MS).toString(),
    // A command that lacks the settings too may then decide without a lookup.
    ...(findBackend(deps.backends, payment) === null && { upstream: 'missing' }),
  }
  const { id: subject, transactionId } = refund
  await raiseIncident(deps, { kind: 'refund_unresolved', transactionId, subject, facts })
}

/** Returns whether the upstream responded. */
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

/** Chooses as many refunds as the quota of each upstream allows. The others are looked up a little later. */
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
    // A payment is missing only if it was deleted just now, and its refunds with it (a foreign key).
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

/** Runs once, and returns for how many refunds an upstream responded. */
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

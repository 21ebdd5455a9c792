// Compares the refunds in our ledger with those in the upstream's ledger. A refund is matched by our id or, if it was made at
// the upstream, by its payment and the upstream's id.
import type { RefundReport } from '../backends/backend.ts'
import type { Listed } from '../backends/pager.ts'
import type { Payment } from '../payments/payment.ts'
import { findRefundsById, listSucceededRefunds } from '../refunds/period-store.ts'
import type { Refund } from '../refunds/refund.ts'
import { findReportedRefund } from '../refunds/refunds-store.ts'
import type { Difference, Side } from './compare.ts'
import { findByIds } from './scope.ts'
import type { Compared, Scope } from './scope.ts'

/** An open refund is left out for a day, because the service still looks it up. */
const OPEN_MAX_MS = 24 * 3_600_000

function toHere({ amount, currency, scale, state }: Refund): Side {
  return { amount, currency, scale, state, hasMoved: state === 'succeeded' }
}

function toThere({ amount, currency, scale, status }: Listed<RefundReport>): Side {
  return { amount, currency, scale, state: status, hasMoved: status === 'succeeded' }
}

/**
 * Our row of the listed refund. If the refund was recorded as failed but the upstream made it later, there is a second row
 * (refunds/adopt.ts), and the second row is returned.
 */
async function findRow(
  { deps }: Scope,
  payment: Payment,
  report: Listed<RefundReport>,
  byId: Refund | null,
): Promise<Refund | null> {
  if (byId && byId.state !== 'failed') return byId
  return (await findReportedRefund(deps.db, payment.id, report)) ?? byId
}

export async function compareRefunds(scope: Scope): Promise<Compared> {
  const { db, clock } = scope.deps
  const read = await scope.read(scope.backend.lists!.refunds)
  const listed = read.filter((report) => !scope.isOfOther(report))
  const own = await findByIds(
    listed.map(({ id }) => id ?? ''),
    (ids) => findRefundsById(db, ids),
  )
  const payments = await scope.findPayments([
    ...listed.map(({ paymentId }) => paymentId ?? ''),
    ...[...own.values()].map((one) => one.transactionId),
  ])
  const listedIds = new Set<string>()
  const differences: Difference[] = []
  let count = 0

  for (const report of listed) {
    const byId = report.id === null ? null : (own.get(report.id) ?? null)
    const paymentId = byId?.transactionId ?? report.paymentId
    const payment = await scope.findPaymentOfReport({ paymentId, chargeId: report.chargeId }, payments)
    // The account at the upstream may also have refunds of payments that Pazar did not create.
    if (!payment && report.paymentId === null) continue
    const refund = payment ? await findRow(scope, payment, report, byId) : byId
    if (refund) listedIds.add(refund.id)
    const isInPeriod = scope.isInPeriod(report.createdAt) || (refund && scope.isInPeriod(refund.createdAt))
    const isStillOpen =
      refund?.state === 'processing' && clock.nowMs() - refund.createdAt.getTime() < OPEN_MAX_MS
    if (!isInPeriod || isStillOpen) continue
    const sides = { here: refund && toHere(refund), there: toThere(report) }
    if (sides.here?.hasMoved || sides.there.hasMoved) count += 1
    const id = refund?.id ?? report.id ?? report.upstreamRef ?? 'without an id'
    const difference = scope.toDifference({
      object: 'refund',
      id,
      transactionId: payment?.id ?? null,
      ...sides,
    })
    if (difference) differences.push(difference)
  }

  for await (const refunds of scope.listRows((after, before) => listSucceededRefunds(db, after, before))) {
    const unlisted = refunds.filter(({ id }) => !listedIds.has(id))
    const paymentsById = await scope.findPayments(unlisted.map(({ transactionId }) => transactionId))
    for (const refund of unlisted) {
      if (!paymentsById.has(refund.transactionId)) continue
      count += 1
      const { id, transactionId } = refund
      const found = { object: 'refund', id, transactionId, here: toHere(refund), there: null } as const
      differences.push(scope.toDifference(found)!)
    }
  }
  return { count, differences }
}

// Compares the disputes in our ledger with those in the upstream's ledger. Disputes are matched by their payment and by the
// id that the upstream gave them.
import type { DisputeReport } from '../backends/backend.ts'
import type { Listed } from '../backends/pager.ts'
import type { Dispute } from '../disputes/dispute.ts'
import { findDispute, listTakenDisputes } from '../disputes/disputes-store.ts'
import type { Difference, Side } from './compare.ts'
import type { Compared, Scope } from './scope.ts'

/** The states in which the bank has taken the disputed money. During an inquiry, the bank has not taken it. */
const MONEY_TAKEN: readonly string[] = ['open', 'lost']

function toSide(
  { amount, currency, scale }: { amount: bigint; currency: string; scale: number | null },
  state: string,
): Side {
  return { amount, currency, scale, state, hasMoved: MONEY_TAKEN.includes(state) }
}

const toHere = (dispute: Dispute) => toSide(dispute, dispute.state)
const toThere = (report: Listed<DisputeReport>) => toSide(report, report.status)

export async function compareDisputes(scope: Scope): Promise<Compared> {
  const { db } = scope.deps
  const listed = await scope.read(scope.backend.disputes!.list)
  const payments = await scope.findPayments(listed.map(({ paymentId }) => paymentId ?? ''))
  const listedIds = new Set<string>()
  const differences: Difference[] = []
  let count = 0

  for (const report of listed) {
    const payment = await scope.findPaymentOfReport(report, payments)
    // The account at the upstream may also have disputes of payments that Pazar did not create.
    if (!payment && report.paymentId === null) continue
    const dispute = payment && (await findDispute(db, payment.id, report.upstreamRef))
    if (dispute) listedIds.add(dispute.id)
    if (!scope.isInPeriod(report.createdAt) && !(dispute && scope.isInPeriod(dispute.openedAt))) continue
    const sides = { here: dispute && toHere(dispute), there: toThere(report) }
    if (sides.here?.hasMoved || sides.there.hasMoved) count += 1
    const difference = scope.toDifference({
      object: 'dispute',
      id: report.upstreamRef,
      transactionId: payment?.id ?? null,
      ...sides,
    })
    if (difference) differences.push(difference)
  }

  for await (const disputes of scope.listRows((after, before) => listTakenDisputes(db, after, before))) {
    const unlisted = disputes.filter(({ id }) => !listedIds.has(id))
    const paymentsById = await scope.findPayments(unlisted.map(({ transactionId }) => transactionId))
    for (const dispute of unlisted) {
      if (!paymentsById.has(dispute.transactionId)) continue
      count += 1
      const { upstreamRef: id, transactionId } = dispute
      const found = { object: 'dispute', id, transactionId, here: toHere(dispute), there: null } as const
      differences.push(scope.toDifference(found)!)
    }
  }
  return { count, differences }
}

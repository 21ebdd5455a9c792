// Adopting a refund means storing a refund that the upstream reports and that is missing here. It is stored even if it
// exceeds the payment, because the upstream has already made it.
import type { RefundReport } from '../backends/backend.ts'
import { isCheckViolation } from '../db/pool.ts'
import type { Tx } from '../db/pool.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { raiseIfExceeded } from '../payments/exceeded.ts'
import type { Payment } from '../payments/payment.ts'
import { toOtherCharge } from '../payments/payment.ts'
import { lockRefundedPayment } from '../payments/refund-sums-store.ts'
import { endRefund } from './end-refund.ts'
import { addRefundEvent } from './feed-entry.ts'
import type { Refund } from './refund.ts'
import { findRefund, findReportedRefund, insertRefund } from './refunds-store.ts'
import { toEnd } from './report-facts.ts'
import type { Mismatch } from './mismatch.ts'

type Requested = Pick<Refund, 'origin' | 'requestedAmount' | 'idempotencyKey' | 'reason'>

const AT_UPSTREAM: Requested = {
  origin: 'upstream',
  requestedAmount: null,
  idempotencyKey: null,
  reason: null,
}

/**
 * Restores the fields of a request that was made here, so that a repetition of the request is recognised. Null: no such
 * request is known.
 */
function toRequested({ origin }: RefundReport): Requested | null {
  if (!origin || origin.idempotencyKey === null) return null
  const { requestedBy, requestedAmount, idempotencyKey, reason } = origin
  return { origin: requestedBy, requestedAmount, idempotencyKey, reason }
}

/** Null: the refund exceeds the payment, so it can only be stored as a refund that was made at the upstream. */
function toNullIfExceeded(error: unknown): null {
  if (isCheckViolation(error, 'refunds_within_payment')) return null
  throw error
}

type Adopted = Pick<RefundReport, 'chargeId' | 'amount' | 'currency' | 'lookupId'> & {
  id: string
  upstreamRef: string
}

/** Null: the refund is stored already, or insertRefund found another conflict. */
async function insertRow(
  tx: Tx,
  payment: Payment,
  { id, chargeId, amount, currency, upstreamRef, lookupId = null }: Adopted,
  requested: Requested,
): Promise<Refund | null> {
  const locked = await lockRefundedPayment(tx, payment.projectId, payment.id)
  const refund = await insertRefund(tx, {
    id,
    projectId: payment.projectId,
    transactionId: payment.id,
    mode: payment.mode,
    amount,
    currency,
    scale: payment.scale,
    ...requested,
    tokenId: null,
    chargeRef: toOtherCharge(payment, chargeId),
    upstreamRef,
    lookupId,
  })
  if (refund) await addRefundEvent(tx, 'refund.created', refund, locked?.sums.refunded ?? 0n)
  return refund
}

/**
 * If our refund has failed but the upstream reports that a refund was made, the reported refund is stored in a new row.
 * Returns the id by which the upstream finds the reported refund. Null: no such id is known.
 */
export function toLookupId(refund: Refund, report: RefundReport | null): string | null {
  // An upstream whose reports have no such id may make several refunds for one of ours.
  if (report) return report.lookupId ?? null
  return refund.lookupId ?? (refund.origin === 'upstream' ? null : refund.id)
}

/**
 * If the upstream reports a different refund than ours, an operator can end ours as failed. This function then stores the
 * reported refund. The id of the reported refund contains the time of our refund, so that both are reconciled in the same
 * period.
 */
export async function insertReported(
  tx: Tx,
  { payment, refund, mismatch }: { payment: Payment; refund: Refund; mismatch: Mismatch },
): Promise<Refund | null> {
  const { amount, currency, refundRef, report } = mismatch
  const id = newUuidV7({ nowMs: () => refund.createdAt.getTime() })
  const chargeId = refund.chargeRef ?? report?.chargeId ?? null
  // If the upstream reported no id of its own, our id is stored as the upstream's.
  const upstreamRef = report?.upstreamRef ?? refundRef ?? refund.id
  const lookupId = toLookupId(refund, report)
  return insertRow(tx, payment, { id, chargeId, amount, currency, upstreamRef, lookupId }, AT_UPSTREAM)
}

async function insertAdopted(
  deps: PaymentDeps,
  payment: Payment,
  report: RefundReport & { upstreamRef: string },
): Promise<Refund> {
  // A report with our id belongs to a refund that the database lost in a restore.
  const id = report.id ?? newUuidV7(deps.clock)
  const insert = (requested: Requested) =>
    deps.db.transaction((tx) => insertRow(tx, payment, { ...report, id }, requested))
  const requested = toRequested(report)
  const asRequested = requested && (await insert(requested).catch(toNullIfExceeded))
  const inserted = asRequested ?? (await insert(AT_UPSTREAM))
  const stored =
    inserted ?? (await findReportedRefund(deps.db, payment.id, report)) ?? (await findRefund(deps.db, id))
  if (!stored) throw new Error(`a refund of transaction ${payment.id} could not be adopted`)
  return stored
}

export async function adoptRefund(
  deps: PaymentDeps,
  payment: Payment,
  report: RefundReport & { upstreamRef: string },
): Promise<Refund> {
  const refund = await insertAdopted(deps, payment, report)
  const hasEndedUpstream = refund.state === 'processing' && report.status !== 'pending'
  const ended = hasEndedUpstream
    ? await endRefund(deps, refund, toEnd(report.status === 'succeeded' ? 'succeeded' : 'failed', report))
    : null
  await raiseIfExceeded(deps, payment)
  return ended ?? refund
}

// Records a dispute, its event, its callback and its mails in one transaction. A trigger updates the disputed sum of the
// payment. A dispute is recorded even if it exceeds the payment, because the bank has already taken the money.
import type { DisputeReport } from '../backends/backend.ts'
import { insertEvent } from '../callbacks/outbox-store.ts'
import type { Tx } from '../db/pool.ts'
import { addEvent } from '../feed/inbox-store.ts'
import { newUuidV7, toDisputeId } from '../lib/id.ts'
import type { IncidentKind } from '../lib/incident-kind.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { raiseIncident } from '../payments/incidents.ts'
import type { Payment } from '../payments/payment.ts'
import { toOtherCharge } from '../payments/payment.ts'
import { raiseIfExceeded } from '../payments/exceeded.ts'
import { toSafeText } from '../payments/record-report.ts'
import type { RefundedPayment } from '../payments/refund-sums-store.ts'
import { lockRefundedPayment } from '../payments/refund-sums-store.ts'
import { newCallbackId } from '../lib/id.ts'
import { subscribesTo } from '../projects/projects-store.ts'
import { mailDispute } from './dispute-mails.ts'
import type { Dispute } from './dispute.ts'
import { isClosed } from './dispute.ts'
import { findDispute, insertDispute, moveDispute, setDeadline } from './disputes-store.ts'
import type { DisputeReported } from './reactions.ts'
import { DISPUTE_REACTIONS } from './reactions.ts'

function toReported(payment: Payment, recorded: Dispute | null, report: DisputeReport): DisputeReported {
  const isPlausible = report.currency === payment.currency && report.amount > 0n
  return isPlausible && (recorded === null || recorded.amount === report.amount)
    ? report.status
    : 'mismatched'
}

function toEventType({ state }: Dispute): 'dispute.opened' | 'dispute.closed' {
  return isClosed(state) ? 'dispute.closed' : 'dispute.opened'
}

async function addToFeed(tx: Tx, dispute: Dispute): Promise<void> {
  await addEvent(tx, {
    type: toEventType(dispute),
    projectId: dispute.projectId,
    mode: dispute.mode,
    transactionId: dispute.transactionId,
    disputeId: toDisputeId(dispute.id),
    facts: {
      amount: dispute.amount.toString(),
      state: dispute.state,
      reason: dispute.reason,
      respondBy: dispute.respondBy?.toISOString() ?? null,
      openedAt: dispute.openedAt.toISOString(),
      closedAt: dispute.closedAt?.toISOString() ?? null,
      // The API does not show these two facts. The trigger that posts to the ledger reads them: it stores upstreamRef in
      // the entry, and posts no entry if there is a chargeRef.
      ...{ upstreamRef: dispute.upstreamRef },
      ...(dispute.chargeRef !== null && { chargeRef: dispute.chargeRef }),
    },
  })
}

async function queueCallback(deps: PaymentDeps, tx: Tx, payment: Payment, dispute: Dispute): Promise<void> {
  const event = toEventType(dispute)
  if (!(await subscribesTo(tx, dispute.projectId, event))) return
  await insertEvent(tx, {
    id: newCallbackId(deps.clock),
    event,
    projectId: dispute.projectId,
    transactionId: dispute.transactionId,
    refundId: null,
    disputeId: dispute.id,
    mode: dispute.mode,
    result: null,
    customId: payment.customId,
    facts: {
      event,
      disputeStatus: dispute.state,
      projectId: dispute.projectId,
      transactionId: dispute.transactionId,
      disputeId: toDisputeId(dispute.id),
      amount: dispute.amount.toString(),
      currency: dispute.currency,
      amountScale: dispute.scale,
      customId: payment.customId,
      data: payment.data,
      mode: dispute.mode,
      createdAt: dispute.openedAt.toISOString(),
      respondBy: dispute.respondBy?.toISOString() ?? null,
    },
  })
}

async function writeDispute(
  deps: PaymentDeps,
  tx: Tx,
  { payment, sums }: RefundedPayment,
  recorded: Dispute | null,
  report: DisputeReport,
): Promise<void> {
  const { status: state, reason, respondBy, upstreamRef, amount, currency } = report
  const dispute = recorded
    ? await moveDispute(tx, recorded, { state, respondBy, reason })
    : await insertDispute(tx, {
        id: newUuidV7(deps.clock),
        projectId: payment.projectId,
        transactionId: payment.id,
        mode: payment.mode,
        amount,
        currency,
        scale: payment.scale,
        state,
        reason,
        respondBy,
        chargeRef: toOtherCharge(payment, report.chargeId),
        upstreamRef,
      })
  await addToFeed(tx, dispute)
  await queueCallback(deps, tx, payment, dispute)
  // Anybody could have written the order into an unsigned link.
  const order = payment.isLinkSigned ? payment.customId : null
  await mailDispute(deps, tx, dispute, {
    order,
    before: recorded?.state ?? null,
    wasRefunded: dispute.chargeRef === null && sums.refunded > 0n,
  })
}

export async function recordDispute(
  deps: PaymentDeps,
  payment: Payment,
  report: DisputeReport,
): Promise<void> {
  const { projectId, id } = payment
  const result = await deps.db.transaction(async (tx): Promise<{ moved: boolean; raise?: IncidentKind }> => {
    const locked = await lockRefundedPayment(tx, projectId, id)
    if (!locked) throw new Error(`the payment ${id} of a dispute does not exist any more`)
    const recorded = await findDispute(tx, id, report.upstreamRef)
    const reaction = DISPUTE_REACTIONS[recorded?.state ?? 'new'][toReported(locked.payment, recorded, report)]
    if (reaction.act === 'raise') return { moved: false, raise: reaction.kind }
    if (reaction.act === 'move') await writeDispute(deps, tx, locked, recorded, report)
    else if (recorded?.state === report.status && report.respondBy)
      await setDeadline(tx, recorded, report.respondBy)
    return { moved: reaction.act === 'move' }
  })
  if (result.raise) await raiseDisputeIncident(deps, id, report, result.raise)
  // A repeated report is checked too, because the process may have been killed before it raised the incident.
  else await raiseIfExceeded(deps, payment)
  if (result.moved) deps.wakeDelivery()
}

async function raiseDisputeIncident(
  deps: PaymentDeps,
  transactionId: string,
  report: DisputeReport,
  kind: IncidentKind,
): Promise<void> {
  const { upstreamRef, status, amount, currency } = report
  const facts = {
    dispute: upstreamRef,
    said: status,
    saidAmount: amount.toString(),
    saidCurrency: toSafeText(currency),
  }
  await raiseIncident(deps, { kind, transactionId, subject: `${transactionId} ${upstreamRef}`, facts })
}

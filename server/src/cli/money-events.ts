// Lines about refunds and disputes for the history of a payment. They are made here, because the code in payments/ may not
// import refunds/ and disputes/.
import type { Dispute } from '../disputes/dispute.ts'
import { listDisputes } from '../disputes/disputes-store.ts'
import { toDisputeId, toRefundId } from '../lib/id.ts'
import type { HistoryEvent } from '../payments/reads/history.ts'
import type { Payment } from '../payments/payment.ts'
import type { Refund } from '../refunds/refund.ts'
import { listRefunds } from '../refunds/refunds-store.ts'
import type { Deps } from '../wire.ts'

function toRefundEvents(refund: Refund): HistoryEvent[] {
  const { state, origin, amount, currency, chargeRef, createdAt, completedAt, returnedAt } = refund
  const name = `refund ${toRefundId(refund.id)}`
  const charge = chargeRef === null ? '' : `, charge ${chargeRef}`
  const code = refund.failureCode === null ? '' : ` (${refund.failureCode})`
  const made = origin === 'upstream' ? 'reported by the upstream' : 'requested'
  const events = [{ at: createdAt, text: `${name} ${made}: ${amount} ${currency}${charge}` }]
  const ended = state === 'returned' ? 'succeeded' : `${state}${code}`
  if (completedAt) events.push({ at: completedAt, text: `${name}: ${ended}` })
  if (returnedAt) events.push({ at: returnedAt, text: `${name}: returned${code}` })
  return events
}

function toDisputeEvents(dispute: Dispute): HistoryEvent[] {
  const { id, amount, currency, state, chargeRef, openedAt, closedAt } = dispute
  const name = `dispute ${toDisputeId(id)}`
  const charge = chargeRef === null ? '' : `, charge ${chargeRef}`
  const now = closedAt ? '' : `, ${state}`
  const opened = { at: openedAt, text: `${name} reported: ${amount} ${currency}${charge}${now}` }
  return closedAt ? [opened, { at: closedAt, text: `${name}: ${state}` }] : [opened]
}

export async function readMoneyEvents({ db }: Deps, { projectId, id }: Payment): Promise<HistoryEvent[]> {
  const [refunds, disputes] = await Promise.all([
    listRefunds(db, projectId, id),
    listDisputes(db, projectId, id),
  ])
  return [...refunds.flatMap(toRefundEvents), ...disputes.flatMap(toDisputeEvents)]
}

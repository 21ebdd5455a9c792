// The inbox of the feed (`feed_inbox`): events that have no position yet. Refunds and disputes add their events here.
// Triggers add the events of payments (0037_feed.sql).
import type { DisputePayload, EventType, Mode, RefundPayload } from '@pazar/contract'
import type { Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

/** The stored `facts`. `mode` has its own column, and the other omitted fields are read from the payment. */
type Facts<Payload> = Omit<Payload, 'currency' | 'scale' | 'mode' | 'customId' | 'data'>
export type RefundFacts = Facts<RefundPayload>
export type DisputeFacts = Facts<DisputePayload>

interface Subject {
  projectId: string
  mode: Mode
  transactionId: string
}

export type NewFeedEvent = Subject &
  (
    | { type: Extract<EventType, `refund.${string}`>; refundId: string; facts: RefundFacts }
    | { type: Extract<EventType, `dispute.${string}`>; disputeId: string; facts: DisputeFacts }
  )

const ADD = statement(
  'feed.add_event',
  `insert into feed_inbox (project_id, type, mode, transaction_id, refund_id, dispute_id, facts)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

/** The row of the payment, refund or dispute must be locked, so that its events are added in order. */
export async function addEvent(tx: Tx, event: NewFeedEvent): Promise<void> {
  await tx.query(ADD, [
    event.projectId,
    event.type,
    event.mode,
    event.transactionId,
    'refundId' in event ? event.refundId : null,
    'disputeId' in event ? event.disputeId : null,
    JSON.stringify(event.facts),
  ])
}

const DELETE_WAITING = statement('feed.delete_waiting', 'delete from feed_inbox where project_id = $1')

/** Called when a project is deleted. Deleting the row of the project also deletes its published events. */
export async function deleteWaitingEvents(tx: Tx, projectId: string): Promise<void> {
  await tx.query(DELETE_WAITING, [projectId])
}

// Adds an event of a refund or a dispute to the inbox of the feed (`feed_inbox`), in the database transaction that makes the
// change. Triggers on the table of payments add the events of payments (0037_feed.sql). publish.ts moves all events to the
// feed. A project's inbox for callbacks is something else.
import type { DisputePayload, EventType, Mode, RefundPayload } from '@pazar/contract'
import type { Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

/**
 * The part of a payload that is stored as `facts`. `mode` has its own column. The currency, its scale, customId and data are
 * read from the payment, so when customId and data are erased there, the event does not have them any more either.
 */
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

/** For a project that is being deleted. Its published events are deleted together with the row of the project. */
export async function deleteWaitingEvents(tx: Tx, projectId: string): Promise<void> {
  await tx.query(DELETE_WAITING, [projectId])
}

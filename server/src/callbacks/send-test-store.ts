import { randomUUID } from 'node:crypto'
import type { AttemptTrigger, CallbackEventName } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { OutgoingCallback, ClaimedRow } from './outgoing-callback.ts'
import { toOutgoingCallback } from './outgoing-callback.ts'
import type { StoredFacts } from './event-facts.ts'
import { toPayload } from './event-facts.ts'
import { TARGET_COLUMNS, WITH_TARGET } from './fetch-store.ts'
import { LEASE_SEC } from './lanes.ts'

const INSERT_CLAIMED = statement(
  'callbacks.insert_claimed',
  `with made as (
     insert into callbacks (project_id, id, mode, result, custom_id, payload, trigger, status, attempts, claim, lease_until,
       event, refund_id, dispute_id)
     values ($1, $2, 'test', $3, $4, $5, $6, 'sending', 1, $7, now() + interval '${LEASE_SEC} seconds', $8, $9, $10) returning *)
   select l.project_id, l.mode, l.id, l.event, l.payload, l.trigger, l.attempts, l.round_from, l.not_ready, l.claim, ${TARGET_COLUMNS}
   from made l ${WITH_TARGET}`,
)

/**
 * The database stores the ids of refunds and disputes as UUIDs, so their prefix is removed here. PostgreSQL accepts the
 * rest, a UUID without dashes.
 */
function toEvent(facts: StoredFacts): {
  event: CallbackEventName
  result: 'success' | 'fail' | null
  refundId: string | null
  disputeId: string | null
} {
  if ('refundStatus' in facts) {
    const result = facts.refundStatus === 'succeeded' ? 'success' : 'fail'
    return { event: 'refund.result', result, refundId: facts.refundId.slice('re_'.length), disputeId: null }
  }
  if ('disputeStatus' in facts) {
    return {
      event: facts.event,
      result: null,
      refundId: null,
      disputeId: facts.disputeId.slice('dp_'.length),
    }
  }
  return { event: 'payment.result', result: facts.status, refundId: null, disputeId: null }
}

export async function insertClaimedCallback(
  db: Queryable,
  callback: { id: string; facts: StoredFacts; trigger: AttemptTrigger },
): Promise<OutgoingCallback> {
  const { id, facts, trigger } = callback
  const { event, result, refundId, disputeId } = toEvent(facts)
  const [row] = await db.query<ClaimedRow>(INSERT_CLAIMED, [
    facts.projectId,
    id,
    result,
    facts.customId ?? null,
    JSON.stringify(toPayload(facts)),
    trigger,
    randomUUID(),
    event,
    refundId,
    disputeId,
  ])
  return toOutgoingCallback(row!)
}

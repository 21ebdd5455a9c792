import { randomUUID } from 'node:crypto'
import type { AttemptTrigger } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { CLAIMED_COLUMNS, LEASE, WITH_TARGET } from '../callbacks/claim-store.ts'
import type { Claimed, ClaimedRow } from '../callbacks/claimed.ts'
import { toClaimed } from '../callbacks/claimed.ts'
import type { StoredTestFacts } from './event-facts.ts'
import { toPayload } from './event-facts.ts'

const INSERT_CLAIMED = statement(
  'callbacks.insert_claimed',
  `with made as (
     insert into callbacks (project_id, id, mode, result, custom_id, payload, trigger, status, attempts, claim, lease_until,
       event, refund_id)
     values ($1, $2, 'test', $3, $4, $5, $6, 'sending', 1, $7, now() + ${LEASE}, $8, $9) returning *)
   select ${CLAIMED_COLUMNS} from made c ${WITH_TARGET}`,
)

/** In flight from the start: the process that created it sends it, and no worker claims it while the lease lasts. */
export async function insertClaimed(
  db: Queryable,
  callback: { id: string; facts: StoredTestFacts; trigger: AttemptTrigger },
): Promise<Claimed> {
  const { id, facts, trigger } = callback
  const isRefund = 'refundStatus' in facts
  const result = isRefund ? (facts.refundStatus === 'succeeded' ? 'success' : 'fail') : facts.status
  const [row] = await db.query<ClaimedRow>(INSERT_CLAIMED, [
    facts.projectId,
    id,
    result,
    facts.customId ?? null,
    JSON.stringify(toPayload(facts)),
    trigger,
    randomUUID(),
    isRefund ? 'refund.result' : 'payment.result',
    // PostgreSQL also reads a UUID without dashes.
    isRefund ? facts.refundId.slice('re_'.length) : null,
  ])
  return toClaimed(row!)
}

import { randomUUID } from 'node:crypto'
import type { AttemptTrigger } from '@pazar/contract'
import type { CallbackFacts } from '@pazar/sdk'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { CLAIMED_COLUMNS, LEASE, WITH_TARGET } from '../callbacks/claim-store.ts'
import type { Claimed, ClaimedRow } from '../callbacks/claimed.ts'
import { toClaimed } from '../callbacks/claimed.ts'

const INSERT_CLAIMED = statement(
  'callbacks.insert_claimed',
  `with made as (
     insert into callbacks (project_id, id, mode, result, custom_id, payload, trigger, status, attempts, claim, lease_until)
     values ($1, $2, 'test', $3, $4, $5, $6, 'sending', 1, $7, now() + ${LEASE}) returning *)
   select ${CLAIMED_COLUMNS} from made c ${WITH_TARGET}`,
)

/** In flight from the start: the process that created it sends it, and no worker claims it while the lease lasts. */
export async function insertClaimed(
  db: Queryable,
  callback: { id: string; facts: CallbackFacts; trigger: AttemptTrigger },
): Promise<Claimed> {
  const { id, facts, trigger } = callback
  const [row] = await db.query<ClaimedRow>(INSERT_CLAIMED, [
    facts.projectId,
    id,
    facts.status,
    facts.customId ?? null,
    JSON.stringify(facts),
    trigger,
    randomUUID(),
  ])
  return toClaimed(row!)
}

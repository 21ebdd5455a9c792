import type { CallbackStatus } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { batchQuery } from '../db/batch-query.ts'
import { isResult } from './callback.ts'
import { UNRESERVED_SLOTS } from './lanes.ts'
import { isNew } from './new-callbacks-store.ts'

export interface AwaitedResult {
  id: string
  status: CallbackStatus
  /** The merchant responds quickly. Also, this callback is already delivered, or its first attempt has not ended. */
  isPrompt: boolean
}

/** How many of the merchant's last accepted callbacks are checked. All of them must have had fast responses. */
const PROMPT_IN_ROW = 5
/**
 * How many callbacks with the status `delivered` the search for accepted callbacks reads. With compact storage, a new
 * callback has this status before it is sent (see new-callbacks-store.ts), so the search skips new callbacks. The limit is
 * high enough to find PROMPT_IN_ROW accepted callbacks even if new callbacks occupy all slots that a lane can get.
 */
const SEARCHED_MAX = UNRESERVED_SLOTS + PROMPT_IN_ROW
const PROMPT_MS_MAX = 3_000

const FIND = statement(
  'callbacks.find_awaited_result',
  // The cheap conditions come first. The last condition reads many rows if many callbacks are waiting.
  `select requested.n::int as requested, m.id, m.status,
     -- Only the first attempt is made immediately; a payer who reloads later must not wait for a retry.
     (m.status = 'delivered' or m.attempts = case m.status when 'pending' then 0 when 'sending' then 1 end)
     and not exists (
       select from callback_lanes l where l.project_id = m.project_id and l.mode = m.mode and l.failures_in_row > 0)
     -- If the oldest new callback of the lane has waited this long, the payer would wait too long as well.
     and not coalesce((select n.created_at < now() - interval '${PROMPT_MS_MAX} milliseconds' from new_callbacks n
       where n.mode = m.mode and n.project_id = m.project_id order by n.created_at limit 1), false)
     and (select count(*) = ${PROMPT_IN_ROW} and bool_and(a.outcome = 'delivered' and a.duration_ms < ${PROMPT_MS_MAX}) from (
       select * from (
         select c.project_id, c.id, c.attempts, c.created_at from callbacks c where c.project_id = m.project_id and c.mode = m.mode
           and c.status = 'delivered' and c.id <> m.id order by c.created_at desc, c.id desc limit ${SEARCHED_MAX}) c
       where not ${isNew('c')} order by c.created_at desc, c.id desc limit ${PROMPT_IN_ROW}) last
       join callback_attempts a on a.project_id = last.project_id and a.callback_id = last.id
         and a.attempt = last.attempts) as is_prompt
   from unnest($1::uuid[]) with ordinality as requested(transaction_id, n)
   -- "offset 0" makes the planner search by payment, even if the plan was made while the table was empty.
   cross join lateral (select * from callback_states m where m.transaction_id = requested.transaction_id and ${isResult('m')} offset 0) m`,
)

export async function findAwaitedResult(db: Queryable, transactionId: string): Promise<AwaitedResult | null> {
  type Row = Omit<AwaitedResult, 'isPrompt'> & { is_prompt: boolean }
  const [row] = await batchQuery<Row>(db, FIND, [transactionId])
  return row ? { id: row.id, status: row.status, isPrompt: row.is_prompt } : null
}

const FIND_ACCEPTED = statement(
  'callbacks.find_accepted',
  `select id, status from callback_states c where transaction_id = any($1::uuid[]) and status = 'delivered' and ${isResult('c')}`,
)

export async function findAccepted(
  db: Queryable,
  transactionIds: readonly string[],
): Promise<Pick<AwaitedResult, 'id' | 'status'>[]> {
  return db.query(FIND_ACCEPTED, [transactionIds])
}

const MARK_RETURN = statement(
  'callbacks.mark_return',
  `update callbacks c set payer_returned_at = now() where transaction_id = $1 and payer_returned_at is null and ${isResult('c')}`,
)

export async function markPayerReturned(db: Queryable, transactionId: string): Promise<void> {
  await db.query(MARK_RETURN, [transactionId])
}

// Stores how many lookups each upstream still allows. All replicas share the row of an upstream, and a replica locks the row
// while it claims lookups.
import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { LookupBudget } from './lookup-budget.ts'

export interface StoredBudget extends LookupBudget {
  /** The time since the last refill; negative during a pause. */
  elapsedMs: number
  nowMs: number
}

// A new row has no tokens, but counts as refilled an hour ago. So the first refill adds the tokens of an hour, up to the
// burst.
const LOCK = statement(
  'lookup_budgets.lock',
  `with clock as (select coalesce(to_timestamp($2::float8 / 1000), now()) as now)
   insert into lookup_budgets as b (upstream, refilled_at) select $1, clock.now - interval '1 hour' from clock
   on conflict (upstream) do update set upstream = excluded.upstream
   returning b.tokens, b.waiting_tokens,
     extract(epoch from (select now from clock) - b.refilled_at)::float8 * 1000 as elapsed_ms,
     extract(epoch from (select now from clock))::float8 * 1000 as now_ms`,
)

export async function lockBudget(tx: Tx, upstream: string, nowMs: number | null): Promise<StoredBudget> {
  type Row = { tokens: number; waiting_tokens: number; elapsed_ms: number; now_ms: number }
  const [row] = await tx.query<Row>(LOCK, [upstream, nowMs])
  return {
    tokens: row!.tokens,
    waitingTokens: row!.waiting_tokens,
    elapsedMs: row!.elapsed_ms,
    nowMs: row!.now_ms,
  }
}

/**
 * No pause is this long. If the end of a pause is further away, the database's clock was turned back after the pause was
 * stored.
 */
const PAUSE_MAX = "interval '1 minute'"

const SAVE = statement(
  'lookup_budgets.save',
  `update lookup_budgets b set tokens = $2, waiting_tokens = $3,
     refilled_at = case when b.refilled_at > clock.now + ${PAUSE_MAX} then clock.now else greatest(b.refilled_at, clock.now) end
   from (select to_timestamp($4::float8 / 1000) as now) clock where b.upstream = $1`,
)

export async function saveBudget(
  tx: Tx,
  upstream: string,
  budget: LookupBudget,
  nowMs: number,
): Promise<void> {
  await tx.query(SAVE, [upstream, budget.tokens, budget.waitingTokens, nowMs])
}

// Nothing is refilled until `refilled_at`, which is the end of the pause.
const PAUSE = statement(
  'lookup_budgets.pause',
  `update lookup_budgets set tokens = 0, waiting_tokens = 0, refilled_at = now() + make_interval(secs => $2)
   where upstream = $1 and refilled_at <= now()`,
)

export async function pauseLookups(db: Queryable, upstream: string, sec: number): Promise<void> {
  await db.query(PAUSE, [upstream, sec])
}

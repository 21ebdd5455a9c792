// Inserts payments directly into the table, without a checkout, an upstream or callbacks.
import { randomUUID } from 'node:crypto'
import type { Mode, TransactionState } from '@pazar/contract'
import { newUuidV7 } from '../src/lib/id.ts'
import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'

export interface StoredPayment {
  customId?: string | null
  data?: string | null
  amount?: number
  mode?: Mode
  state?: TransactionState
  /** Why a payment with the state `failed` has failed. */
  failureCode?: string
  createdAt?: string
}

const INSERT = `insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, data, state,
    failure_code, created_at, completed_at)
  select p.id, $1, p.mode, p.attempt_id, p.amount, 'EUR', p.custom_id, p.data, p.state,
    case when p.state = 'failed' then p.failure_code when p.state = 'expired' then 'expired' end, p.created_at,
    case when p.state in ('succeeded', 'failed', 'expired') then p.created_at + interval '1 second' end
  from jsonb_to_recordset($2::jsonb) as p(id uuid, mode text, attempt_id uuid, amount bigint, custom_id text,
    data text, state text, failure_code text, created_at timestamptz)`

/** Returns the ids in the order of the list. By default each payment is one second newer than the one before. */
export async function insertPayments(
  deps: Deps,
  projectId: string,
  list: readonly StoredPayment[],
): Promise<string[]> {
  const startMs = deps.clock.nowMs() - list.length * 1000 - 60_000
  const payments = list.map((one, index) => ({
    id: newUuidV7(deps.clock),
    attempt_id: randomUUID(),
    mode: one.mode ?? 'live',
    amount: one.amount ?? 1500,
    custom_id: one.customId ?? null,
    data: one.data ?? null,
    state: one.state ?? 'succeeded',
    failure_code: one.failureCode ?? 'declined',
    created_at: one.createdAt ?? new Date(startMs + index * 1000).toISOString(),
  }))
  await rows(deps.db, INSERT, [projectId, JSON.stringify(payments)])
  return payments.map(({ id }) => id)
}

const ROWS_PER_INSERT = 2_000

/** Inserts thousands of payments. `order-1` is the newest, and each further order is ten seconds older. */
export async function insertManyPayments(deps: Deps, projectId: string, count: number): Promise<void> {
  const text = `insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, data, state,
      created_at, completed_at)
    select gen_random_uuid(), $1, 'live', gen_random_uuid(), 1500, 'EUR', 'order-' || n, 'Kafa ' || n % 100,
      case when n % 50 = 0 then 'failed' else 'succeeded' end, now() - n * interval '10 seconds', now()
    from generate_series($2::int, $3::int) as n`
  // The payments are inserted in parts, so that each insert finishes within the statement timeout.
  for (let from = 1; from <= count; from += ROWS_PER_INSERT) {
    await rows(deps.db, text, [projectId, from, Math.min(count, from + ROWS_PER_INSERT - 1)])
  }
}

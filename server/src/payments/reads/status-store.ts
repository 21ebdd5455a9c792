import type { Mode } from '@pazar/contract'
import type { Queryable } from '../../db/pool.ts'
import { statement } from '../../db/pool.ts'
import { batchQuery } from '../../db/batch-query.ts'
import type { SealedPair } from '../../secrets/decoy.ts'
import type { Payment } from '../payment.ts'
import { countsAsPaid, erasedPayments, holdsOrder } from '../payments-store.ts'

export interface StatusFacts {
  secrets: SealedPair
  /** The amount paid for this customId, by mode; null if nothing was paid. */
  paid: Readonly<Record<Mode, bigint | null>>
  /** By mode: whether a correct hash made with the secret of this mode was already recorded. */
  proved: Readonly<Record<Mode, boolean>>
}

// The second subquery runs only if the first one finds nothing.
const selectPaidAmount = (mode: Mode) => `coalesce(
     (select amount from transactions t where t.project_id = requested.project_id and t.mode = '${mode}'
       and t.custom_id = requested.custom_id and ${countsAsPaid('t')}),
     (select amount from ${erasedPayments('requested.custom_id_hash')} as e
       where e.project_id = requested.project_id and e.mode = '${mode}' and ${countsAsPaid('e')} limit 1))`
const selectSecret = (
  mode: Mode,
) => `(select sealed, version, proved_at is not null as proved from project_secrets s
     where s.project_id = requested.project_id and s.mode = '${mode}' limit 1)`

// Each search is a separate subquery, so that PostgreSQL uses the index of the search at any size of the tables.
const FIND_FACTS = statement(
  'status.find_facts',
  `select requested.n::int as requested, live.sealed as live_sealed, live.version as live_version, live.proved as live_proved,
     ${selectPaidAmount('live')} as live_paid, test.sealed as test_sealed, test.version as test_version, test.proved as test_proved,
     ${selectPaidAmount('test')} as test_paid
   from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as requested(project_id, custom_id, custom_id_hash, n)
   cross join lateral ${selectSecret('live')} as live cross join lateral ${selectSecret('test')} as test`,
)

interface FactsRow {
  live_sealed: Buffer
  live_version: number
  live_paid: bigint | null
  live_proved: boolean
  test_sealed: Buffer
  test_version: number
  test_paid: bigint | null
  test_proved: boolean
}

/** Null: there is no such project. Secrets are read each time, so a rotation takes effect with its commit. */
export async function findStatusFacts(
  db: Queryable,
  projectId: string,
  customId: string,
  customIdHash: Buffer | null = null,
): Promise<StatusFacts | null> {
  const [row] = await batchQuery<FactsRow>(db, FIND_FACTS, [projectId, customId, customIdHash])
  if (!row) return null
  return {
    secrets: {
      live: { sealed: row.live_sealed, version: row.live_version },
      test: { sealed: row.test_sealed, version: row.test_version },
    },
    paid: { live: row.live_paid, test: row.test_paid },
    proved: { live: row.live_proved, test: row.test_proved },
  }
}

// At most one payment of a customId is in flight or paid, and its state counts. If there is none, a payment in review
// counts, because the order cannot be paid until the review has ended. Otherwise the newest payment counts.
const FIND_STATE = statement(
  'status.find_state',
  `(select state, resolution, needs_review as "needsReview", 1 as rank, created_at, id from transactions t
      where project_id = $1 and mode = $2 and custom_id = $3 and ${holdsOrder('t')} limit 1)
   union all
   (select state, resolution, needs_review as "needsReview", 2, created_at, id from ${erasedPayments('$4::bytea')} as e
      where project_id = $1 and mode = $2 and ${countsAsPaid('e')} limit 1)
   union all
   (select state, resolution, needs_review as "needsReview", 3, created_at, id from transactions
      where project_id = $1 and mode = $2 and custom_id = $3 and needs_review order by created_at desc, id desc limit 1)
   union all
   (select state, resolution, needs_review as "needsReview", 4, created_at, id from ${erasedPayments('$4::bytea')} as e
      where project_id = $1 and mode = $2 and needs_review order by created_at desc, id desc limit 1)
   union all
   (select state, resolution, needs_review as "needsReview", 5, created_at, id from transactions
      where project_id = $1 and mode = $2 and custom_id = $3 order by created_at desc, id desc limit 1)
   union all
   (select state, resolution, needs_review as "needsReview", 6, created_at, id from ${erasedPayments('$4::bytea')} as e
      where project_id = $1 and mode = $2 order by created_at desc, id desc limit 1)
   order by rank limit 1`,
)

type OrderState = Pick<Payment, 'id' | 'state' | 'resolution' | 'needsReview'>

/** The caller must have checked that the person may read the project. */
export async function findOrderState(
  db: Queryable,
  projectId: string,
  mode: Mode,
  customId: string,
  customIdHash: Buffer | null = null,
): Promise<OrderState | null> {
  const values = [projectId, mode, customId, customIdHash]
  const [row] = await db.query<OrderState>(FIND_STATE, values)
  return row ?? null
}

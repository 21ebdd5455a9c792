// Whether an order was paid, in one question each: for the merchant's server, and for the owner in the portal.
import type { Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import { askTogether } from '../db/together.ts'
import type { SealedPair } from '../secrets/decoy.ts'
import type { Payment } from './payment.ts'
import { erased, holdsOrder, paid } from './payments-store.ts'

export interface StatusFacts {
  secrets: SealedPair
  /** What was paid for this customId, by mode; null while nothing was. */
  paid: Readonly<Record<Mode, bigint | null>>
  /** Whether the secret has proved itself before. */
  proved: Readonly<Record<Mode, boolean>>
}

// The second is asked only where the first finds nothing, and is over at once where nothing was ever erased.
const paidIn = (mode: Mode) => `coalesce(
     (select amount from transactions t where t.project_id = asked.project_id and t.mode = '${mode}'
       and t.custom_id = asked.custom_id and ${paid('t')}),
     (select amount from ${erased('asked.custom_id_hash')} as e
       where e.project_id = asked.project_id and e.mode = '${mode}' and ${paid('e')} limit 1))`
const secretOf = (
  mode: Mode,
) => `(select sealed, version, proved_at is not null as proved from project_secrets s
     where s.project_id = asked.project_id and s.mode = '${mode}' limit 1)`

// Each look in a subquery of its own: whatever the tables' sizes, it can only be one step down an index.
const FIND_FACTS = statement(
  'status.find_facts',
  `select asked.n::int as asked, live.sealed as live_sealed, live.version as live_version, live.proved as live_proved,
     ${paidIn('live')} as live_paid, test.sealed as test_sealed, test.version as test_version, test.proved as test_proved,
     ${paidIn('test')} as test_paid
   from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as asked(project_id, custom_id, custom_id_hash, n)
   cross join lateral ${secretOf('live')} as live cross join lateral ${secretOf('test')} as test`,
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

/** Null: there is no such project. Secrets come fresh from here each time, so a rotation holds from its commit on. */
export async function findStatusFacts(
  db: Queryable,
  projectId: string,
  customId: string,
  customIdHash: Buffer | null = null,
): Promise<StatusFacts | null> {
  const [row] = await askTogether<FactsRow>(db, FIND_FACTS, [projectId, customId, customIdHash])
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

// At most one attempt holds a customId, in flight or paid; only when none does is the last one the state.
const FIND_STATE = statement(
  'status.find_state',
  `(select state, resolution, 1 as place, created_at, id from transactions t
      where project_id = $1 and mode = $2 and custom_id = $3 and ${holdsOrder('t')} limit 1)
   union all
   (select state, resolution, 2, created_at, id from ${erased('$4::bytea')} as e
      where project_id = $1 and mode = $2 and ${paid('e')} limit 1)
   union all
   (select state, resolution, 3, created_at, id from transactions
      where project_id = $1 and mode = $2 and custom_id = $3 order by created_at desc, id desc limit 1)
   union all
   (select state, resolution, 4, created_at, id from ${erased('$4::bytea')} as e
      where project_id = $1 and mode = $2 order by created_at desc, id desc limit 1)
   order by place limit 1`,
)

/** The project must be the asker's own. */
export async function findOrderState(
  db: Queryable,
  projectId: string,
  mode: Mode,
  customId: string,
  customIdHash: Buffer | null = null,
): Promise<Pick<Payment, 'state' | 'resolution'> | null> {
  const values = [projectId, mode, customId, customIdHash]
  const [row] = await db.query<Pick<Payment, 'state' | 'resolution'>>(FIND_STATE, values)
  return row ?? null
}

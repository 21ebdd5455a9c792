// Whether an order was paid, in one question each: for the merchant's server, and for the owner in the portal.
import type { Mode } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { SealedPair } from '../secrets/decoy.ts'
import type { PaymentState } from './payment.ts'

export interface StatusFacts {
  secrets: SealedPair
  /** What was paid for this customId, by mode; null while nothing was. */
  paid: Readonly<Record<Mode, bigint | null>>
  /** Whether the secret has proved itself before. */
  proved: Readonly<Record<Mode, boolean>>
}

const paidIn = (mode: Mode) => `(select amount from transactions where project_id = $1 and mode = '${mode}'
     and custom_id = $2 and state = 'succeeded')`

const FIND_FACTS = statement(
  'status.find_facts',
  `select live.sealed as live_sealed, live.version as live_version, ${paidIn('live')} as live_paid,
     live.proved_at is not null as live_proved, test.proved_at is not null as test_proved,
     test.sealed as test_sealed, test.version as test_version, ${paidIn('test')} as test_paid
   from project_secrets live join project_secrets test on test.project_id = live.project_id and test.mode = 'test'
   where live.project_id = $1 and live.mode = 'live'`,
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
): Promise<StatusFacts | null> {
  const [row] = await db.query<FactsRow>(FIND_FACTS, [projectId, customId])
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

// At most one attempt holds a customId, in flight or paid; only when none does is the last failure the state.
const FIND_STATE = statement(
  'status.find_state',
  `select coalesce(
     (select state from transactions where project_id = $1 and mode = $2 and custom_id = $3
        and state in ('processing', 'requires_action', 'succeeded')),
     (select state from transactions where project_id = $1 and mode = $2 and custom_id = $3
        order by created_at desc, id desc limit 1)) as state`,
)

/** The project must be the asker's own. */
export async function findOrderState(
  db: Queryable,
  projectId: string,
  mode: Mode,
  customId: string,
): Promise<PaymentState | null> {
  const [row] = await db.query<{ state: PaymentState | null }>(FIND_STATE, [projectId, mode, customId])
  return row?.state ?? null
}

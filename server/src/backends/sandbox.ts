// The sandbox upstream moves no money. The amount of a payment decides its outcome.
import type { Queryable } from '../db/pool.ts'
import type { Backend, Charge, NewCharge } from './backend.ts'
import { UnknownOutcomeError } from './backend.ts'
import { toMetadata } from './metadata.ts'
import { createSandboxDisputes } from './sandbox-disputes.ts'
import { createSandboxLists } from './sandbox-lists.ts'
import { createSandboxRefunds } from './sandbox-refunds.ts'
import type { LedgerRow } from './sandbox-store.ts'
import { findEntry, finishStep, writeOnce } from './sandbox-store.ts'

interface Script {
  /** Null: nothing is written. */
  entry: { status: LedgerRow['status']; failureCode: string | null } | null
  /** The caller gets no response, whatever was written. */
  losesResponse?: boolean
}

const SUCCESS: Script = { entry: { status: 'succeeded', failureCode: null } }

// Two more amounts are special: a payment of 4007 is disputed after it succeeded (sandbox-disputes.ts), and a payment of
// 4008 is processing at first (sandbox-store.ts).
const SCRIPTS: ReadonlyMap<bigint, Script> = new Map([
  [4000n, { entry: { status: 'failed', failureCode: 'declined' } }],
  [4001n, { entry: { status: 'failed', failureCode: 'insufficient_funds' } }],
  [4002n, { entry: { status: 'succeeded', failureCode: null }, losesResponse: true }],
  [4003n, { entry: null, losesResponse: true }],
  [4004n, { entry: { status: 'requires_action', failureCode: null } }],
  [4005n, { entry: { status: 'succeeded', failureCode: null }, losesResponse: true }],
  [4006n, { entry: { status: 'failed', failureCode: 'kyc_required' } }],
])

export function createSandbox(db: Queryable, baseUrl: string): Backend {
  const toCharge = (row: LedgerRow): Charge => ({
    id: row.id,
    status: row.status,
    amount: row.amount,
    currency: row.currency,
    projectId: null,
    chargeId: null,
    failureCode: row.failure_code,
    actionUrl: row.status === 'requires_action' ? `${baseUrl}/sandbox/bank/${row.id}` : null,
  })
  return {
    name: 'sandbox',
    accounts: ['sandbox', null],
    refunds: createSandboxRefunds(db),
    disputes: createSandboxDisputes(db),
    lists: createSandboxLists(db, toCharge),
    async create(charge: NewCharge) {
      const script = SCRIPTS.get(charge.amount) ?? SUCCESS
      const entry = script.entry && {
        id: charge.id,
        amount: charge.amount,
        currency: charge.currency,
        status: script.entry.status,
        failure_code: script.entry.failureCode,
        metadata: toMetadata(charge, charge.origin?.installationId ?? ''),
      }
      const written = entry && (await writeOnce(db, entry))
      if (script.losesResponse || !written)
        throw new UnknownOutcomeError('the sandbox gives no response for this amount')
      return toCharge(written)
    },
    async find(id) {
      const row = await findEntry(db, id)
      return row && toCharge(row)
    },
    async cancel(id) {
      await finishStep(db, id, 'cancelled', null)
      const row = await writeOnce(db, {
        id,
        amount: 0n,
        currency: '',
        status: 'cancelled',
        failure_code: null,
      })
      return toCharge(row)
    },
  }
}

export async function finishBankStep(
  db: Queryable,
  id: string,
  outcome: 'approve' | 'decline',
): Promise<void> {
  await finishStep(
    db,
    id,
    outcome === 'approve' ? 'succeeded' : 'failed',
    outcome === 'approve' ? null : 'declined',
  )
}

// The queue of results to tell. Rows are written inside the transaction that ends a payment, so that none can be lost
// and none can tell of what did not happen.
import type { Mode } from '@pazar/contract'
import type { CallbackFacts } from '@pazar/sdk'
import type { Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'

export interface NewCallback {
  id: string
  projectId: string
  transactionId: string | null
  mode: Mode
  result: 'success' | 'fail'
  customId: string | null
  facts: CallbackFacts
}

const INSERT = statement(
  'callbacks.insert',
  `insert into callbacks (project_id, id, transaction_id, mode, result, custom_id, payload)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

export async function insertCallback(tx: Tx, callback: NewCallback): Promise<void> {
  await tx.query(INSERT, [
    callback.projectId,
    callback.id,
    callback.transactionId,
    callback.mode,
    callback.result,
    callback.customId,
    JSON.stringify(callback.facts),
  ])
}

const CANCEL_FAILS = statement(
  'callbacks.cancel_fails',
  `update callbacks set status = 'cancelled', lease_until = null, claim = null
   where project_id = $1 and mode = $2 and custom_id = $3 and result = 'fail' and status in ('pending', 'sending')`,
)

export async function cancelOvertakenFails(
  tx: Tx,
  projectId: string,
  mode: Mode,
  customId: string,
): Promise<void> {
  await tx.query(CANCEL_FAILS, [projectId, mode, customId])
}

// Results of payments in the queue, written directly, for tests of the statements that read them.
import type { Mode } from '@pazar/contract'
import { newUuidV7 } from '../src/lib/id.ts'
import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'
import { insertPayments } from './transactions.ts'

export const newCallbackId = (deps: Deps) => `msg_${newUuidV7(deps.clock).replaceAll('-', '')}`

export interface QueuedResult {
  mode?: Mode
  result?: 'success' | 'fail'
  status?: 'pending' | 'delivered' | 'exhausted' | 'cancelled'
  customId?: string | null
  checkoutId?: string | null
  payment?: string | null
  revision?: number
}

/** A result of a payment, by default a queued fail. */
export async function addResult(
  deps: Deps,
  of: string,
  fields: QueuedResult = {},
): Promise<{ id: string; payment: string }> {
  const { mode = 'live', result = 'fail', status = 'pending', revision = 1 } = fields
  const { customId = null, checkoutId = null } = fields
  const payment =
    fields.payment === undefined
      ? (await insertPayments(deps, of, [{ mode, state: 'failed' }]))[0]!
      : fields.payment
  const id = newCallbackId(deps)
  await rows(
    deps.db,
    `insert into callbacks (project_id, id, transaction_id, mode, result, status, custom_id, checkout_id, revision, payload,
       delivered_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, jsonb_build_object('customId', $7::text, 'data', 'tekst'),
       case when $6 = 'delivered' then now() end)`,
    [of, id, payment, mode, result, status, customId, checkoutId, revision],
  )
  return { id, payment: payment ?? '' }
}

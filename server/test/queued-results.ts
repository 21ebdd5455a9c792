// Inserts results of payments directly into the queue, for tests of the SQL statements that read these results.
import { beforeEach } from 'node:test'
import type { Mode } from '@pazar/contract'
import { newCallbackId } from '../src/lib/id.ts'
import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'
import { addCallbackProject, readCallbackRow } from './deliveries.ts'
import { startPayments } from './payments.ts'
import { insertPayments } from './transactions.ts'

export interface QueuedResult {
  mode?: Mode
  result?: 'success' | 'fail'
  status?: 'pending' | 'delivered' | 'exhausted' | 'cancelled'
  customId?: string | null
  checkoutId?: string | null
  payment?: string | null
  revision?: number
  /** Whether the result is stored as a new callback (see stored-forms.ts). If true, `status` must be `pending`. */
  isNew?: boolean
}

async function addResult(
  deps: Deps,
  projectId: string,
  fields: QueuedResult = {},
): Promise<{ id: string; payment: string }> {
  const { mode = 'live', result = 'fail', status = 'pending', revision = 1 } = fields
  const { customId = null, checkoutId = null, isNew = false } = fields
  const payment =
    fields.payment === undefined
      ? (await insertPayments(deps, projectId, [{ mode, state: 'failed' }]))[0]!
      : fields.payment
  if (checkoutId)
    await rows(deps.db, 'update transactions set checkout_id = $2 where id = $1', [payment, checkoutId])
  const id = newCallbackId(deps.clock)
  await rows(
    deps.db,
    `with queued as (insert into new_callbacks (project_id, id, mode) select $1, $2, $4 where $10)
     insert into callbacks (project_id, id, transaction_id, mode, result, status, custom_id, checkout_id, revision, payload,
       delivered_at, attempts, last_outcome)
     values ($1, $2, $3, $4, $5, case when $10 then 'delivered' else $6 end, $7, $8, $9,
       jsonb_build_object('customId', $7::text, 'data', 'tekst'), case when $6 = 'delivered' then now() end, $10::integer,
       case when $10 then 'delivered' end)`,
    [projectId, id, payment, mode, result, status, customId, checkoutId, revision, isNew],
  )
  return { id, payment: payment ?? '' }
}

export async function startTwoProjects() {
  const { deps } = await startPayments()
  const { db } = deps
  const projectId = await addCallbackProject(deps, 'https://shop.example.com/callback')
  const otherId = await addCallbackProject(deps, 'https://shop.example.com/callback')
  beforeEach(() => rows(db, 'truncate callbacks, callback_lanes, transactions cascade'))
  return {
    deps,
    db,
    projectId,
    otherId,
    newId: () => newCallbackId(deps.clock),
    add: ({ of = projectId, ...fields }: QueuedResult & { of?: string } = {}) => addResult(deps, of, fields),
    toSuccess: (transactionId: string, customId: string) => ({
      status: 'success' as const,
      projectId,
      transactionId,
      amount: '1500',
      currency: 'EUR',
      customId,
      data: null,
      mode: 'live' as const,
      createdAt: '2026-11-16T03:00:00.000Z',
      failureCode: null,
    }),
    statusOf: async (id: string) => (await readCallbackRow(db, id)).status,
  }
}

// Fills lanes (one project in one mode) with payments and callbacks. All lanes get the same values, apart from project,
// mode, ids and times.
import { randomUUID } from 'node:crypto'
import type { Lane } from '../src/callbacks/lanes.ts'
import type { Queryable } from '../src/db/pool.ts'
import { raiseIncident } from '../src/payments/incidents.ts'
import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'
import { queueCallbacks } from './deliveries.ts'
import { insertPayments } from './transactions.ts'
import { changeCallbacks } from './stored-forms.ts'

export const SHARED_VALUES = {
  checkoutId: randomUUID(),
  hash: Buffer.alloc(32, 7),
  data: 'Kafa',
  paid: 'order-paid',
  failed: 'order-failed',
  erased: 'order-erased',
}

const ERASE = `update transactions set custom_id = null, data = null, erased_at = now()
  where project_id = $1 and mode = $2 and custom_id = $3`
const SET_HASH = `update transactions set custom_id_hash = $4 where project_id = $1 and mode = $2 and custom_id = $3`
const LINK_CALLBACKS = `update callbacks c set transaction_id = t.id, checkout_id = t.checkout_id from transactions t
  where t.id = any($1::uuid[]) and c.project_id = t.project_id and c.mode = t.mode and c.custom_id = t.custom_id
    and c.transaction_id is null`
const SET_STATUS = `update callbacks set status = $2, attempts = 1, last_outcome = $3, trigger = $4,
    delivered_at = case $2 when 'delivered' then now() end,
    lease_until = case $2 when 'sending' then now() + interval '1 hour' end,
    next_at = now() + interval '1 hour' where id = $1`
const INSERT_ATTEMPT = `insert into callback_attempts (project_id, callback_id, attempt, trigger, url, started_at, duration_ms, outcome)
  values ($1, $2, 1, 'auto', 'https://merchant.example/', now() - interval '1 minute', 100, $3)`

const CALLBACKS = [
  { customId: SHARED_VALUES.paid, result: 'success', status: 'delivered', outcome: 'delivered' },
  { customId: SHARED_VALUES.failed, result: 'fail', status: 'exhausted', outcome: 'http_error' },
  { customId: 'order-expired', result: 'fail', status: 'pending', outcome: 'timeout' },
  { customId: 'order-other', result: 'fail', status: 'sending', outcome: null },
  { customId: 'order-late', result: 'fail', status: 'cancelled', outcome: 'http_error' },
] as const

async function fillCallbacks(
  db: Queryable,
  { projectId, mode }: Lane,
  paymentIds: readonly string[],
): Promise<void> {
  for (const { customId, result, status, outcome } of CALLBACKS) {
    const [id] = await queueCallbacks(db, projectId, 1, { mode, customId, result, data: SHARED_VALUES.data })
    await changeCallbacks(db, SET_STATUS, [id, status, outcome, 'auto'])
    if (outcome) await rows(db, INSERT_ATTEMPT, [projectId, id, outcome])
  }
  await changeCallbacks(db, LINK_CALLBACKS, [paymentIds])
  await rows(
    db,
    `insert into callback_lanes (project_id, mode, failures_in_row, failing_since, probe_at)
     values ($1, $2, 20, now(), now() + interval '1 second')
     on conflict (project_id, mode) do update set failures_in_row = 20, failing_since = now(), probe_at = excluded.probe_at`,
    [projectId, mode],
  )
}

/** Adds payments in every state, callbacks with every status, attempts and an incident. Marks the secret as used. */
export async function fillLane(deps: Deps, lane: Lane): Promise<void> {
  const { projectId, mode } = lane
  const { db } = deps
  const texts = { mode, data: SHARED_VALUES.data }
  const ids = await insertPayments(deps, projectId, [
    { ...texts, customId: SHARED_VALUES.paid },
    { ...texts, customId: SHARED_VALUES.failed, state: 'failed' },
    { ...texts, customId: 'order-expired', state: 'expired' },
    { ...texts, customId: 'order-open', state: 'processing' },
    { ...texts, customId: 'order-bank', state: 'requires_action' },
    { ...texts, customId: SHARED_VALUES.erased },
  ])
  await rows(db, 'update transactions set checkout_id = $2 where id = any($1::uuid[])', [
    ids,
    SHARED_VALUES.checkoutId,
  ])
  await fillCallbacks(db, lane, ids)
  await rows(db, SET_HASH, [projectId, mode, SHARED_VALUES.erased, SHARED_VALUES.hash])
  await rows(db, ERASE, [projectId, mode, SHARED_VALUES.erased])
  const failed = ids[1]!
  const incident = { kind: 'mismatch', transactionId: failed, subject: failed, facts: {} } as const
  await raiseIncident(deps, incident, { needsReview: true })
  await rows(
    db,
    'update project_secrets set proved_at = now(), version = 5 where project_id = $1 and mode = $2',
    [projectId, mode],
  )
}

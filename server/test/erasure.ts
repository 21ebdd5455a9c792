// For tests of the erasure, which removes customId and data from old payments.
import type { Order } from '../src/payments/payment.ts'
import { confirmPayment } from '../src/payments/confirm.ts'
import { eraseOnce } from '../src/payments/erasure/erase.ts'
import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'
import { changeCallbacks } from './stored-forms.ts'

const DAY_MS = 86_400_000

/** Makes a payment and its delivered callback, both dated `daysAgo` days ago. */
export async function payLongAgo(deps: Deps, order: Order, daysAgo: number): Promise<string> {
  const clock = { ...deps.clock, nowMs: () => deps.clock.nowMs() - daysAgo * DAY_MS }
  const outcome = await confirmPayment({ ...deps, clock }, order)
  if (outcome.kind !== 'payment') throw new Error(`no payment was made: ${outcome.kind}`)
  const { id } = outcome.payment
  await makeOlder(deps, id, daysAgo)
  return id
}

/**
 * Makes the payment and its callback older, and marks the callback as delivered. The trigger that refuses changes of a
 * payment's times is disabled meanwhile.
 */
export async function makeOlder(deps: Deps, id: string, daysAgo: number): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await rows(tx, 'alter table transactions disable trigger transactions_guard')
    await rows(
      tx,
      `update transactions set created_at = created_at - make_interval(days => $2),
         completed_at = completed_at - make_interval(days => $2) where id = $1`,
      [id, daysAgo],
    )
    await rows(tx, 'alter table transactions enable trigger transactions_guard')
  })
  await changeCallbacks(
    deps.db,
    `update callbacks set status = 'delivered', lease_until = null,
       created_at = created_at - make_interval(days => $2), delivered_at = now() - make_interval(days => $2)
     where transaction_id = $1`,
    [id, daysAgo],
  )
}

// Each of these functions skips one pause of the erasure: it sets the time of the step before the pause to an hour ago.
export const skipKeyPause = (deps: Deps) =>
  rows(deps.db, `update installation_keys set created_at = now() - interval '1 hour'`)
export const skipMarkPause = (deps: Deps) =>
  rows(deps.db, `update erasure_progress set marked_at = now() - interval '1 hour'`)
export const skipWaitingPause = (deps: Deps) =>
  rows(deps.db, `update erasure_waiting set checked_at = now() - interval '1 hour'`)

async function eraseUntilPause(deps: Deps): Promise<void> {
  while (await eraseOnce(deps));
}

export async function eraseAll(deps: Deps): Promise<void> {
  await eraseUntilPause(deps)
  await skipKeyPause(deps)
  await eraseUntilPause(deps)
  await skipMarkPause(deps)
  await eraseUntilPause(deps)
  await skipWaitingPause(deps)
  await eraseUntilPause(deps)
}

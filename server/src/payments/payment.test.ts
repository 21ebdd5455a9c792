// The transitions are defined both in payment.ts and in a trigger of the database. Both definitions must be the same.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startPayments } from '../../test/payments.ts'
import { newUuidV7 } from '../lib/id.ts'
import { isFinal, MOVES, PAYMENT_STATES } from './payment.ts'
import type { PaymentState } from './payment.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

const UNPAID = ['failed', 'expired']
/** A check violation in PostgreSQL. */
const REFUSED = { code: '23514' }

async function insertIn(state: PaymentState): Promise<string> {
  const id = newUuidV7(deps.clock)
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, data, state,
       failure_code, completed_at)
     values ($1, $2, 'live', $3::uuid, 1500, 'EUR', $3::text, 'data', $4, $5, case when $6 then now() end)`,
    [id, projectId, randomUUID(), state, UNPAID.includes(state) ? 'declined' : null, isFinal(state)],
  )
  return id
}

async function move(id: string, to: PaymentState): Promise<void> {
  await rows(
    db,
    `update transactions set state = $2, failure_code = $3, completed_at = case when $4 then now() end where id = $1`,
    [id, to, UNPAID.includes(to) ? 'declined' : null, isFinal(to)],
  )
}

for (const from of PAYMENT_STATES) {
  for (const to of PAYMENT_STATES.filter((state) => state !== from)) {
    const isAllowed = MOVES[from].includes(to)
    test(`the database ${isAllowed ? 'allows' : 'refuses'} the transition of a payment from ${from} to ${to}`, async () => {
      const id = await insertIn(from)
      if (isAllowed) await move(id, to)
      else await assert.rejects(move(id, to), REFUSED)
      const [row] = await rows<{ state: string }>(db, 'select state from transactions where id = $1', [id])
      assert.equal(row?.state, isAllowed ? to : from)
    })
  }
}

test('the database refuses an open payment without a time for its next lookup', async () => {
  for (const state of PAYMENT_STATES) {
    const id = await insertIn(state)
    const removeNextCheck = () => rows(db, 'update transactions set next_check_at = null where id = $1', [id])
    if (isFinal(state)) await removeNextCheck()
    else await assert.rejects(removeNextCheck(), REFUSED)
  }
})

const UNCHANGEABLE_COLUMNS: Readonly<Record<string, string>> = {
  id: `'${newUuidV7(deps.clock)}'`,
  amount: '1',
  currency: "'RSD'",
  mode: "'test'",
  custom_id: "'other'",
  data: "'other'",
  attempt_id: `'${randomUUID()}'`,
  backend: "'http'",
}

for (const [column, value] of Object.entries(UNCHANGEABLE_COLUMNS)) {
  test(`the database refuses to replace ${column} of a payment, in every state`, async () => {
    for (const state of PAYMENT_STATES) {
      const id = await insertIn(state)
      const update = `update transactions set ${column} = ${value} where id = $1`
      await assert.rejects(rows(db, update, [id]), REFUSED, state)
    }
  })
}

for (const [column, value] of Object.entries({
  failure_code: "'other'",
  completed_at: 'now()',
  upstream_ref: "'ch_2'",
})) {
  test(`the database refuses to change ${column} of an ended payment`, async () => {
    for (const state of PAYMENT_STATES.filter(isFinal)) {
      const id = await insertIn(state)
      // The charge id of a succeeded payment can be set once, so it is set here first.
      if (state === 'succeeded')
        await rows(db, "update transactions set upstream_ref = 'ch_1' where id = $1", [id])
      const update = `update transactions set ${column} = ${value} where id = $1`
      await assert.rejects(rows(db, update, [id]), REFUSED, state)
    }
  })
}

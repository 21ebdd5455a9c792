import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import {
  eraseAll,
  makeOlder,
  skipKeyPause,
  skipMarkPause,
  skipWaitingPause,
  payLongAgo,
} from '../../../test/erasure.ts'
import { newOrder, startPayments, recordStatements } from '../../../test/payments.ts'
import { confirmPayment } from '../confirm.ts'
import { raiseIncident } from '../incidents.ts'
import { eraseOnce } from './erase.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const { deps, projectId, replica } = await startPayments({ PAYMENT_DATA_RETENTION_DAYS: '30' })
const { db } = deps

const newTexts = () => ({ customId: `order-${randomUUID()}`, data: 'text' })

async function isErased(id: string): Promise<boolean> {
  const [row] = await rows<{ custom_id: string | null; data: string | null; gone: boolean }>(
    db,
    `select custom_id, data, erased_at is not null as gone from transactions where id = $1`,
    [id],
  )
  if (row!.gone) assert.deepEqual([row!.custom_id, row!.data], [null, null])
  return row!.gone
}

test('nothing is erased before the hash key and the hashes have been stored for a while', async () => {
  const id = await payLongAgo(deps, newOrder(projectId, newTexts()), 40)
  assert.equal(await eraseOnce(deps), false)
  assert.equal((await rows(db, 'select from installation_keys')).length, 1)
  assert.equal((await rows(db, 'select from transactions where custom_id_hash is not null')).length, 0)
  await skipKeyPause(deps)
  while (await eraseOnce(deps));
  assert.equal((await rows(db, 'select from transactions where custom_id_hash is not null')).length, 1)
  for (let round = 0; round < 3; round += 1) await eraseOnce(deps)
  assert.equal(await isErased(id), false)
  await skipMarkPause(deps)
  while (await eraseOnce(deps));
  assert.equal(await isErased(id), true)
})

test('a paid order cannot be paid again at any moment of its erasure', async () => {
  const order = newOrder(projectId, newTexts())
  await payLongAgo(deps, order, 40)
  const confirmAgain = async () => (await confirmPayment(deps, { ...order, attemptId: randomUUID() })).kind
  assert.equal(await confirmAgain(), 'already_paid')
  while (await eraseOnce(deps));
  assert.equal(await confirmAgain(), 'already_paid')
  await skipMarkPause(deps)
  // Pay is pressed while the text is being erased. The hash was stored long before.
  const pressed: Promise<string>[] = []
  const racing = recordStatements(deps, async (name, run) => {
    if (name === 'erasure.erase') pressed.push(confirmAgain(), confirmAgain())
    return run()
  })
  while (await eraseOnce(racing.deps));
  assert.ok(pressed.length > 0)
  for (const kind of await Promise.all(pressed)) assert.equal(kind, 'already_paid')
  assert.equal(await confirmAgain(), 'already_paid')
})

test('a payment is not erased while it is too new, open or in review, or has an open incident or a queued callback', async () => {
  const young = await payLongAgo(deps, newOrder(projectId, newTexts()), 29)
  const review = await payLongAgo(deps, newOrder(projectId, { ...newTexts(), amount: 4000n }), 40)
  await raiseIncident(
    deps,
    { kind: 'mismatch', transactionId: review, subject: review, facts: {} },
    { needsReview: true },
  )
  // This payment is paid and not in review, but it has an open incident.
  const withIncident = await payLongAgo(deps, newOrder(projectId, newTexts()), 40)
  await raiseIncident(deps, {
    kind: 'mismatch',
    transactionId: withIncident,
    subject: withIncident,
    facts: {},
  })
  const queued = await payLongAgo(deps, newOrder(projectId, newTexts()), 40)
  const withoutCustomId = await payLongAgo(deps, newOrder(projectId, { data: 'text' }), 40)
  await changeCallbacks(
    db,
    `update callbacks set status = 'pending', delivered_at = null where transaction_id = any($1::uuid[])`,
    [[queued, withoutCustomId]],
  )
  // With the amount 4004 the payer has to visit the bank's page, so the payment stays open.
  const open = await payLongAgo(deps, newOrder(projectId, { ...newTexts(), amount: 4004n }), 40)
  await eraseAll(deps)
  for (const id of [young, review, withIncident, queued, withoutCustomId, open])
    assert.equal(await isErased(id), false, id)
  // All payments are waiting, except the young payment, which the erasure has not read yet.
  assert.equal((await rows(db, 'select from erasure_waiting')).length, 5)

  await changeCallbacks(
    db,
    `update callbacks set status = 'exhausted' where transaction_id = any($1::uuid[])`,
    [[queued, withoutCustomId]],
  )
  await rows(db, 'update incidents set closed_at = now()')
  await rows(db, 'update transactions set needs_review = false where id = $1', [review])
  await rows(
    db,
    `update transactions set state = 'expired', completed_at = now(), action_url = null, next_check_at = null where id = $1`,
    [open],
  )
  await skipWaitingPause(deps)
  while (await eraseOnce(deps));
  assert.equal(await isErased(queued), true)
  assert.equal(await isErased(withoutCustomId), true)
  assert.equal(await isErased(review), true)
  assert.equal(await isErased(withIncident), true)
  // The age is counted from the end of the payment.
  assert.equal(await isErased(open), false)
  await makeOlder(deps, open, 31)
  await skipWaitingPause(deps)
  while (await eraseOnce(deps));
  assert.equal(await isErased(open), true)
  assert.equal(await isErased(young), false)
  assert.equal((await rows(db, 'select from erasure_waiting')).length, 0)
})

test('a payment whose callback is being sent keeps its data until the attempt has ended', async () => {
  const id = await payLongAgo(deps, newOrder(projectId, { data: 'text' }), 40)
  const send = `update callbacks set status = 'sending', delivered_at = null, claim = $2,
    lease_until = now() + interval '1 minute' where transaction_id = $1`
  await changeCallbacks(db, send, [id, randomUUID()])
  await eraseAll(deps)
  assert.equal(await isErased(id), false)
  const giveUp = `update callbacks set status = 'exhausted', lease_until = null where transaction_id = $1`
  await changeCallbacks(db, giveUp, [id])
  await skipWaitingPause(deps)
  while (await eraseOnce(deps));
  assert.equal(await isErased(id), true)
})

test('an order keeps its customId while the callback of a failed attempt is queued', async () => {
  const order = newTexts()
  const failed = await payLongAgo(deps, newOrder(projectId, { ...order, amount: 4000n }), 40)
  const paid = await payLongAgo(deps, newOrder(projectId, order), 40)
  await changeCallbacks(db, `update callbacks set status = 'pending' where transaction_id = $1`, [failed])
  await eraseAll(deps)
  assert.deepEqual([await isErased(failed), await isErased(paid)], [false, false])
  await changeCallbacks(db, `update callbacks set status = 'delivered' where transaction_id = $1`, [failed])
  await skipWaitingPause(deps)
  while (await eraseOnce(deps));
  assert.deepEqual([await isErased(failed), await isErased(paid)], [true, true])
})

test('if a process is killed, only whole batches are erased, and the next process continues', async () => {
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, custom_id, data, state, created_at, completed_at)
     select (lpad(to_hex(floor(extract(epoch from now() - interval '35 days') * 1000 + n)::bigint), 12, '0')
       || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'live', gen_random_uuid(), 100 + n, 'EUR', 'many-' || n, 'd', 'succeeded',
       now() - interval '35 days', now() - interval '35 days' from generate_series(1, 1200) n`,
    [projectId],
  )
  while (await eraseOnce(deps));
  await skipMarkPause(deps)
  let batches = 0
  const killed = recordStatements(deps, (name, run) => {
    if (name === 'erasure.set_erased' && (batches += 1) === 2) throw new Error('killed')
    return run()
  })
  await assert.rejects(
    (async () => {
      while (await eraseOnce(killed.deps));
    })(),
    /killed/,
  )
  const listRemaining = () => rows(db, `select from transactions where custom_id like 'many-%'`)
  assert.equal((await listRemaining()).length, 700)
  const secondReplica = await replica()
  await Promise.all([deps, secondReplica].map((one) => eraseOnce(one)))
  const [{ length }] = [await listRemaining()]
  assert.ok(length === 200 || length === 0, String(length))
  while ((await eraseOnce(secondReplica)) || (await eraseOnce(deps)));
  assert.equal((await listRemaining()).length, 0)
  const [sum] = await rows<{ n: bigint; total: bigint }>(
    db,
    `select count(*) as n, sum(amount)::bigint as total from transactions where erased_at is not null and amount between 101 and 1300`,
  )
  // The total is the sum of the amounts from 101 to 1300.
  assert.deepEqual(sum, { n: 1200n, total: 840_600n })
})

test('a callback that is queued again just before its erasure keeps its data', async () => {
  const id = await payLongAgo(deps, newOrder(projectId, newTexts()), 40)
  while (await eraseOnce(deps));
  await skipMarkPause(deps)
  const requeuing = recordStatements(deps, async (name, run) => {
    if (name === 'callbacks.lock_for_erasure')
      await changeCallbacks(db, `update callbacks set status = 'pending' where transaction_id = $1`, [id])
    return run()
  })
  while (await eraseOnce(requeuing.deps));
  assert.equal(await isErased(id), false)
  const [callback] = await rows<{ payload: { data: string } }>(
    db,
    'select payload from callback_states where transaction_id = $1',
    [id],
  )
  assert.equal(callback!.payload.data, 'text')
})

test('the database allows customId and data of an ended payment to be erased, but not to be changed', async () => {
  const id = await payLongAgo(deps, newOrder(projectId, newTexts()), 0)
  const update = (set: string) => rows(db, `update transactions set ${set} where id = $1`, [id])
  // The code of a check violation in PostgreSQL.
  const refused = { code: '23514' }
  await assert.rejects(update(`custom_id = 'another'`), refused)
  await assert.rejects(update(`data = 'another'`), refused)
  await assert.rejects(update(`custom_id = null, data = null`), refused)
  await assert.rejects(update(`custom_id = null, data = null, erased_at = now()`), refused)
  await update(`custom_id_hash = sha256('x')`)
  await assert.rejects(update(`custom_id_hash = sha256('y')`), refused)
  await assert.rejects(update(`custom_id = null, erased_at = now()`), refused)
  await assert.rejects(update(`custom_id = null, data = null, amount = 1, erased_at = now()`), refused)
  await update(`custom_id = null, data = null, erased_at = now()`)
  await assert.rejects(update(`custom_id = 'back'`), refused)
  await assert.rejects(update(`erased_at = null`), refused)
  const open = await confirmPayment(deps, newOrder(projectId, { ...newTexts(), amount: 4004n }))
  assert.ok(open.kind === 'payment')
  await assert.rejects(
    rows(
      db,
      `update transactions set custom_id = null, data = null, erased_at = now(), custom_id_hash = sha256('x') where id = $1`,
      [open.payment.id],
    ),
    refused,
  )
})

test('without PAYMENT_DATA_RETENTION_DAYS no hash is stored, nothing is erased, and no order is looked up by a hash', async () => {
  const plain = await startPayments()
  await payLongAgo(plain.deps, newOrder(plain.projectId, newTexts()), 4_000)
  assert.equal(await eraseOnce(plain.deps), false)
  assert.equal((await rows(plain.deps.db, 'select from installation_keys')).length, 0)
  assert.equal(plain.deps.erasedOrders.toHash(plain.projectId, 'x'), null)
})

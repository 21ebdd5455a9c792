import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startPayments } from '../../test/payments.ts'
import { payFor, readSums } from '../../test/refunds.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

async function insert(
  transactionId: string,
  amount: number,
  origin = 'api',
  currency = 'EUR',
): Promise<string> {
  const key = origin === 'upstream' ? null : crypto.randomUUID()
  const text = `insert into refunds (project_id, id, transaction_id, mode, amount, currency, origin, idempotency_key)
    values ($1, gen_random_uuid(), $2, 'live', $3, $4, $5, $6) returning id`
  const [row] = await rows<{ id: string }>(db, text, [
    projectId,
    transactionId,
    amount,
    currency,
    origin,
    key,
  ])
  return row!.id
}

const EXCEEDS = { constraint: 'refunds_within_payment' }

test('a requested refund of more than what is left of the payment is refused, but a refund that the upstream reports is recorded', async () => {
  const { id } = await payFor(deps, projectId)
  await insert(id, 1000)
  await assert.rejects(insert(id, 501), EXCEEDS)
  await insert(id, 500)
  await assert.rejects(insert(id, 1), EXCEEDS)
  await insert(id, 1, 'upstream')
  assert.deepEqual(await readSums(db, id), { refunded: 0n, processing: 1501n, disputed: 0n })
})

test('a dispute reduces the refundable amount', async () => {
  const { id } = await payFor(deps, projectId)
  await rows(db, 'update transactions set disputed = 1200 where id = $1', [id])
  await assert.rejects(insert(id, 301), EXCEEDS)
  await insert(id, 300)
})

test('fifty refunds inserted at the same time reserve no more than the amount of the payment', async () => {
  const { id } = await payFor(deps, projectId)
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => insert(id, 400)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3)
  assert.equal((await readSums(db, id)).processing, 1200n)
})

test('a refund in another currency is refused, whether it is requested or reported', async () => {
  const { id } = await payFor(deps, projectId)
  for (const origin of ['api', 'upstream']) await assert.rejects(insert(id, 5, origin, 'USD'), EXCEEDS)
})

test('a refund that fails or is returned frees its amount and can no longer change', async () => {
  const { id } = await payFor(deps, projectId)
  const move = (refund: string, state: string) =>
    rows(
      db,
      `update refunds set state = $2, completed_at = coalesce(completed_at, now()),
         returned_at = case $2 when 'returned' then now() end where id = $1`,
      [refund, state],
    )
  const failed = await insert(id, 1500)
  await move(failed, 'failed')
  assert.equal((await readSums(db, id)).processing, 0n)
  const returned = await insert(id, 1500)
  await move(returned, 'succeeded')
  assert.equal((await readSums(db, id)).refunded, 1500n)
  await assert.rejects(insert(id, 1), EXCEEDS)
  await move(returned, 'returned')
  assert.deepEqual(await readSums(db, id), { refunded: 0n, processing: 0n, disputed: 0n })
  await insert(id, 1500)
  for (const state of ['processing', 'succeeded', 'returned']) await assert.rejects(move(failed, state))
  for (const state of ['processing', 'succeeded', 'failed']) await assert.rejects(move(returned, state))
  await assert.rejects(
    rows(db, 'update refunds set amount = 1 where id = $1', [failed]),
    /what was requested/,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackShop, queueCallbacks } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { removeOldAttempts } from './retention.ts'

const { deps } = await startPayments({ ATTEMPT_RETENTION_DAYS: '30' })
const { db } = deps

async function addAttempts(ids: readonly string[], daysAgo: number): Promise<void> {
  await rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome)
     select project_id, id, $2::integer, 'u', now() - make_interval(days => $2), 'timeout' from callbacks where id = any($1)`,
    [ids, daysAgo],
  )
}

test('tries older than the setting go, in small batches; newer ones and all callbacks stay', async () => {
  const shops = [
    await addCallbackShop(deps, 'https://a.example.com/'),
    await addCallbackShop(deps, 'https://b.example.com/'),
  ]
  for (const shop of shops) {
    const ids = await queueCallbacks(db, shop, 700)
    await addAttempts(ids, 31)
    await addAttempts(ids, 29)
  }
  const before = db.statementCount()
  assert.equal(await removeOldAttempts(deps), 1_400)
  assert.equal(db.statementCount() - before, 3)
  const left = await rows<{ attempt: number; n: bigint }>(
    db,
    'select attempt, count(*) as n from callback_attempts group by 1',
  )
  assert.deepEqual(
    left.map((row) => [row.attempt, Number(row.n)]),
    [[29, 1_400]],
  )
  const [callbacks] = await rows<{ n: bigint }>(db, 'select count(*) as n from callbacks')
  assert.equal(callbacks!.n, 1_400n)
  assert.equal(await removeOldAttempts(deps), 0)
})

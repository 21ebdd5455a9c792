import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { removeOldAttempts, removeOldDeliveries, removeOldTestCallbacks } from './retention.ts'

const { deps } = await startPayments({ ATTEMPT_RETENTION_DAYS: '30' })
const { db } = deps

async function addAttempts(ids: readonly string[], daysAgo: number): Promise<void> {
  await rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome)
     select project_id, id, $2::integer, 'u', now() - make_interval(days => $2), 'timeout' from callback_states where id = any($1)`,
    [ids, daysAgo],
  )
}

test('attempts older than ATTEMPT_RETENTION_DAYS are deleted in batches; newer attempts and all callbacks stay', async () => {
  const merchants = [
    await addCallbackProject(deps, 'https://a.example.com/'),
    await addCallbackProject(deps, 'https://b.example.com/'),
  ]
  for (const merchant of merchants) {
    const ids = await queueCallbacks(db, merchant, 700)
    await addAttempts(ids, 31)
    await addAttempts(ids, 29)
  }
  const countBefore = db.statementCount()
  assert.equal(await removeOldAttempts(deps), 1_400)
  assert.equal(db.statementCount() - countBefore, 3)
  const remaining = await rows<{ attempt: number; n: bigint }>(
    db,
    'select attempt, count(*) as n from callback_attempts group by 1',
  )
  assert.deepEqual(
    remaining.map((row) => [row.attempt, Number(row.n)]),
    [[29, 1_400]],
  )
  const [callbacks] = await rows<{ n: bigint }>(db, 'select count(*) as n from callback_states')
  assert.equal(callbacks!.n, 1_400n)
  assert.equal(await removeOldAttempts(deps), 0)
})

test('old test callbacks are deleted; callbacks of payments and queued callbacks stay', async () => {
  const projectId = await addCallbackProject(deps, 'https://c.example.com/')
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, completed_at)
     values ('018bcfe5-6800-7000-8000-000000000001', $1, 'test', gen_random_uuid(), 1, 'EUR', 'failed', now())`,
    [projectId],
  )
  const add = (id: string, daysAgo: number, status: string, transactionId: string | null = null) =>
    rows(
      db,
      `insert into callbacks (project_id, id, transaction_id, mode, result, payload, status, delivered_at, created_at)
       values ($1, $2, $3, 'test', 'fail', '{}', $4, now(), now() - make_interval(days => $5))`,
      [projectId, id, transactionId, status, daysAgo],
    )
  for (let n = 0; n < 600; n += 1) await add(`old${n}`, 31, n % 2 ? 'delivered' : 'exhausted')
  await add('new', 29, 'delivered')
  await add('queued', 31, 'pending')
  await add('paid', 31, 'delivered', '018bcfe5-6800-7000-8000-000000000001')
  assert.equal(await removeOldTestCallbacks(deps), 600)
  const remaining = await rows<{ id: string }>(
    db,
    'select id from callback_states where project_id = $1 order by id',
    [projectId],
  )
  assert.deepEqual(
    remaining.map(({ id }) => id),
    ['new', 'paid', 'queued'],
  )
})

test('the cleanup deletes the event streams of dead processes', async () => {
  const projectId = await addCallbackProject(deps, 'https://d.example.com/')
  await rows(
    db,
    `insert into event_streams (id, account_id, project_id, expires_at)
     select gen_random_uuid(), owner_id, id, now() + s * interval '1 second' from projects, unnest(array[-1, 60]) s where id = $1`,
    [projectId],
  )
  await removeOldDeliveries(deps)
  assert.equal((await rows(db, 'select from event_streams where project_id = $1', [projectId])).length, 1)
})

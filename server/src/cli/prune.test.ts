import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks } from '../../test/deliveries.ts'
import { eraseAll, payLongAgo, skipMarkPause } from '../../test/erasure.ts'
import { newOrder, startPayments } from '../../test/payments.ts'
import { RETENTION } from '../retention.ts'
import { toPrinted, UsageError } from './command.ts'
import { listPrunable, prune } from './prune.ts'

const { deps, projectId } = await startPayments({
  ATTEMPT_RETENTION_DAYS: '30',
  PAYMENT_DATA_RETENTION_DAYS: '40',
})
const { db } = deps

const run = async (...args: string[]) => toPrinted(await prune.run(deps, args)).text
const countAll = async (table: string) => (await rows(db, `select from ${table}`)).length
const listAudit = async () =>
  rows<{ account_id: string | null; changes: Record<string, number> }>(
    db,
    `select account_id, changes from audit_events where action = 'data_pruned' order by id`,
  )

test('a dry run counts the rows that are due; --delete deletes them and records how many', async () => {
  const shop = await addCallbackProject(deps, 'https://a.example.com/')
  const ids = await queueCallbacks(db, shop, 700)
  for (const daysAgo of [31, 29])
    await rows(
      db,
      `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome)
       select project_id, id, $2::integer, 'u', now() - make_interval(days => $2), 'timeout' from callback_states where id = any($1)`,
      [ids, daysAgo],
    )
  // These are 10,001 rows, because a dry run counts at most 10,000.
  await rows(
    db,
    `insert into lockout_buckets (bucket, attempts, last_at)
     select 'b' || n, '{}'::timestamptz[], now() - interval '25 hours' from generate_series(1, 10001) n`,
  )
  const dryRunText = await run()
  assert.match(dryRunText, /callback_attempts +700 +30 days \(ATTEMPT_RETENTION_DAYS\)\n/)
  assert.match(dryRunText, /lockout_buckets +10000 or more +1440 minutes\n/)
  assert.match(dryRunText, /mails +0 +30 days after/)
  assert.match(dryRunText, /Dry run: nothing was deleted\. Add --delete/)
  assert.deepEqual([await countAll('callback_attempts'), await countAll('lockout_buckets')], [1_400, 10_001])
  assert.deepEqual(await listAudit(), [])

  const deletedText = await run('--delete')
  assert.match(deletedText, /callback_attempts +700\n/)
  assert.match(deletedText, /lockout_buckets +10001\n/)
  assert.deepEqual([await countAll('callback_attempts'), await countAll('lockout_buckets')], [700, 0])
  const [entry] = await listAudit()
  assert.equal(entry!.account_id, null)
  assert.deepEqual([entry!.changes['callback_attempts'], entry!.changes['lockout_buckets']], [700, 10_001])
  assert.match(await run(), /callback_attempts +0 /)
})

test('a dry run counts the old payments whose texts are due; --delete runs only the first of the two steps that erase these texts', async () => {
  const id = await payLongAgo(deps, newOrder(projectId, { customId: 'old-order' }), 50)
  await payLongAgo(deps, newOrder(projectId, { customId: 'young-order' }), 30)
  assert.match(await run(), /texts of payments +1 +40 days/)
  await run('--delete')
  assert.match(await run(), /texts of payments +1 +40 days/)
  await eraseAll(deps)
  assert.match(await run(), /texts of payments +0 +40 days/)
  assert.equal(
    (await rows(db, 'select from transactions where id = $1 and custom_id is null', [id])).length,
    1,
  )
})

test('--delete prints and records how many payments lost their texts, even if more than 10,000 are due', async () => {
  // Erases the texts of the earlier tests' payments. Also skips the pause after the key for the hashes is created.
  await eraseAll(deps)
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, data, state, created_at, completed_at)
     select (lpad(to_hex(floor(extract(epoch from now() - interval '45 days') * 1000 + n)::bigint), 12, '0')
       || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'live', gen_random_uuid(), 100, 'EUR', 'd', 'succeeded',
       now() - interval '45 days', now() - interval '45 days' from generate_series(1, 10200) n`,
    [projectId],
  )
  // One run marks the first 10,000, and the next run erases them. A dry run counts at most 10,000.
  await run('--delete')
  assert.equal((await listAudit()).at(-1)!.changes['texts of payments'], 0)
  await skipMarkPause(deps)
  assert.match(await run('--delete'), /texts of payments +10000$/m)
  assert.equal((await listAudit()).at(-1)!.changes['texts of payments'], 10_000)
  assert.match(await run(), /texts of payments +200 /)
})

test('if a deletion fails, the run still records how many rows it deleted before the failure', async () => {
  await rows(
    db,
    `insert into lockout_buckets (bucket, attempts, last_at) values ('late', '{}'::timestamptz[], now() - interval '25 hours')`,
  )
  // The lockout buckets are deleted first. Then the deletion of attempts fails.
  const broken = { ...deps, config: { ...deps.config, attemptRetentionDays: Number.NaN } }
  const entriesBefore = (await listAudit()).length
  await assert.rejects(Promise.resolve(prune.run(broken, ['--delete'])))
  const audited = await listAudit()
  assert.equal(audited.length, entriesBefore + 1)
  assert.equal(audited.at(-1)!.changes['lockout_buckets'], 1)
})

test('every table with a retention time is shown, except those of delivery processes and event streams', () => {
  const agedTables = Object.entries(RETENTION).flatMap(([table, retention]) =>
    'age' in retention ? [table] : [],
  )
  const shown = listPrunable(deps).map(({ table }) => table)
  assert.deepEqual(agedTables.filter((table) => !shown.includes(table)).toSorted(), [
    'delivery_processes',
    'event_streams',
  ])
})

test('unknown arguments are refused', async () => {
  for (const args of [['all'], ['--yes'], ['--delete', 'mails']])
    await assert.rejects(run(...args), UsageError, args.join(' '))
})

// A later release partitions mails and audit_events by month (docs/scale.md). During the update to the later release,
// processes of this release use the partitioned tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { removeStale } from './cleanup.ts'

const { app, deps } = await startTestService()
const { db } = deps

const OLD_ID = '00000000-0000-7000-8000-000000000001'
/** The lowest id of 2024. Rows with lower ids are in the partition `_before`, all others in `_default`. */
const LIMIT_ID = '018cc251-f400-7000-8000-000000000000'

async function partition(table: 'mails' | 'audit_events'): Promise<void> {
  for (const sql of [
    `truncate ${table}`,
    `alter table ${table} rename to ${table}_before`,
    `create table ${table} (like ${table}_before including defaults including constraints) partition by range (id)`,
    `alter table ${table} attach partition ${table}_before for values from (minvalue) to ('${LIMIT_ID}')`,
    `create table ${table}_default partition of ${table} default`,
    `alter table ${table} add primary key (id)`,
  ])
    await rows(db, sql)
}

test('the cleanup deletes only old rows when mails and audit events are partitioned', async () => {
  const owner = await signUp(app)
  const { id } = (await owner.get('/portal/api/session')).json<{ account: { id: string } }>().account
  await partition('mails')
  await partition('audit_events')
  await rows(
    db,
    `insert into mails (id, account_id, kind, to_address, locale, sent_at)
     values ($1, $2, 'new_device', 'x', 'en', now() - interval '31 days'), (uuid_in('f0000000000040008000000000000000'), $2, 'new_device', 'x', 'en', null)`,
    [OLD_ID, id],
  )
  await rows(
    db,
    `insert into audit_events (id, account_id, action, actor, at)
     values ($1, $2, 'sign_in', 'owner', now() - interval '731 days')`,
    [OLD_ID, id],
  )
  await owner.addProject()

  const places = async (table: string) =>
    rows<{ ctid: string; part: string }>(
      db,
      `select ctid::text, tableoid::regclass::text as part from ${table}`,
    )
  for (const table of ['mails', 'audit_events']) {
    const found = await places(table)
    const [old] = found.filter(({ part }) => part === `${table}_before`)
    assert.ok(
      found.some(({ ctid, part }) => part === `${table}_default` && ctid === old?.ctid),
      `${table}: an old and a young row have the same ctid, so a deletion by ctid would delete both`,
    )
  }
  const removed = await removeStale(deps)
  assert.deepEqual([removed.mails, removed.audit_events], [1, 1])
  for (const table of ['mails', 'audit_events'])
    assert.deepEqual(
      new Set((await places(table)).map(({ part }) => part)),
      new Set([`${table}_default`]),
      `the young rows of ${table} are not deleted`,
    )
})

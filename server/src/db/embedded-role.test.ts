import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTrialWithData, query } from '../../test/embedded-trial.ts'
import { findServerProblems } from './server-problems.ts'
import { SERVICE_USER } from './embedded-role.ts'
import { findRunningUrl } from './embedded.ts'
import { migrate } from './migrate.ts'

const NOT_ALLOWED = '42501'

const OWNERS = `
  SELECT DISTINCT pg_get_userbyid(owner) FROM (
    SELECT relowner AS owner FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT typowner FROM pg_type WHERE typnamespace = 'public'::regnamespace
    UNION ALL SELECT datdba FROM pg_database WHERE datname = current_database()) AS all_of_it ORDER BY 1`

test('the service is not a superuser: it owns its database and has no other rights', async (t) => {
  const trial = await openTrialWithData(t)
  const postgres = await trial.start({ settings: {} })
  await postgres.ensureDatabase('shop')
  const url = postgres.url('shop')
  assert.ok((await migrate(url)) > 0)
  assert.deepEqual(await query(url, OWNERS), [SERVICE_USER])
  assert.deepEqual(await findServerProblems(url, true), [])
  const rights = `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls
    FROM pg_roles WHERE rolname = current_user`
  assert.deepEqual(await query(url, rights), [false])
  assert.deepEqual(
    await query(url, 'SELECT roleid::regrole FROM pg_auth_members WHERE member = current_user::regrole'),
    [],
  )
  for (const sql of [
    `COPY (SELECT 1) TO PROGRAM 'true'`,
    `COPY accounts FROM '/etc/passwd'`,
    `SELECT pg_read_file('PG_VERSION')`,
    'CREATE DATABASE another',
    'CREATE ROLE another',
    `ALTER ROLE ${SERVICE_USER} SUPERUSER`,
    `ALTER SYSTEM SET fsync = 'off'`,
    'CREATE FUNCTION run() RETURNS int LANGUAGE c AS $$libc.so.6$$, $$getpid$$',
    'SELECT rolpassword FROM pg_authid',
  ])
    await assert.rejects(query(url, sql), { code: NOT_ALLOWED }, sql)
  await assert.rejects(query(postgres.url('postgres'), 'CREATE TABLE left_behind (a int)'), {
    code: NOT_ALLOWED,
  })
})

test('a database that an older release created as superuser gets the service user as its owner and keeps all rows', async (t) => {
  const trial = await openTrialWithData(t)
  const first = await trial.start()
  const [shopAsAdmin, admin] = [first.adminUrl('shop'), first.adminUrl('postgres')]
  await query(admin, 'CREATE DATABASE shop')
  await query(admin, `DROP ROLE ${SERVICE_USER}`)
  await migrate(shopAsAdmin)
  await query(shopAsAdmin, 'CREATE SEQUENCE alone')
  await query(shopAsAdmin, 'CREATE TABLE kept (n int GENERATED ALWAYS AS IDENTITY, m serial, seven int)')
  await query(shopAsAdmin, 'INSERT INTO kept (seven) VALUES (7)')
  await query(shopAsAdmin, 'CREATE VIEW seen AS SELECT seven FROM kept')
  assert.deepEqual(await query(shopAsAdmin, OWNERS), ['pazar'])
  await first.stop()

  const second = await trial.start()
  await second.ensureDatabase('shop')
  const url = second.url('shop')
  assert.deepEqual(await query(url, OWNERS), [SERVICE_USER])
  assert.equal(await migrate(url), 0)
  await query(url, 'ALTER TABLE kept ADD COLUMN more int')
  await query(
    url,
    'CREATE OR REPLACE FUNCTION count_ended_rows() RETURNS trigger LANGUAGE plpgsql AS $$begin return null; end$$',
  )
  assert.deepEqual(await query(url, 'SELECT seven FROM seen'), [7])
  // The previous release still works: it logs in as the owner of the cluster.
  assert.deepEqual(await query(second.adminUrl('shop'), 'SELECT seven FROM kept'), [7])
})

test('several commands can change the owner of a database at the same time, while an older release is running as superuser', async (t) => {
  const trial = await openTrialWithData(t)
  const running = await trial.start()
  await query(running.adminUrl('postgres'), 'CREATE DATABASE shop')
  await query(running.adminUrl('postgres'), `DROP ROLE ${SERVICE_USER}`)
  await migrate(running.adminUrl('shop'))
  const urls = await Promise.all(Array.from({ length: 4 }, () => findRunningUrl(trial.dir, 'shop')))
  assert.deepEqual(new Set(urls), new Set([running.url('shop')]))
  assert.deepEqual(await query(running.url('shop'), OWNERS), [SERVICE_USER])
})

test('a changed password of the service role is corrected at the next start', async (t) => {
  const trial = await openTrialWithData(t)
  const first = await trial.start()
  await query(first.adminUrl('postgres'), `ALTER ROLE ${SERVICE_USER} PASSWORD 'another'`)
  await first.stop()
  const second = await trial.start()
  assert.deepEqual(await query(second.url('postgres'), 'SELECT 1'), [1])
})

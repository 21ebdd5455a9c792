import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANOTHER_PASSWORD, rows } from '../../test/accounts.ts'
import { makeToken } from '../../test/api-tokens.ts'
import { signUp } from '../../test/client.ts'
import type { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { isLocked } from '../../test/row-locks.ts'
import type { AccountId } from './account.ts'
import { hasCredentialVersion, lockAccount, markEmailConfirmed } from './accounts-store.ts'
import { revokeApiTokens } from './api-tokens-store.ts'
import { findAuditEvents } from './audit-store.ts'
import { removeStale } from './cleanup.ts'
import { upsertDevice } from './devices-store.ts'
import { toTokenHash } from './token-hash.ts'

const { app, deps, databaseUrl } = await startTestService()
const { db } = deps

async function idOf(owner: Client): Promise<AccountId> {
  const { account } = (await owner.get('/portal/api/session')).json<{ account: { id: AccountId } }>()
  return account.id
}

test('lockAccount locks the row of the account, and refuses a closed account', async () => {
  const id = await idOf(await signUp(app))
  const select = 'select from accounts where id = $1'
  await db.transaction(async (tx) => {
    await lockAccount(tx, id)
    assert.equal(await isLocked(databaseUrl, select, [id]), true)
  })
  assert.equal(await isLocked(databaseUrl, select, [id]), false)
  await rows(db, 'update accounts set closed_at = now() where id = $1', [id])
  await assert.rejects(
    db.transaction((tx) => lockAccount(tx, id)),
    { code: 'unauthenticated' },
  )
})

test('hasCredentialVersion compares the version and locks the account', async () => {
  const id = await idOf(await signUp(app))
  await db.transaction(async (tx) => {
    assert.equal(await hasCredentialVersion(tx, id, 1), true)
    assert.equal(await isLocked(databaseUrl, 'select from accounts where id = $1', [id]), true)
  })
  assert.equal(await db.transaction((tx) => hasCredentialVersion(tx, id, 2)), false)
})

test('a link that was mailed to an earlier address does not confirm the present address', async () => {
  const owner = await signUp(app)
  const id = await idOf(owner)
  const confirm = (key: string) => db.transaction((tx) => markEmailConfirmed(tx, id, key))
  assert.equal(await confirm(`old.${owner.email}`), null)
  const session = (await owner.get('/portal/api/session')).json<{ account: { emailConfirmed: boolean } }>()
  assert.equal(session.account.emailConfirmed, false)
  assert.equal((await confirm(owner.email))?.emailConfirmedAt instanceof Date, true)
})

test('the history of a project shows e-mail addresses, and no entries of other projects', async () => {
  const owner = await signUp(app)
  const [{ id: projectId }, { id: otherId }] = [await owner.addProject(), await owner.addProject()]
  const find = async (id: string) =>
    (await findAuditEvents(db, { projectId: id }, { beforeId: null, limit: 10 })).map(
      ({ action, actor, person, ...rest }) => [action, actor, person, rest.projectId],
    )
  assert.deepEqual(await find(projectId), [['project_added', owner.email, owner.email, projectId]])
  assert.deepEqual(await find(otherId), [['project_added', owner.email, owner.email, otherId]])
})

test('upsertDevice locks the known browsers of the account', async () => {
  const id = await idOf(await signUp(app))
  const ownDevices = 'select from devices where account_id = $1'
  await db.transaction(async (tx) => {
    await upsertDevice(tx, id, toTokenHash('another browser'))
    assert.equal(await isLocked(databaseUrl, ownDevices, [id]), true)
  })
  assert.equal(await isLocked(databaseUrl, ownDevices, [id]), false)
})

test('only tokens that still work are revoked and counted', async () => {
  const owner = await signUp(app)
  const id = await idOf(owner)
  const tokens = [await makeToken(owner), await makeToken(owner), await makeToken(owner)]
  await rows(
    db,
    `update api_tokens set created_at = created_at - interval '2 days', expires_at = now() where id = $1`,
    [tokens[0]!.id],
  )
  await owner.post('/portal/api/tokens/revoke', { id: tokens[1]!.id })
  assert.equal(await db.transaction((tx) => revokeApiTokens(tx, id)), 1)
  assert.equal(await db.transaction((tx) => revokeApiTokens(tx, id)), 0)
})

test('a password change removes the step-ups of its account', async () => {
  const [owner, other] = [await signUp(app), await signUp(app)]
  await owner.stepUp()
  await other.stepUp()
  const ids = [await idOf(owner), await idOf(other)]
  assert.equal((await owner.post('/portal/api/password', { password: ANOTHER_PASSWORD })).status, 204)
  const stepUps = `select account_id from sessions where account_id = any ($1)
    and num_nulls(step_up_hash, step_up_until, step_up_credential_version) < 3`
  assert.deepEqual(await rows(db, stepUps, [ids]), [{ account_id: ids[1] }])
})

test('lockout buckets are stored for a day', async () => {
  await rows(
    db,
    `insert into lockout_buckets (bucket, attempts, last_at) values
     ('of this day', '{}', now() - interval '23 hours 59 minutes'), ('older', '{}', now() - interval '24 hours 1 minute')`,
  )
  assert.equal((await removeStale(deps)).lockout_buckets, 1)
  const remaining = `select bucket from lockout_buckets where bucket in ('of this day', 'older')`
  assert.deepEqual(await rows(db, remaining), [{ bucket: 'of this day' }])
})

test('sent mails are deleted after 30 days, or earlier if payment data is erased earlier', async () => {
  const id = await idOf(await signUp(app))
  const insert = `insert into mails (id, account_id, kind, to_address, locale, sent_at)
    values (gen_random_uuid(), $1, 'new_device', 'x', 'en', now() - interval '8 days')`
  await rows(db, insert, [id])
  const remove = async (paymentDataRetentionDays: number | null) =>
    (await removeStale({ db, config: { ...deps.config, paymentDataRetentionDays } })).mails
  assert.deepEqual([await remove(null), await remove(9), await remove(7)], [0, 0, 1])
  await rows(db, insert.replace("'8 days'", "'31 days'"), [id])
  assert.equal(await remove(365), 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { makeToken } from '../../test/api-tokens.ts'
import { signUp } from '../../test/client.ts'
import type { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import type { AccountId } from './account.ts'
import { deleteAccount, erasePerson } from './closing-store.ts'
import { verifyAccount } from './kyc.ts'

const { app, deps } = await startTestService()
const { db } = deps

/** Tables that must have no row of a closed account. */
const TRACES = [
  'sessions',
  'devices',
  'api_tokens',
  'mail_tokens',
  'mails',
  'totp_factors',
  'recovery_codes',
  'passkeys',
  'passkey_challenges',
  'pending_sign_ins',
]

async function idOf(owner: Client): Promise<AccountId> {
  const { account } = (await owner.get('/portal/api/session')).json<{ account: { id: AccountId } }>()
  return account.id
}

const FACTORS = [
  `insert into totp_factors (account_id, sealed_new_secret) values ($1, 'sealed')`,
  `insert into recovery_codes (account_id, number, sealed_hash) values ($1, 1, 'sealed')`,
  `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
   values (gen_random_uuid(), $1, sha256($1::uuid::text::bytea), 'key', 0, '{}', 'Laptop')`,
  `insert into passkey_challenges (challenge, purpose, account_id, expires_at)
   values (sha256($1::uuid::text::bytea), 'step_up', $1, now())`,
  `insert into pending_sign_ins (token_hash, account_id, credential_version, bucket, device_known, expires_at)
   values (sha256($1::uuid::text::bytea), $1, 1, 'email:', false, now())`,
]

async function createFilledAccount(): Promise<{ owner: Client; id: AccountId; projectId: string }> {
  const owner = await signUp(app)
  await owner.post('/portal/api/account', { locale: 'cnr', timeZone: 'Asia/Tokyo', theme: 'dark' })
  await makeToken(owner)
  await verifyAccount(deps, owner.email)
  const { id: projectId } = await owner.addProject()
  const id = await idOf(owner)
  for (const text of FACTORS) await rows(db, text, [id])
  return { owner, id, projectId }
}

async function countTraces(id: AccountId): Promise<Record<string, bigint>> {
  const counts: Record<string, bigint> = {}
  for (const table of TRACES) {
    const [row] = await rows<{ n: bigint }>(db, `select count(*) as n from ${table} where account_id = $1`, [
      id,
    ])
    counts[table] = row!.n
  }
  return counts
}

test('erasePerson leaves an anonymous account row and an anonymous history of the given projects', async () => {
  const [closed, neighbour] = [await createFilledAccount(), await createFilledAccount()]
  const neighbourBefore = await countTraces(neighbour.id)
  assert.ok(Object.values(neighbourBefore).every((count) => count > 0n))
  await rows(db, `update audit_events set actor = 'token:CI' where project_id = $1`, [closed.projectId])
  await rows(
    db,
    `insert into audit_events (id, account_id, project_id, action, actor)
     values (gen_random_uuid(), $1, $2, 'payment_resolved', 'operator')`,
    [closed.id, closed.projectId],
  )
  const erased = { passwordHash: '$argon2id$nobody', projectIds: [closed.projectId] }
  await db.transaction((tx) => erasePerson(tx, closed.id, erased))

  assert.ok(Object.values(await countTraces(closed.id)).every((count) => count === 0n))
  assert.deepEqual(await countTraces(neighbour.id), neighbourBefore)
  const history = `select action, project_id is not null as "ofProject", actor, ip, user_agent as "userAgent"
    from audit_events where account_id = $1 order by action`
  const nobody = { ofProject: true, ip: null, userAgent: null }
  assert.deepEqual(await rows(db, history, [closed.id]), [
    { action: 'payment_resolved', actor: 'operator', ...nobody },
    { action: 'project_added', actor: 'owner', ...nobody },
  ])
  const person = `select email = email_key and email like 'closed-%@account.invalid' as anonymous, email_confirmed_at,
    kyc_verified_at, password_hash, credential_version, locale, time_zone, theme, closed_at is not null as closed
    from accounts where id = $1`
  assert.deepEqual(await rows(db, person, [closed.id]), [
    {
      anonymous: true,
      email_confirmed_at: null,
      kyc_verified_at: null,
      password_hash: '$argon2id$nobody',
      credential_version: 2,
      locale: 'en',
      time_zone: 'Europe/Podgorica',
      theme: 'system',
      closed: true,
    },
  ])
  assert.equal((await neighbour.owner.get('/portal/api/session')).status, 200)
})

test('an account without projects is deleted with its rows, and other accounts stay', async () => {
  const [owner, neighbour] = [await signUp(app), await signUp(app)]
  const [id, other] = [await idOf(owner), await idOf(neighbour)]
  await db.transaction((tx) => deleteAccount(tx, id))
  assert.deepEqual(await rows(db, 'select id from accounts where id = any ($1)', [[id, other]]), [
    { id: other },
  ])
  assert.ok(Object.values(await countTraces(id)).every((count) => count === 0n))
  assert.equal((await owner.get('/portal/api/session')).code, 'unauthenticated')
})

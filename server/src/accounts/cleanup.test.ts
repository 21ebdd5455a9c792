import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { removeStale } from './cleanup.ts'

const { app, deps } = await startTestService()
const { db } = deps

test('what has run its time goes, in batches, and what is alive stays', async () => {
  const owner = await signUp(app)
  await new Client(app).post('/portal/api/sign-in', { email: owner.email, password: 'not the password' })
  const [row] = await rows<{ id: string }>(db, 'select id from accounts where email_key = $1', [owner.email])
  const id = row!.id
  const many = 1_201
  await rows(
    db,
    `insert into sessions (id, account_id, token_hash, expires_at, ip, user_agent)
     select gen_random_uuid(), $1, sha256(n::text::bytea), now() - interval '1 second', '', '' from generate_series(1, $2) n`,
    [id, many],
  )
  await rows(
    db,
    `insert into sessions (id, account_id, token_hash, expires_at, last_seen_at, ip, user_agent)
     values (gen_random_uuid(), $1, sha256('idle'), now() + interval '1 day', now() - interval '2 days', '', '')`,
    [id],
  )
  await rows(
    db,
    `insert into lockout_buckets (bucket, attempts, last_at)
     select 'old' || n, '{}', now() - interval '15 minutes 1 second' from generate_series(1, 3) n`,
  )
  await rows(
    db,
    `insert into mail_tokens (token_hash, account_id, purpose, email, expires_at)
     values (sha256('old'), $1, 'reset_password', 'x', now() - interval '2 days')`,
    [id],
  )
  await rows(
    db,
    `insert into mails (id, account_id, kind, to_address, locale, sent_at, gave_up_at) values
     (gen_random_uuid(), $1, 'new_device', 'x', 'en', now() - interval '31 days', null),
     (gen_random_uuid(), $1, 'new_device', 'x', 'en', null, now() - interval '31 days'),
     (gen_random_uuid(), $1, 'new_device', 'x', 'en', now() - interval '29 days', null)`,
    [id],
  )
  await rows(
    db,
    `insert into devices (account_id, token_hash, last_used_at) values ($1, sha256('old'), now() - interval '366 days')`,
    [id],
  )
  await rows(
    db,
    `insert into api_tokens (id, account_id, token_hash, name, scope, created_at, expires_at, revoked_at) values
     (gen_random_uuid(), $1, sha256('a'), 'x', 'read', now() - interval '40 days', now() - interval '31 days', null),
     (gen_random_uuid(), $1, sha256('b'), 'x', 'read', now() - interval '40 days', now() + interval '1 day', now() - interval '31 days'),
     (gen_random_uuid(), $1, sha256('c'), 'x', 'read', now() - interval '40 days', now() - interval '29 days', null),
     (gen_random_uuid(), $1, sha256('d'), 'x', 'read', now() - interval '40 days', now() + interval '1 day', null)`,
    [id],
  )

  assert.deepEqual(await removeStale(deps), {
    sessions: many + 1,
    lockouts: 3,
    links: 1,
    mails: 2,
    tokens: 2,
    devices: 1,
  })
  assert.deepEqual(await removeStale(deps), {
    sessions: 0,
    lockouts: 0,
    links: 0,
    mails: 0,
    tokens: 0,
    devices: 0,
  })
  assert.equal((await owner.get('/portal/api/session')).status, 200)
  const left = `select (select count(*) from devices)::integer as devices, (select count(*) from mails)::integer as mails,
    (select count(*) from mail_tokens)::integer as links, (select count(*) from lockout_buckets)::integer as buckets`
  assert.deepEqual(await rows(db, left), [{ devices: 1, mails: 2, links: 1, buckets: 1 }])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { removeStale } from './cleanup.ts'

const { app, deps } = await startTestService()
const { db } = deps

// Why this is long: one statement per table.
/** Gives each table rows that are old enough to be deleted. Most tables also get newer rows. */
async function addOldRows(id: string, sessionCount: number): Promise<void> {
  await rows(
    db,
    `insert into sessions (id, account_id, token_hash, expires_at, ip, user_agent)
     select gen_random_uuid(), $1, sha256(n::text::bytea), now() - interval '1 second', '', '' from generate_series(1, $2) n`,
    [id, sessionCount],
  )
  await rows(
    db,
    `insert into sessions (id, account_id, token_hash, expires_at, last_seen_at, ip, user_agent)
     values (gen_random_uuid(), $1, sha256('idle'), now() + interval '1 day', now() - interval '2 days', '', ''),
       (gen_random_uuid(), $1, sha256('of today'), now() + interval '1 day', now() - interval '11 hours', '', '')`,
    [id],
  )
  await rows(
    db,
    `insert into lockout_buckets (bucket, attempts, last_at)
     select 'old' || n, '{}'::timestamptz[], now() - interval '24 hours 1 second' from generate_series(1, 3) n
     -- This bucket still counts towards daily limits.
     union all select 'of today', '{}', now() - interval '23 hours 59 minutes'`,
  )
  await rows(
    db,
    `insert into pending_sign_ins (token_hash, account_id, credential_version, bucket, device_known, expires_at) values
     (sha256('old'), $1, 1, 'x', false, now() - interval '1 second'),
     (sha256('new'), $1, 1, 'x', false, now() + interval '5 minutes')`,
    [id],
  )
  await rows(
    db,
    `insert into passkey_challenges (challenge, purpose, expires_at) values
     (sha256('old'), 'sign_in', now() - interval '1 second'), (sha256('new'), 'sign_in', now() + interval '5 minutes')`,
  )
  await rows(
    db,
    `insert into mail_tokens (token_hash, account_id, purpose, email, expires_at) values
     (sha256('old'), $1, 'reset_password', 'x', now() - interval '2 days'),
     (sha256('of today'), $1, 'change_email', 'x', now() - interval '23 hours')`,
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
  await rows(
    db,
    `insert into project_invitations (id, token_hash, project_id, invited_by, email, email_key, role, expires_at)
     select gen_random_uuid(), sha256(days::text::bytea), p.id, $1, 'x', 'x' || days, 'support', now() - make_interval(days => days)
     from projects p cross join unnest(array[29, 31]) as days where p.owner_id = $1`,
    [id],
  )
  // Audit events are stored for 730 days.
  for (const [daysAgo, count] of [
    [731, 1_200],
    [729, 2],
  ] as const) {
    await rows(
      db,
      `insert into audit_events (id, account_id, action, actor, at)
       select (lpad(to_hex(floor(extract(epoch from now() - make_interval(days => $2)) * 1000)::bigint), 12, '0')
         || '7000800000000000' || lpad(to_hex(n), 4, '0'))::uuid, $1, 'signed_in', 'owner', now() - make_interval(days => $2)
       from generate_series(1, $3::integer) n`,
      [id, daysAgo, count],
    )
  }
}

test('expired rows are deleted in batches, and all others stay', async () => {
  const owner = await signUp(app)
  await owner.addProject()
  await new Client(app).post('/portal/api/sign-in', { email: owner.email, password: 'not the password' })
  const [row] = await rows<{ id: string }>(db, 'select id from accounts where email_key = $1', [owner.email])
  // More than two batches of 500 rows.
  const manySessions = 1_201
  await addOldRows(row!.id, manySessions)

  assert.deepEqual(await removeStale(deps), {
    sessions: manySessions + 1,
    lockout_buckets: 3,
    pending_sign_ins: 1,
    passkey_challenges: 1,
    mail_tokens: 1,
    mails: 2,
    api_tokens: 2,
    devices: 1,
    project_invitations: 1,
    audit_events: 1_200,
  })
  assert.ok(Object.values(await removeStale(deps)).every((count) => count === 0))
  assert.equal((await owner.get('/portal/api/session')).status, 200)
  const remaining = `select (select count(*) from devices)::integer as devices, (select count(*) from mails)::integer as mails,
    (select count(*) from mail_tokens)::integer as links, (select count(*) from lockout_buckets)::integer as buckets,
    (select count(*) from audit_events where action = 'signed_in')::integer as audit`
  assert.deepEqual(await rows(db, remaining), [{ devices: 1, mails: 2, links: 2, buckets: 2, audit: 2 }])
})

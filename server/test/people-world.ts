// Ana and Marko have rows in the tables about people and are members of each other's projects. Vera is a member of all
// their projects.
import { createHash } from 'node:crypto'
import type { AccountId } from '../src/accounts/account.ts'
import { rows } from './accounts.ts'
import { signUp } from './client.ts'
import { startTestService } from './harness.ts'

const ADD_ACCOUNT_ROWS = [
  ...['sessions', 'devices', 'mails', 'mail_tokens', 'audit_events'].map(
    (table) => `delete from ${table} where account_id = $1`,
  ),
  `insert into sessions (id, account_id, token_hash, last_seen_at, expires_at, ip, user_agent, step_up_hash, step_up_until,
     step_up_credential_version)
   select gen_random_uuid(), $1, sha256((b || $1::uuid)::bytea), now() - interval '10 minutes', now() + interval '1 day', '', b,
     sha256('step-up'), now() + interval '5 minutes', 1 from unnest(array['laptop', 'phone']) as b`,
  `insert into devices (account_id, token_hash, last_used_at)
   select $1, sha256(b::bytea), now() - interval '1 day' from unnest(array['laptop', 'phone']) as b`,
  `insert into mail_tokens (token_hash, account_id, purpose, email, expires_at)
   select sha256((p || $1::uuid)::bytea), $1, p, 'x', now() + interval '1 hour'
   from unnest(array['confirm_email', 'change_email', 'reset_password']) as p`,
  `insert into mails (id, account_id, kind, to_address, locale, sealed_token, attempts, lease_until)
   select gen_random_uuid(), $1, k, 'x', 'en', 'sealed', 1, now() + interval '1 minute'
   from unnest(array['new_device', 'reset_password']) as k`,
  `insert into totp_factors (account_id, sealed_secret, sealed_new_secret, confirmed_at)
   values ($1, 'secret', 'new secret', now())`,
  `insert into recovery_codes (account_id, number, sealed_hash) select $1, n, 'code' from generate_series(1, 2) as n`,
  `insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, password_given)
   select gen_random_uuid(), $1, sha256((n || $1::uuid)::bytea), 'key', 0, '{}', n, n = 'Key'
   from unnest(array['Laptop', 'Key']) as n`,
  `insert into factor_resets (account_id, due_at) values ($1, now() - interval '1 minute')`,
  `insert into pending_sign_ins (token_hash, account_id, credential_version, bucket, device_known, expires_at)
   values (sha256($1::uuid::text::bytea), $1, 1, 'email:', false, now() + interval '5 minutes')`,
]

/** Statements that add rows of an account, with or without a project. $1: account, $2: project or null, $3: project name. */
const ADD_ACCOUNT_PROJECT_ROWS = [
  `insert into api_tokens (id, account_id, token_hash, name, scope, expires_at, project_id)
   values (gen_random_uuid(), $1, sha256(($3 || $1::uuid)::bytea), $3, 'read', now() + interval '1 day', $2)`,
  `insert into audit_events (id, account_id, project_id, action, actor, ip, user_agent, changes)
   select gen_random_uuid(), $1, $2, a, 'owner', '192.0.2.1', 'Browser', jsonb_build_object('name', $3::text, 'email', 'x')
   from unnest(array['token_made', 'project_updated']) as a`,
]

const ADD_PROJECT_ROWS = [
  `insert into project_brands (project_id, display_name) values ($1, 'Brand')`,
  `insert into project_members (project_id, account_id, role, mails)
   select $1, a.id, 'admin', '{security}' from accounts a, projects p where p.id = $1 and a.id <> p.owner_id`,
  `insert into project_invitations (id, token_hash, project_id, invited_by, email, email_key, role, expires_at)
   select gen_random_uuid(), sha256((e || $1)::bytea), $1, case e when 'guest' then p.owner_id else a.id end, e, e, 'support',
     now() + interval '1 day' from projects p, accounts a, unnest(array['guest', 'friend']) as e
   where p.id = $1 and a.email like 'vera.%'`,
  `insert into project_transfers (project_id, from_id, to_email, to_email_key, expires_at)
   select $1, owner_id, 'guest', 'guest', now() + interval '1 day' from projects where id = $1`,
  `insert into next_secrets (project_id, sealed, prepared_by, credential_version, expires_at)
   select $1, 'sealed', owner_id, 1, now() + interval '1 day' from projects where id = $1`,
]

const hashOf = (text: string) => createHash('sha256').update(text).digest()

export async function startPeopleWorld() {
  const service = await startTestService()
  const { app, deps, databaseUrl } = service
  const { db } = deps
  const people = [await signUp(app), await signUp(app), await signUp(app)]
  const [ana, marko] = people
  const projects = [await ana!.addProject(), await ana!.addProject(), await marko!.addProject()]
  const names = new Map<string, string>()
  for (const text of ['laptop', 'phone']) names.set(`\\x${hashOf(text).toString('hex')}`, text)
  for (const [n, name] of ['shop', 'stall', 'kiosk'].entries()) names.set(projects[n]!.id, name)
  const ids: AccountId[] = []
  for (const [n, name] of ['ana', 'marko', 'vera'].entries()) {
    const [row] = await rows<{ id: AccountId }>(
      db,
      `update accounts set email = $2 || email, email_key = $2 || email_key where email = $1 returning id`,
      [people[n]!.email, `${name}.`],
    )
    names.set(row!.id, name)
    ids.push(row!.id)
  }
  for (const { id } of projects) for (const text of ADD_PROJECT_ROWS) await rows(db, text, [id])
  for (const id of ids.slice(0, 2)) {
    for (const text of ADD_ACCOUNT_ROWS) await rows(db, text, [id])
    for (const { id: projectId } of projects)
      for (const text of ADD_ACCOUNT_PROJECT_ROWS) await rows(db, text, [id, projectId, names.get(projectId)])
    for (const text of ADD_ACCOUNT_PROJECT_ROWS) await rows(db, text, [id, null, 'any'])
  }
  const [shop, stall, kiosk] = projects.map(({ id }) => id)
  return {
    service,
    db,
    databaseUrl,
    names,
    ana: ids[0]!,
    marko: ids[1]!,
    vera: ids[2]!,
    shop: shop!,
    stall: stall!,
    kiosk: kiosk!,
    /** Hashes a token as the statements above do. `id`: the account or project id with which most tokens end. */
    hashOf: (text: string, id = '') => hashOf(text + id),
    emailOf: (n: 0 | 1 | 2) => `${['ana', 'marko', 'vera'][n]}.${people[n]!.email}`,
  }
}

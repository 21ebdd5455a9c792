// Erases a person's data when their account is closed. If the person owns projects with live payments, the account's row
// stays as the owner of these projects, without personal data.
import { statement } from '../db/pool.ts'
import type { Statement, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'
import { toEmailKey } from './email-address.ts'

const ERASE_TRACES: readonly Statement[] = [
  statement('closing.sessions', 'delete from sessions where account_id = $1'),
  statement('closing.totp_factors', 'delete from totp_factors where account_id = $1'),
  statement('closing.recovery_codes', 'delete from recovery_codes where account_id = $1'),
  statement('closing.factor_resets', 'delete from factor_resets where account_id = $1'),
  statement('closing.passkeys', 'delete from passkeys where account_id = $1'),
  statement('closing.passkey_challenges', 'delete from passkey_challenges where account_id = $1'),
  statement('closing.pending_sign_ins', 'delete from pending_sign_ins where account_id = $1'),
  statement('closing.devices', 'delete from devices where account_id = $1'),
  statement('closing.api_tokens', 'delete from api_tokens where account_id = $1'),
  statement('closing.mail_tokens', 'delete from mail_tokens where account_id = $1'),
  statement('closing.mails', 'delete from mails where account_id = $1'),
]

const DELETE_AUDIT = statement(
  'closing.delete_audit',
  'delete from audit_events where account_id = $1 and (project_id is null or project_id <> all($2))',
)

// The history of projects with live payments stays, without IP addresses, browsers and token names.
const ERASE_AUDIT = statement(
  'closing.erase_audit',
  `update audit_events set ip = null, user_agent = null,
     actor = case when actor = 'operator' then actor else 'owner' end
   where account_id = $1`,
)

// Entries in other people's projects stay, but no longer name the person.
const RELEASE_AUDIT = statement(
  'closing.release_audit',
  `update audit_events set account_id = null, ip = null, user_agent = null, actor = 'owner'
   where account_id = $1 and project_id in (select id from projects where owner_id <> $1)`,
)

const ERASE_TOKEN_NAMES = statement(
  'closing.erase_token_names',
  `update audit_events set changes = changes - 'name'
   where account_id = $1 and action in ('token_made', 'token_revoked')`,
)

const FORMER_ADDRESSES = statement(
  'closing.former_addresses',
  `select distinct changes ->> 'email' as email from audit_events where account_id = $1
     and action in ('email_confirmed', 'email_changed', 'password_reset', 'member_joined', 'transfer_accepted')
     and changes ->> 'email' is not null`,
)

const DELETE_INVITATIONS = statement(
  'closing.delete_invitations',
  `delete from project_invitations where email_key = any ($1) and (ended_at is not null or expires_at <= now())
   returning project_id as "projectId"`,
)

/** The projects in which the person ($1) acted, and the projects ($2) to which the person was invited. */
const IN_PROJECTS = `project_id = any (array(select project_id from audit_events where account_id = $1) || $2::text[])`

const NAMED_ADDRESSES = statement(
  'closing.named_addresses',
  `select distinct changes ->> 'email' as email from audit_events
   where changes ->> 'email' is not null and ${IN_PROJECTS}`,
)

const ERASE_ADDRESSES = statement(
  'closing.erase_addresses',
  `update audit_events set changes = changes - 'email' where changes ->> 'email' = any ($3) and ${IN_PROJECTS}`,
)

/**
 * Deletes ended invitations to the person's present and former addresses, and removes these addresses from audit entries.
 * This process compares the addresses, because some databases cannot change a letter such as Š to lower case.
 */
async function eraseAddresses(tx: Tx, id: AccountId, emailKey: string): Promise<void> {
  const former = await tx.query<{ email: string }>(FORMER_ADDRESSES, [id])
  const keys = new Set([emailKey, ...former.map(({ email }) => toEmailKey(email))])
  const invitations = await tx.query<{ projectId: string }>(DELETE_INVITATIONS, [[...keys]])
  const projectIds = invitations.map(({ projectId }) => projectId)
  const named = await tx.query<{ email: string }>(NAMED_ADDRESSES, [id, projectIds])
  const emails = named.map(({ email }) => email).filter((email) => keys.has(toEmailKey(email)))
  await tx.query(ERASE_ADDRESSES, [id, projectIds, emails])
}

/**
 * Removes personal data from audit entries. Open invitations to the person stay, because a new account with the invited
 * address can accept them.
 */
export async function releaseAudit(tx: Tx, id: AccountId, emailKey: string): Promise<void> {
  await eraseAddresses(tx, id, emailKey)
  await tx.query(ERASE_TOKEN_NAMES, [id])
  await tx.query(RELEASE_AUDIT, [id])
}

// No real address ends in `.invalid`, and the id makes the address unique.
const ERASE_PERSON = statement(
  'closing.person',
  `update accounts set email = 'closed-' || id || '@account.invalid', email_key = 'closed-' || id || '@account.invalid',
     email_confirmed_at = null, password_hash = $2, credential_version = credential_version + 1, kyc_verified_at = null,
     recovery_used_at = null, locale = 'en', time_zone = default, theme = default, closed_at = now()
   where id = $1`,
)

/**
 * The account's row stays, because it owns `projectIds`, which have live payments. Nobody knows the password of
 * `passwordHash`.
 */
export async function erasePerson(
  tx: Tx,
  id: AccountId,
  { passwordHash, projectIds }: { passwordHash: string; projectIds: readonly string[] },
): Promise<void> {
  for (const one of ERASE_TRACES) await tx.query(one, [id])
  await tx.query(DELETE_AUDIT, [id, projectIds])
  await tx.query(ERASE_AUDIT, [id])
  await tx.query(ERASE_PERSON, [id, passwordHash])
}

const DELETE = statement('closing.account', 'delete from accounts where id = $1')

/** Also deletes the rows that refer to the account. The account must not own a project. */
export async function deleteAccount(tx: Tx, id: AccountId): Promise<void> {
  await tx.query(DELETE, [id])
}

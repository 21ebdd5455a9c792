// What is left of a person when an account is closed: nothing, or an empty row that owns the books.
import { statement } from '../db/pool.ts'
import type { Statement, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

// Everything the account held for its person. What was done to a project that is kept stays with it, without who and from
// where.
const ERASE_TRACES: readonly Statement[] = [
  statement('closing.sessions', 'delete from sessions where account_id = $1'),
  statement('closing.devices', 'delete from devices where account_id = $1'),
  statement('closing.api_tokens', 'delete from api_tokens where account_id = $1'),
  statement('closing.mail_tokens', 'delete from mail_tokens where account_id = $1'),
  statement('closing.mails', 'delete from mails where account_id = $1'),
  statement(
    'closing.audit_of_account',
    `delete from audit_events e where account_id = $1
       and not exists (select from projects p where p.id = e.project_id)`,
  ),
  statement(
    'closing.audit_of_projects',
    `update audit_events set ip = null, user_agent = null,
       actor = case when actor = 'operator' then actor else 'owner' end
     where account_id = $1`,
  ),
]

// `.invalid` can never be an address of anybody, and the id keeps it unique.
const ERASE_PERSON = statement(
  'closing.person',
  `update accounts set email = 'closed-' || id || '@account.invalid', email_key = 'closed-' || id || '@account.invalid',
     email_confirmed_at = null, password_hash = $2, credential_version = credential_version + 1, kyc_verified_at = null,
     locale = 'en', time_zone = default, theme = default, closed_at = now()
   where id = $1`,
)

/** The row stays for the books. The password's hash is one that nobody knows the password of. */
export async function erasePerson(tx: Tx, id: AccountId, passwordHash: string): Promise<void> {
  for (const one of ERASE_TRACES) await tx.query(one, [id])
  await tx.query(ERASE_PERSON, [id, passwordHash])
}

const DELETE = statement('closing.account', 'delete from accounts where id = $1')

/** With everything that belongs to it. It must own no project any more. */
export async function deleteAccount(tx: Tx, id: AccountId): Promise<void> {
  await tx.query(DELETE, [id])
}

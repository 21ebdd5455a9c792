import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

export type LinkPurpose = 'confirm_email' | 'change_email' | 'reset_password'

export interface MailLink {
  accountId: AccountId
  purpose: LinkPurpose
  /** The address the link was sent to, and which it therefore proves. */
  email: string
}

const insert = statement(
  'mail-links-insert',
  `insert into mail_tokens (token_hash, account_id, purpose, email, expires_at)
   select $1, a.id, $3, $4, now() + make_interval(hours => $5) from accounts a where a.id = $2`,
)

/** Writes nothing for an account that does not exist. */
export async function insertMailLink(
  tx: Tx,
  link: MailLink & { tokenHash: Buffer; lifetimeHours: number },
): Promise<void> {
  await tx.query(insert, [link.tokenHash, link.accountId, link.purpose, link.email, link.lifetimeHours])
}

interface LinkRow {
  account_id: string
  purpose: LinkPurpose
  email: string
}

function toMailLink(row: LinkRow): MailLink {
  return { accountId: row.account_id as AccountId, purpose: row.purpose, email: row.email }
}

const IS_GOOD = 'token_hash = $1 and purpose = any ($2) and used_at is null and expires_at > now()'

const select = statement(
  'mail-links-find',
  `select account_id, purpose, email from mail_tokens where ${IS_GOOD}`,
)

export async function findMailLink(
  db: Queryable,
  tokenHash: Buffer,
  purposes: readonly LinkPurpose[],
): Promise<MailLink | null> {
  const [row] = await db.query<LinkRow>(select, [tokenHash, purposes])
  return row ? toMailLink(row) : null
}

const use = statement(
  'mail-links-use',
  `update mail_tokens set used_at = now() where ${IS_GOOD} returning account_id, purpose, email`,
)

/** Of two that use one link at once, the second waits for the first and then gets null. */
export async function useMailLink(
  tx: Tx,
  tokenHash: Buffer,
  purposes: readonly LinkPurpose[],
): Promise<MailLink | null> {
  const [row] = await tx.query<LinkRow>(use, [tokenHash, purposes])
  return row ? toMailLink(row) : null
}

const removeUnused = statement(
  'mail-links-remove',
  'delete from mail_tokens where account_id = $1 and purpose = any ($2) and used_at is null',
)

export async function deleteMailLinks(
  tx: Tx,
  accountId: AccountId,
  purposes: readonly LinkPurpose[],
): Promise<void> {
  await tx.query(removeUnused, [accountId, purposes])
}

const countRecent = statement(
  'mail-links-count',
  `select count(*)::integer as sent from mail_tokens
   where account_id = $1 and purpose = any ($2) and created_at > now() - interval '1 day'`,
)

export async function countMailLinksOfDay(
  tx: Tx,
  accountId: AccountId,
  purposes: readonly LinkPurpose[],
): Promise<number> {
  const [row] = await tx.query<{ sent: number }>(countRecent, [accountId, purposes])
  return row?.sent ?? 0
}

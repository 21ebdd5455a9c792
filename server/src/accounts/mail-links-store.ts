import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'
import type { AccountId } from './account.ts'

export type LinkPurpose = 'confirm_email' | 'change_email' | 'reset_password'

export interface MailLink {
  accountId: AccountId
  purpose: LinkPurpose
  /** The address the link was sent to; using the link proves access to it. */
  email: string
}

const INSERT = statement(
  'mail_links.insert',
  `insert into mail_tokens (token_hash, account_id, purpose, email, expires_at)
   select $1, a.id, $3, $4, now() + make_interval(hours => $5) from accounts a where a.id = $2`,
)

/** Writes nothing for an account that does not exist. */
export async function insertMailLink(
  tx: Tx,
  link: MailLink & { tokenHash: Buffer; lifetimeHours: number },
): Promise<void> {
  await tx.query(INSERT, [link.tokenHash, link.accountId, link.purpose, link.email, link.lifetimeHours])
}

interface LinkRow {
  account_id: string
  purpose: LinkPurpose
  email: string
}

function toMailLink(row: LinkRow): MailLink {
  return { accountId: row.account_id as AccountId, purpose: row.purpose, email: row.email }
}

const IS_VALID = 'token_hash = $1 and purpose = any ($2) and used_at is null and expires_at > now()'

const SELECT = statement(
  'mail_links.find',
  `select account_id, purpose, email from mail_tokens where ${IS_VALID}`,
)

export async function findMailLink(
  db: Queryable,
  tokenHash: Buffer,
  purposes: readonly LinkPurpose[],
): Promise<MailLink | null> {
  const [row] = await db.query<LinkRow>(SELECT, [tokenHash, purposes])
  return row ? toMailLink(row) : null
}

const USE = statement(
  'mail_links.use',
  `update mail_tokens set used_at = now() where ${IS_VALID} returning account_id, purpose, email`,
)

/** Of two parallel uses of a link, the second gets null. */
export async function useMailLink(
  tx: Tx,
  tokenHash: Buffer,
  purposes: readonly LinkPurpose[],
): Promise<MailLink | null> {
  const [row] = await tx.query<LinkRow>(USE, [tokenHash, purposes])
  return row ? toMailLink(row) : null
}

const VOID_UNUSED = statement(
  'mail_links.void',
  `update mail_tokens set expires_at = now()
   where account_id = $1 and purpose = any ($2) and used_at is null and expires_at > now()`,
)

/** Voided links stop working but are not deleted, because the daily limit of confirmation links counts them. */
export async function voidMailLinks(
  tx: Tx,
  accountId: AccountId,
  purposes: readonly LinkPurpose[],
): Promise<void> {
  await tx.query(VOID_UNUSED, [accountId, purposes])
}

const VOID_ALL = statement(
  'mail_links.void_all',
  `update mail_tokens set expires_at = now()
   where purpose in ('change_email', 'reset_password') and used_at is null and expires_at > now()`,
)

/** Called after a restore or a failover that lost writes. Otherwise used and voided links could work again. */
export async function voidAllMailLinks(tx: Tx): Promise<void> {
  await tx.query(VOID_ALL)
}

const COUNT_RECENT = statement(
  'mail_links.count',
  `select count(*)::integer as sent from mail_tokens
   where account_id = $1 and purpose = any ($2) and created_at > now() - interval '1 day'`,
)

export async function countMailLinksOfDay(
  tx: Tx,
  accountId: AccountId,
  purposes: readonly LinkPurpose[],
): Promise<number> {
  const [row] = await tx.query<{ sent: number }>(COUNT_RECENT, [accountId, purposes])
  return row?.sent ?? 0
}

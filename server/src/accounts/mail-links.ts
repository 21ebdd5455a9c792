// Links that are sent by mail. The use of a link proves access to the mailbox. A link works once and for a limited time.
import type { Tx } from '../db/pool.ts'
import { newToken } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Account } from './account.ts'
import type { AccountDeps } from './deps.ts'
import { insertMailLink, useMailLink } from './mail-links-store.ts'
import type { LinkPurpose, MailLink } from './mail-links-store.ts'
import { LINK_LIFETIME_HOURS } from './mail/mail.ts'
import type { LinkMailKind } from './mail/mail.ts'
import { queueLinkMail } from './mail/queue-mail.ts'
import { toTokenHash } from './token-hash.ts'

const MAIL_KIND: Record<LinkPurpose, LinkMailKind> = {
  confirm_email: 'confirm_email',
  change_email: 'confirm_new_email',
  reset_password: 'reset_password',
}

export type LinkRecipient = Pick<Account, 'id' | 'locale'>

export async function sendMailLink(
  deps: Pick<AccountDeps, 'clock' | 'mailTokens'>,
  tx: Tx,
  recipient: LinkRecipient,
  purpose: LinkPurpose,
  to: string,
  options: { isInvitation?: boolean } = {},
): Promise<void> {
  const token = newToken()
  const kind = MAIL_KIND[purpose]
  await insertMailLink(tx, {
    tokenHash: toTokenHash(token),
    accountId: recipient.id,
    purpose,
    email: to,
    lifetimeHours: LINK_LIFETIME_HOURS[kind],
  })
  await queueLinkMail(deps, tx, { recipient, to, kind, token, ...options })
}

/** A wrong, an expired and a used link get the same refusal. */
export async function requireMailLink(
  tx: Tx,
  token: string,
  purposes: readonly LinkPurpose[],
): Promise<MailLink> {
  const link = await useMailLink(tx, toTokenHash(token), purposes)
  if (!link) throw new ServiceError('token_expired')
  return link
}

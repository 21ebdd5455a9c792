// A new address takes effect when it is confirmed. The old address gets a notice when the change is requested.
// `confirmEmail` also confirms the address of a new account.
import { CONFIRMATION_MAILS_PER_DAY_MAX } from '@pazar/contract'
import { isUniqueViolation } from '../db/pool.ts'
import type { Tx } from '../db/pool.ts'
import { ServiceError } from '../lib/service-error.ts'
import {
  changeEmailAddress,
  EMAIL_UNIQUE,
  findAccountByEmail,
  findRecipient,
  lockAccount,
  markEmailConfirmed,
} from './accounts-store.ts'
import type { Account } from './account.ts'
import { byAccount, recordAudit } from './audit.ts'
import type { ClientFacts } from './client.ts'
import type { AccountDeps } from './deps.ts'
import { parseEmail, toEmailKey } from './email-address.ts'
import { emailChangeBucket, limitInDatabase } from './lockout.ts'
import { countMailLinksOfDay, voidMailLinks } from './mail-links-store.ts'
import { requireMailLink, sendMailLink } from './mail-links.ts'
import { queueMail } from './mail/queue-mail.ts'
import type { Caller } from './sessions.ts'

/** The mail to the old address must not contain the whole new address, so it shows `m•••@example.com`. */
const toMaskedEmail = (email: string) => email.replace(/^(.).*(?=@)/u, '$1•••')

/**
 * The limit also counts requests that get `email_taken`. Otherwise somebody could find out which of many addresses have
 * accounts.
 */
const CHANGES = { max: CONFIRMATION_MAILS_PER_DAY_MAX, windowMin: 24 * 60 }

/** The limit can last a day, but a retry after an hour may succeed. */
const RETRY_AFTER_SEC = 3600

export async function requestEmailChange(deps: AccountDeps, caller: Caller, email: string): Promise<void> {
  const { account } = caller
  const address = parseEmail(email)
  const isOwn = address.key === toEmailKey(account.email)
  if (isOwn && account.emailConfirmedAt !== null) return
  if (!isOwn) await limitInDatabase(deps.db, emailChangeBucket(account.id), CHANGES)
  await deps.db.transaction(async (tx) => {
    // Without the lock, parallel requests would not count each other's links.
    await lockAccount(tx, account.id)
    if (
      (await countMailLinksOfDay(tx, account.id, ['confirm_email', 'change_email'])) >=
      CONFIRMATION_MAILS_PER_DAY_MAX
    ) {
      throw new ServiceError('rate_limited', { retryAfterSec: RETRY_AFTER_SEC })
    }
    if (isOwn) {
      await sendMailLink(deps, tx, account, 'confirm_email', account.email)
      return
    }
    if (await findAccountByEmail(tx, address.key)) throw new ServiceError('email_taken')
    await sendMailLink(deps, tx, account, 'change_email', address.email)
    await queueMail(deps, tx, account, {
      kind: 'email_change_notice',
      client: caller,
      newEmail: toMaskedEmail(address.email),
    })
    await recordAudit(deps, tx, {
      ...byAccount(caller),
      action: 'email_change_asked',
      changes: { email: address.email },
    })
  })
}

/**
 * Notifies the people who manage the projects in which the account is a member. app.ts passes this function in, because
 * accounts/ may not import projects/.
 */
export type OnEmailChange = (
  tx: Tx,
  person: { account: Account; formerEmail: string } & ClientFacts,
) => Promise<void>

export async function confirmEmail(
  deps: AccountDeps,
  client: ClientFacts,
  token: string,
  onChange: OnEmailChange,
): Promise<void> {
  try {
    await deps.db.transaction(async (tx) => {
      const link = await requireMailLink(tx, token, ['confirm_email', 'change_email'])
      const address = { email: link.email, key: toEmailKey(link.email) }
      const isChange = link.purpose === 'change_email'
      const former = await findRecipient(tx, link.accountId)
      const account = isChange
        ? await changeEmailAddress(tx, link.accountId, address)
        : await markEmailConfirmed(tx, link.accountId, address.key)
      if (!account) throw new ServiceError('token_expired')
      if (isChange) await voidMailLinks(tx, account.id, ['confirm_email', 'change_email', 'reset_password'])
      await recordAudit(deps, tx, {
        ...byAccount({ account, ...client }),
        action: isChange ? 'email_changed' : 'email_confirmed',
        changes: { email: address.email },
      })
      if (isChange && former) await onChange(tx, { account, formerEmail: former.email, ...client })
    })
  } catch (error) {
    // Another account has started to use the address since the mail was sent.
    if (isUniqueViolation(error, EMAIL_UNIQUE)) throw new ServiceError('email_taken')
    throw error
  }
}

// Changes the address of an account. The account's owner requests it after a step-up, the old address gets a notice, and
// the change takes effect when the new address is confirmed. The same route confirms the address of a new account.
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

/** `m•••@example.com`: the mail to the old address must not contain the whole new address. */
const toMaskedEmail = (email: string) => email.replace(/^(.).*(?=@)/u, '$1•••')

/**
 * Every request for another address counts, also one that is refused because the address has an account. Otherwise somebody
 * could find out which addresses have one.
 */
const CHANGES = { max: CONFIRMATION_MAILS_PER_DAY_MAX, windowMin: 24 * 60 }

/** The limit can last up to a day, but a retry after an hour is reasonable. */
const RETRY_AFTER_SEC = 3600

export async function requestEmailChange(deps: AccountDeps, caller: Caller, email: string): Promise<void> {
  const { account } = caller
  const address = parseEmail(email)
  const isOwn = address.key === toEmailKey(account.email)
  // The address is already confirmed, so there is nothing to do.
  if (isOwn && account.emailConfirmedAt !== null) return
  if (!isOwn) await limitInDatabase(deps.db, emailChangeBucket(account.id), CHANGES)
  await deps.db.transaction(async (tx) => {
    // Without the lock, requests at the same time would not count each other's links.
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

/** Notifies the people who share a project with the account. accounts/ may not import projects/, so app.ts passes it in. */
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
      // Links sent to the old address must stop working.
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

// Creates an account and signs its owner in. An invitation confirms the address that it was mailed to.
import type { Locale } from '@pazar/words'
import { isUniqueViolation } from '../db/pool.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import { EMAIL_UNIQUE, insertAccount, markEmailConfirmed, markInvited } from './accounts-store.ts'
import { byAccount, recordAudit } from './audit.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import type { AccountDeps } from './deps.ts'
import { parseEmail } from './email-address.ts'
import { findInvitation } from './invitations-store.ts'
import { sendMailLink } from './mail-links.ts'
import { startSession } from './sessions.ts'
import type { Browser, SignedIn } from './sessions.ts'
import { toTokenHash } from './token-hash.ts'

export interface NewAccount {
  email: string
  password: string
  locale: Locale
  /** The token of a mailed invitation, which proves access to the mailbox. */
  invitation?: string | undefined
}

export async function signUp(deps: AccountDeps, browser: Browser, input: NewAccount): Promise<SignedIn> {
  const address = parseEmail(input.email)
  refuseCommonPassword(input.password, address.email)
  const { invitation } = input
  if (invitation === undefined && deps.config.signUp === 'closed') throw new ServiceError('sign_up_closed')
  if (invitation !== undefined) {
    const found = await findInvitation(deps.db, toTokenHash(invitation))
    if (found?.emailKey !== address.key) throw new ServiceError('token_expired')
  }
  const passwordHash = await deps.passwords.hash(input.password)
  try {
    return await deps.db.transaction(async (tx) => {
      const id = newUuidV7(deps.clock)
      const account = await insertAccount(tx, { id, address, passwordHash, locale: input.locale })
      if (invitation === undefined) await sendMailLink(deps, tx, account, 'confirm_email', account.email)
      else {
        await markEmailConfirmed(tx, account.id, address.key)
        if (deps.config.signUp === 'closed') await markInvited(tx, account.id, true)
      }
      const owner = byAccount({ account, ...browser.client })
      await recordAudit(deps, tx, { ...owner, action: 'signed_up' })
      if (invitation !== undefined) {
        // When the account is closed, its former addresses are read from entries of this kind.
        const changes = { email: account.email }
        await recordAudit(deps, tx, { ...owner, action: 'email_confirmed', changes })
      }
      const emailConfirmedAt = invitation === undefined ? null : toDate(deps.clock.nowMs())
      return await startSession(deps, tx, { ...account, emailConfirmedAt }, browser)
    })
  } catch (error) {
    if (isUniqueViolation(error, EMAIL_UNIQUE)) throw new ServiceError('email_taken')
    throw error
  }
}

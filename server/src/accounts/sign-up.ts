// Creates an account and signs its owner in. The address is confirmed later, with the link in the queued mail.
import type { Locale } from '@pazar/words'
import { isUniqueViolation } from '../db/pool.ts'
import { newUuidV7 } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import { EMAIL_UNIQUE, insertAccount } from './accounts-store.ts'
import { byOwner, recordAudit } from './audit.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import type { AccountDeps } from './deps.ts'
import { parseEmail } from './email-address.ts'
import { sendMailLink } from './mail-links.ts'
import { startSession } from './sessions.ts'
import type { Browser, SignedIn } from './sessions.ts'

export interface NewAccount {
  email: string
  password: string
  locale: Locale
}

export async function signUp(deps: AccountDeps, browser: Browser, input: NewAccount): Promise<SignedIn> {
  const address = parseEmail(input.email)
  refuseCommonPassword(input.password, address.email)
  const passwordHash = await deps.passwords.hash(input.password)
  try {
    return await deps.db.transaction(async (tx) => {
      const id = newUuidV7(deps.clock)
      const account = await insertAccount(tx, { id, address, passwordHash, locale: input.locale })
      await sendMailLink(deps, tx, account, 'confirm_email', account.email)
      await recordAudit(deps, tx, { ...byOwner({ account, ...browser.client }), action: 'signed_up' })
      return await startSession(deps, tx, account, browser)
    })
  } catch (error) {
    // Two sign-ups at the same time both find the address free; the unique constraint accepts one.
    if (isUniqueViolation(error, EMAIL_UNIQUE)) throw new ServiceError('email_taken')
    throw error
  }
}

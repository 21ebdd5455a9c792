// The operator creates an account for an address, or finds the existing one, and mails a link to set the password.
import type { Locale } from '@pazar/words'
import { isUniqueViolation } from '../db/pool.ts'
import { newToken, newUuidV7 } from '../lib/id.ts'
import type { Account } from './account.ts'
import { EMAIL_UNIQUE, findAccountByEmail, insertAccount, markInvited } from './accounts-store.ts'
import { recordAudit } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { parseEmail } from './email-address.ts'
import { sendMailLink } from './mail-links.ts'

export async function inviteAccount(deps: AccountDeps, email: string, locale: Locale): Promise<Account> {
  const address = parseEmail(email)
  // Nobody knows this random password. The invited person sets another one with the link.
  const passwordHash = await deps.passwords.hash(newToken())
  const inviteOnce = () =>
    deps.db.transaction(async (tx) => {
      const existing = await findAccountByEmail(tx, address.key)
      const account =
        existing ?? (await insertAccount(tx, { id: newUuidV7(deps.clock), address, passwordHash, locale }))
      // While sign-up is closed, a person who came by an invitation to somebody else's project may not own projects. After
      // the operator's invitation, the person may.
      if (account.cameByInvitation) await markInvited(tx, account.id, false)
      const byOperator = { accountId: account.id, actor: 'operator', client: null } as const
      if (!existing) await recordAudit(deps, tx, { ...byOperator, action: 'signed_up' })
      await sendMailLink(deps, tx, account, 'reset_password', account.email, { isInvitation: true })
      return account
    })
  return inviteOnce().catch((error: unknown) => {
    // Another command or a sign-up has created the account since the search. The second try finds it.
    if (isUniqueViolation(error, EMAIL_UNIQUE)) return inviteOnce()
    throw error
  })
}

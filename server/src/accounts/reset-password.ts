import { RATE_LIMITS, RATE_WINDOW_SEC } from '@pazar/contract'
import type { Queryable } from '../db/pool.ts'
import { toAddressKey } from '../http/client-address.ts'
import { newUuidV7 } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { AccountId } from './account.ts'
import {
  changePasswordHash,
  findAccountByEmail,
  markEmailConfirmed,
  requireCredentials,
} from './accounts-store.ts'
import { revokeApiTokens } from './api-tokens-store.ts'
import { byAccount, recordAudit } from './audit.ts'
import type { ClientFacts } from './client.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import type { AccountDeps } from './deps.ts'
import { deleteDevices } from './devices-store.ts'
import { parseEmail, toEmailKey } from './email-address.ts'
import { clearLockouts, forgotBucket, limitInDatabase } from './lockout.ts'
import type { Bucket } from './lockout.ts'
import { findMailLink, voidMailLinks } from './mail-links-store.ts'
import { requireMailLink, sendMailLink } from './mail-links.ts'
import type { LinkRecipient } from './mail-links.ts'
import { requirePasswordWithPasskeys } from './passkeys-store.ts'
import { queueMail } from './mail/queue-mail.ts'
import { deleteSessions } from './sessions-store.ts'
import { toTokenHash } from './token-hash.ts'

/**
 * Known and unknown addresses run the same statements and have the same limits, so the response does not reveal who has
 * an account. The network's limit comes first, so that one network cannot use up the limits of many mailboxes.
 */
export async function requestReset(deps: AccountDeps, { ip }: ClientFacts, email: string): Promise<void> {
  const { key: emailKey } = parseEmail(email)
  const limits = deps.config.rateLimits
  async function limit(db: Queryable, name: 'FORGOT' | 'FORGOT_NETWORK', bucket: Bucket): Promise<void> {
    if (limits === null) return
    const windowMin = RATE_WINDOW_SEC[RATE_LIMITS[name].per] / 60
    await limitInDatabase(db, bucket, { max: limits[name], windowMin })
  }
  await limit(deps.db, 'FORGOT_NETWORK', forgotBucket('network', toAddressKey(ip)))
  await deps.db.transaction(async (tx) => {
    // This write is in the transaction, so that the commit takes as long for an unknown address as for a known one.
    await limit(tx, 'FORGOT', forgotBucket('email', emailKey))
    const account = await findAccountByEmail(tx, emailKey)
    const nobody: LinkRecipient = { id: newUuidV7(deps.clock) as AccountId, locale: 'en' }
    await sendMailLink(deps, tx, account ?? nobody, 'reset_password', account?.email ?? emailKey)
  })
}

export async function resetPassword(
  deps: AccountDeps,
  client: ClientFacts,
  input: { token: string; password: string },
): Promise<void> {
  // Hashing is expensive, so the link is checked first.
  const link = await findMailLink(deps.db, toTokenHash(input.token), ['reset_password'])
  if (!link) throw new ServiceError('token_expired')
  refuseCommonPassword(input.password, link.email)
  const { credentialVersion } = await requireCredentials(deps.db, link.accountId, 'token_expired')
  const passwordHash = await deps.passwords.hash(input.password)

  await deps.db.transaction(async (tx) => {
    const { accountId, email } = await requireMailLink(tx, input.token, ['reset_password'])
    const account = await changePasswordHash(tx, accountId, { passwordHash, fromVersion: credentialVersion })
    if (!account) throw new ServiceError('token_expired')
    const emailKey = toEmailKey(email)
    // `requestReset` can store a link for the former address just after the address was changed.
    if (!(await markEmailConfirmed(tx, accountId, emailKey))) throw new ServiceError('token_expired')
    await deleteSessions(tx, accountId, { except: null })
    // A stranger may have added a passkey. That passkey must not sign in without the new password.
    await requirePasswordWithPasskeys(tx, accountId)
    // Somebody with the old password may have created API tokens.
    const tokensRevoked = await revokeApiTokens(tx, accountId)
    await voidMailLinks(tx, accountId, ['reset_password', 'change_email'])
    await clearLockouts(tx, accountId, emailKey)
    await deleteDevices(tx, accountId)
    await queueMail(deps, tx, account, { kind: 'password_changed', client })
    const owner = byAccount({ account, ...client })
    const changes = { email, tokensRevoked }
    await recordAudit(deps, tx, { ...owner, action: 'password_reset', changes })
  })
}

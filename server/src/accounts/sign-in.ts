// Signs an owner in with their password. For an unknown address the same statements run and a hash is computed, so that
// neither the response nor its time reveals who has an account.
import { ServiceError } from '../lib/service-error.ts'
import { findForSignIn, hasCredentialVersion } from './accounts-store.ts'
import { byOwner, recordAudit } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { toEmailKey } from './email-address.ts'
import { attempt, signInBucket } from './lockout.ts'
import { queueMail } from './mail/queue-mail.ts'
import { startSession } from './sessions.ts'
import type { Browser, SignedIn } from './sessions.ts'
import { toTokenHash } from './token-hash.ts'

export async function signIn(
  deps: AccountDeps,
  browser: Browser,
  input: { email: string; password: string },
): Promise<SignedIn> {
  const emailKey = toEmailKey(input.email)
  const deviceHash = browser.deviceToken === null ? null : toTokenHash(browser.deviceToken)
  const found = await findForSignIn(deps.db, emailKey, deviceHash)
  const knownDevice = found?.deviceKnown && deviceHash ? { accountId: found.account.id, deviceHash } : null
  const bucket = signInBucket(emailKey, knownDevice)
  const right = await attempt(deps.db, bucket, () =>
    found
      ? deps.passwords.verify(input.password, found.passwordHash)
      : deps.passwords.verifyNothing(input.password),
  )
  if (!found || !right) throw new ServiceError('invalid_credentials')

  const { account, deviceKnown } = found
  return deps.db.transaction(async (tx) => {
    // Without this, a password change that commits during the hashing would not end the session created here.
    if (!(await hasCredentialVersion(tx, account.id, account.credentialVersion))) {
      throw new ServiceError('invalid_credentials')
    }
    const signedIn = await startSession(deps, tx, account, browser)
    const { client } = browser
    if (!deviceKnown) await queueMail(deps, tx, account, { kind: 'new_device', client })
    await recordAudit(deps, tx, { ...byOwner({ account, ...client }), action: 'signed_in' })
    return signedIn
  })
}

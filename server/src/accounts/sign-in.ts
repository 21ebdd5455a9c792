// Signs a person in with a password. For an unknown address, the same SQL statements run and a password hash is computed
// too, so that the response does not reveal who has an account.
import type { SecondFactor } from '@pazar/contract'
import type { Tx } from '../db/pool.ts'
import { newToken } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Account } from './account.ts'
import { findForSignIn, hasCredentialVersion } from './accounts-store.ts'
import { byAccount, recordAudit } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { toEmailKey } from './email-address.ts'
import { deleteFactorReset } from './factor-resets-store.ts'
import { checkWithLockout, signInBucket } from './lockout.ts'
import { queueMail } from './mail/queue-mail.ts'
import { insertPendingSignIn } from './pending-sign-ins-store.ts'
import { findFactors, toFactorList } from './second-factors-store.ts'
import { startSession } from './sessions.ts'
import type { Browser, SignedIn } from './sessions.ts'
import { toTokenHash } from './token-hash.ts'

/** The password was correct. The browser that has the token must still prove one of these factors. */
export interface SecondFactorNeeded {
  pendingToken: string
  secondFactor: SecondFactor[]
}

export async function signIn(
  deps: AccountDeps,
  browser: Browser,
  input: { email: string; password: string },
): Promise<SignedIn | SecondFactorNeeded> {
  const emailKey = toEmailKey(input.email)
  const deviceHash = browser.deviceToken === null ? null : toTokenHash(browser.deviceToken)
  const found = await findForSignIn(deps.db, emailKey, deviceHash)
  const knownDevice = found?.deviceKnown && deviceHash ? { accountId: found.account.id, deviceHash } : null
  const bucket = signInBucket(emailKey, knownDevice)
  const isCorrect = await checkWithLockout(
    deps.db,
    bucket,
    () =>
      found
        ? deps.passwords.verify(input.password, found.passwordHash)
        : deps.passwords.verifyNothing(input.password),
    { isFirstFactor: found?.hasFactor ?? false },
  )
  if (!found || !isCorrect) throw new ServiceError('invalid_credentials')

  const { account, deviceKnown } = found
  if (found.hasFactor) {
    const pendingToken = newToken()
    await insertPendingSignIn(deps.db, toTokenHash(pendingToken), { account, bucket, deviceKnown })
    return { pendingToken, secondFactor: toFactorList(await findFactors(deps.db, account.id)) }
  }
  return deps.db.transaction((tx) => finishSignIn(deps, tx, { account, deviceKnown, factor: null }, browser))
}

interface RightFactors {
  account: Account
  deviceKnown: boolean
  factor: SecondFactor | null
}

export async function finishSignIn(
  deps: AccountDeps,
  tx: Tx,
  { account, deviceKnown, factor }: RightFactors,
  browser: Browser,
): Promise<SignedIn> {
  // The password may have been changed since the sign-in began. The old password must not start a session.
  if (!(await hasCredentialVersion(tx, account.id, account.credentialVersion))) {
    throw new ServiceError('invalid_credentials')
  }
  // hasCredentialVersion has locked the account's row. So a second factor that was added since the sign-in began is found
  // here.
  if (factor === null && toFactorList(await findFactors(tx, account.id)).length > 0)
    throw new ServiceError('invalid_credentials')
  // A sign-in with a second factor cancels a requested removal of the factors: the person has not lost all of them.
  const isResetCancelled = factor !== null && (await deleteFactorReset(tx, account.id))
  const signedIn = await startSession(deps, tx, account, browser)
  const { client } = browser
  if (!deviceKnown) await queueMail(deps, tx, account, { kind: 'new_device', client })
  if (isResetCancelled)
    await recordAudit(deps, tx, { ...byAccount({ account, ...client }), action: 'factor_reset_cancelled' })
  await recordAudit(deps, tx, {
    ...byAccount({ account, ...client }),
    action: 'signed_in',
    ...(factor === null ? {} : { changes: { factor } }),
  })
  return signedIn
}

// The owner repeats the password; that counts for STEP_UP_MAX_SEC. Bound to the session, the account and the
// password it was given with; the session's token is renewed with it.
import { newToken } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import { requireCredentials } from './accounts-store.ts'
import { byOwner, recordAudit } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { attempt, stepUpBucket } from './lockout.ts'
import { grantStepUp } from './sessions-store.ts'
import type { SessionCaller } from './sessions.ts'
import { toTokenHash } from './token-hash.ts'

export interface SteppedUp {
  until: Date
  sessionToken: string
  stepUpToken: string
}

export async function stepUp(
  deps: AccountDeps,
  caller: SessionCaller,
  input: { password: string; sessionToken: string },
): Promise<SteppedUp> {
  const { account } = caller
  const { passwordHash, credentialVersion } = await requireCredentials(deps.db, account.id)
  const right = await attempt(deps.db, stepUpBucket(account.id), () =>
    deps.passwords.verify(input.password, passwordHash),
  )
  if (!right) throw new ServiceError('invalid_credentials')

  const sessionToken = newToken()
  const stepUpToken = newToken()
  const until = await deps.db.transaction(async (tx) => {
    const granted = await grantStepUp(
      tx,
      { id: caller.sessionId, tokenHash: toTokenHash(input.sessionToken) },
      // The version read with the hash, not today's: a change of the password meanwhile voids this step-up.
      { tokenHash: toTokenHash(sessionToken), stepUpHash: toTokenHash(stepUpToken), credentialVersion },
    )
    // The session was ended, or stepped up in another tab, while the password was being checked.
    if (granted === null) throw new ServiceError('unauthenticated')
    await recordAudit(deps, tx, { ...byOwner(caller), action: 'step_up' })
    return granted
  })
  return { until, sessionToken, stepUpToken }
}

// The owner repeats the password, which is valid for STEP_UP_MAX_SEC in this session and only until the password changes.
// The session also gets a new token.
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
      // The version that was read with the hash: if the password has changed since, this step-up is invalid.
      { tokenHash: toTokenHash(sessionToken), stepUpHash: toTokenHash(stepUpToken), credentialVersion },
    )
    // While the password was checked, the session was ended or another tab did a step-up.
    if (granted === null) throw new ServiceError('unauthenticated')
    await recordAudit(deps, tx, { ...byOwner(caller), action: 'step_up' })
    return granted
  })
  return { until, sessionToken, stepUpToken }
}

// In a step-up, a signed-in person proves again who they are: with a second factor if the account has one, else with the
// password. A step-up is valid for STEP_UP_MAX_SEC, in this session, and only until the password changes. The session also
// gets a new token.
import type { SecondFactor } from '@pazar/contract'
import { newToken } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import { requireCredentials } from './accounts-store.ts'
import { byAccount, recordAudit } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { requireCode } from './factor-codes.ts'
import { checkWithLockout, stepUpBucket } from './lockout.ts'
import { findFactors, toFactorList } from './second-factors-store.ts'
import { grantStepUp } from './sessions-store.ts'
import type { SessionCaller } from './sessions.ts'
import { toTokenHash } from './token-hash.ts'

export interface SteppedUp {
  until: Date
  sessionToken: string
  stepUpToken: string
}

type Proof = { password: string } | { code: string }

export async function stepUp(
  deps: AccountDeps,
  caller: SessionCaller,
  input: { sessionToken: string; proof: Proof },
): Promise<SteppedUp> {
  // The version is read before the check: if the password changes meanwhile, this step-up is invalid.
  const { passwordHash, credentialVersion } = await requireCredentials(deps.db, caller.account.id)
  const factor =
    'code' in input.proof
      ? await requireCode(deps, caller.account, caller, input.proof.code)
      : await requirePassword(deps, caller, { password: input.proof.password, passwordHash })
  return completeStepUp(deps, caller, { sessionToken: input.sessionToken, credentialVersion, factor })
}

async function requirePassword(
  deps: AccountDeps,
  { account }: SessionCaller,
  { password, passwordHash }: { password: string; passwordHash: string },
): Promise<null> {
  // With a second factor, the password alone is not enough, so it is not checked either.
  if (toFactorList(await findFactors(deps.db, account.id)).length > 0)
    throw new ServiceError('step_up_required')
  const isRight = await checkWithLockout(deps.db, stepUpBucket(account.id), () =>
    deps.passwords.verify(password, passwordHash),
  )
  if (!isRight) throw new ServiceError('invalid_credentials')
  return null
}

export async function completeStepUp(
  deps: AccountDeps,
  caller: SessionCaller,
  proved: { sessionToken: string; credentialVersion: number; factor: SecondFactor | null },
): Promise<SteppedUp> {
  const { credentialVersion, factor } = proved
  const sessionToken = newToken()
  const stepUpToken = newToken()
  const until = await deps.db.transaction(async (tx) => {
    const granted = await grantStepUp(
      tx,
      { id: caller.sessionId, tokenHash: toTokenHash(proved.sessionToken) },
      {
        tokenHash: toTokenHash(sessionToken),
        stepUpHash: toTokenHash(stepUpToken),
        credentialVersion,
        byRecovery: factor === 'recovery',
      },
    )
    // While the proof was checked, the session was ended or another tab did a step-up.
    if (granted === null) throw new ServiceError('unauthenticated')
    await recordAudit(deps, tx, {
      ...byAccount(caller),
      action: 'step_up',
      ...(factor === null ? {} : { changes: { factor } }),
    })
    return granted
  })
  return { until, sessionToken, stepUpToken }
}

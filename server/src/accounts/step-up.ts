// In a step-up, a signed-in person proves a second factor, or the password if the account has none. The step-up is valid in
// this session for STEP_UP_MAX_SEC. A new password, or a change of second factors in another session, ends the step-up.
import type { SecondFactor } from '@pazar/contract'
import { newToken } from '../lib/id.ts'
import { ServiceError } from '../lib/service-error.ts'
import { lockAccount, requireCredentials } from './accounts-store.ts'
import { byAccount, recordAudit } from './audit.ts'
import type { AccountDeps } from './deps.ts'
import { requireCode } from './factor-codes.ts'
import { checkWithLockout, stepUpBucket } from './lockout.ts'
import { findFactors, hasSameFactors, toFactorList } from './second-factors-store.ts'
import type { Factors } from './second-factors-store.ts'
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
  const { sessionToken, proof } = input
  const before = await readCredentials(deps, caller)
  const factor =
    'code' in proof
      ? await requireCode(deps, caller.account, caller, proof.code)
      : await requirePassword(deps, caller, proof.password, before)
  return completeStepUp(deps, caller, { sessionToken, before, factor })
}

interface CredentialsBefore {
  passwordHash: string
  credentialVersion: number
  factors: Factors
}

/**
 * Called before the proof is checked, so that completeStepUp notices if the password or the second factors change during the
 * check.
 */
export async function readCredentials(
  deps: AccountDeps,
  { account }: SessionCaller,
): Promise<CredentialsBefore> {
  return {
    ...(await requireCredentials(deps.db, account.id)),
    factors: await findFactors(deps.db, account.id),
  }
}

async function requirePassword(
  deps: AccountDeps,
  { account }: SessionCaller,
  password: string,
  { passwordHash, factors }: CredentialsBefore,
): Promise<null> {
  // With a second factor, the password is not enough.
  if (toFactorList(factors).length > 0) throw new ServiceError('step_up_required')
  const isRight = await checkWithLockout(deps.db, stepUpBucket(account.id), () =>
    deps.passwords.verify(password, passwordHash),
  )
  if (!isRight) throw new ServiceError('invalid_credentials')
  return null
}

export async function completeStepUp(
  deps: AccountDeps,
  caller: SessionCaller,
  proved: { sessionToken: string; before: CredentialsBefore; factor: SecondFactor | null },
): Promise<SteppedUp> {
  const { before, factor } = proved
  const sessionToken = newToken()
  const stepUpToken = newToken()
  const until = await deps.db.transaction(async (tx) => {
    // The lock makes this step-up and a change of factors run one after the other. So the later one sees the changes of the
    // earlier one.
    await lockAccount(tx, caller.account.id)
    if (!hasSameFactors(await findFactors(tx, caller.account.id), before.factors))
      throw new ServiceError('step_up_required')
    const granted = await grantStepUp(
      tx,
      { id: caller.sessionId, tokenHash: toTokenHash(proved.sessionToken) },
      {
        tokenHash: toTokenHash(sessionToken),
        stepUpHash: toTokenHash(stepUpToken),
        credentialVersion: before.credentialVersion,
        byRecovery: factor === 'recovery',
      },
    )
    // Meanwhile the session ended, or another tab did a step-up.
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

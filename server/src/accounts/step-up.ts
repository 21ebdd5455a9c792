// In a step-up, a signed-in person proves again who they are: with a second factor if the account has one, else with the
// password. A step-up is valid for STEP_UP_MAX_SEC, in this session, and only until the password changes or another session
// changes the second factors. The session also gets a new token.
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

/** Read before the check of a proof: if the password or the second factors change meanwhile, the step-up is invalid. */
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
  // With a second factor, the password alone is not enough, so it is not checked either.
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
    // A change of factors ends the step-ups that it finds. Because of the lock, either it finds this step-up, or this
    // step-up finds the change.
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

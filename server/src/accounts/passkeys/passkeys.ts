// Passkeys of an account, for sign-in and step-up.
import { PASSKEYS_PER_ACCOUNT_MAX } from '@pazar/contract'
import type { PasskeyAssertion, PasskeyAttestation } from '@pazar/contract'
import { newUuidV7 } from '../../lib/id.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { lockAccount } from '../accounts-store.ts'
import { byAccount, recordAudit } from '../audit.ts'
import type { AccountDeps } from '../deps.ts'
import { recordFactorChange } from '../factors/record-change.ts'
import { deleteBuckets } from '../lockout-store.ts'
import { queueMail } from '../mail/queue-mail.ts'
import {
  deletePasskey,
  findCredentials,
  findOwnedPasskey,
  findPasskeys,
  insertPasskey,
  markPasswordGiven,
  setPasskeyName,
} from '../passkeys-store.ts'
import type { Passkey } from '../passkeys-store.ts'
import { findPendingSignIn, usePendingSignIn } from '../pending-sign-ins-store.ts'
import { findFactors, replaceRecoveryCodes, toFactorList } from '../second-factors-store.ts'
import type { Browser, SessionCaller, SignedIn } from '../sessions.ts'
import { finishSignIn } from '../sign-in.ts'
import { completeStepUp, readCredentials } from '../step-up.ts'
import type { SteppedUp } from '../step-up.ts'
import { toTokenHash } from '../token-hash.ts'
import { checkAttestation, requireAssertion } from './passkey-checks.ts'

export interface AddedPasskey {
  passkey: Passkey
  /** The recovery codes that were created with the passkey. Null: the account still has unused codes. */
  recoveryCodes: string[] | null
}

export async function addPasskey(
  deps: AccountDeps,
  caller: SessionCaller,
  { name, response }: { name: string; response: PasskeyAttestation },
): Promise<AddedPasskey> {
  const { account } = caller
  const credential = await checkAttestation(deps, account, response)
  return deps.db.transaction(async (tx) => {
    await lockAccount(tx, account.id)
    if ((await findPasskeys(tx, account.id)).length >= PASSKEYS_PER_ACCOUNT_MAX)
      throw invalidField('name', 'too_many_passkeys')
    const hadCodes = (await findFactors(tx, account.id)).recoveryCodesLeft > 0
    const passkey = await insertPasskey(tx, account.id, {
      id: newUuidV7(deps.clock),
      name,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
    })
    if (!passkey) throw invalidField('response', 'passkey_refused')
    await recordFactorChange(deps, tx, caller, { change: 'passkey_added', name })
    if (hadCodes) return { passkey, recoveryCodes: null }
    // Without codes, a lost passkey would lock its owner out.
    const { codes, sealedHashes } = deps.factorSecrets.newCodes(account.id)
    await replaceRecoveryCodes(tx, account.id, sealedHashes)
    return { passkey, recoveryCodes: codes }
  })
}

/** The change is mailed, because a false name could hide a stranger's passkey. */
export async function renamePasskey(
  deps: AccountDeps,
  caller: SessionCaller,
  passkey: { id: string; name: string },
): Promise<void> {
  const { account } = caller
  const { name } = passkey
  await deps.db.transaction(async (tx) => {
    const former = await setPasskeyName(tx, account.id, passkey)
    if (former === null) throw new ServiceError('not_found')
    if (former === name) return
    const change = 'passkey_renamed' as const
    await queueMail(deps, tx, account, { kind: 'factor_changed', client: caller, change, name, former })
    await recordAudit(deps, tx, {
      ...byAccount(caller),
      action: change,
      changes: { name: { from: former, to: name } },
    })
  })
}

export async function removePasskey(deps: AccountDeps, caller: SessionCaller, id: string): Promise<void> {
  const { account } = caller
  await deps.db.transaction(async (tx) => {
    await lockAccount(tx, account.id)
    const name = await deletePasskey(tx, account.id, id)
    if (name === null) throw new ServiceError('not_found')
    // Recovery codes are useless without a second factor.
    const isLast = toFactorList(await findFactors(tx, account.id)).length === 0
    if (isLast) await replaceRecoveryCodes(tx, account.id, [])
    await recordFactorChange(deps, tx, caller, { change: 'passkey_removed', name, isLast })
  })
}

export async function signInWithPasskey(
  deps: AccountDeps,
  browser: Browser,
  { response, pendingToken }: { response: PasskeyAssertion; pendingToken: string | null },
): Promise<SignedIn> {
  const deviceHash = browser.deviceToken === null ? null : toTokenHash(browser.deviceToken)
  const owned = await findOwnedPasskey(deps.db, Buffer.from(response.id, 'base64url'), deviceHash)
  if (!owned) throw new ServiceError('invalid_credentials')
  const { account, passkey, deviceKnown } = owned
  await requireAssertion(deps, { passkey, account, client: browser.client }, { response, purpose: 'sign_in' })
  const tokenHash = pendingToken === null ? null : toTokenHash(pendingToken)
  const pending = tokenHash && (await findPendingSignIn(deps.db, tokenHash))
  const isSecondStep = pending ? pending.account.id === account.id : false
  if (owned.needsPassword && !isSecondStep)
    throw new ServiceError('invalid_credentials', { fields: [{ path: 'response', code: 'password_first' }] })
  return deps.db.transaction(async (tx) => {
    if (isSecondStep && tokenHash && pending) {
      if (!(await usePendingSignIn(tx, tokenHash))) throw new ServiceError('unauthenticated')
      await deleteBuckets(tx, [pending.bucket])
      await markPasswordGiven(tx, account.id, passkey.id)
    }
    return finishSignIn(deps, tx, { account, deviceKnown, factor: 'passkey' }, browser)
  })
}

export async function stepUpWithPasskey(
  deps: AccountDeps,
  caller: SessionCaller,
  { response, sessionToken }: { response: PasskeyAssertion; sessionToken: string },
): Promise<SteppedUp> {
  const { account } = caller
  const before = await readCredentials(deps, caller)
  const passkey = (await findCredentials(deps.db, account.id)).find(
    ({ credentialId }) => credentialId.toString('base64url') === response.id,
  )
  if (!passkey) throw new ServiceError('invalid_credentials')
  await requireAssertion(deps, { passkey, account, client: caller }, { response, purpose: 'step_up' })
  return completeStepUp(deps, caller, { sessionToken, before, factor: 'passkey' })
}

// Adds, replaces and removes the authenticator app and the recovery codes of an account. The routes require a step-up.
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import type { Tx } from '../../db/pool.ts'
import { lockAccount } from '../accounts-store.ts'
import type { AccountDeps } from '../deps.ts'
import { toPlainCode } from '../recovery-code.ts'
import {
  confirmTotp,
  deleteTotp,
  findFactors,
  findTotp,
  offerTotp,
  replaceRecoveryCodes,
  toFactorList,
} from '../second-factors-store.ts'
import type { SessionCaller } from '../sessions.ts'
import { newTotpSecret, toBase32, toTotpUri } from '../totp.ts'
import { recordFactorChange } from './record-change.ts'

async function newCodes(deps: AccountDeps, tx: Tx, { account }: SessionCaller): Promise<string[]> {
  const { codes, sealedHashes } = deps.factorSecrets.newCodes(account.id)
  await replaceRecoveryCodes(tx, account.id, sealedHashes)
  return codes
}

/** An app that is already in use stays in use until the new one is confirmed. */
export async function offerTotpSecret(
  deps: AccountDeps,
  { account }: SessionCaller,
): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret()
  await deps.db.transaction((tx) =>
    offerTotp(tx, account.id, deps.factorSecrets.sealTotp(account.id, secret)),
  )
  const shown = toBase32(secret)
  return {
    secret: shown,
    uri: toTotpUri(shown, { issuer: deps.config.operatorName, email: account.email }),
  }
}

/** Wrong codes are not counted, because the caller was shown the secret and so gains nothing by guessing. */
export async function confirmTotpSecret(
  deps: AccountDeps,
  caller: SessionCaller,
  typed: string,
): Promise<{ recoveryCodes: string[] }> {
  const { id } = caller.account
  const { sealedNewSecret: sealed } = await findTotp(deps.db, id)
  if (sealed === null) throw new ServiceError('not_found')
  const step = deps.factorSecrets.findStep(id, sealed, toPlainCode(typed), deps.clock.nowMs())
  if (step === null) throw invalidField('code', 'wrong_code')
  return deps.db.transaction(async (tx) => {
    await lockAccount(tx, id)
    if (!(await confirmTotp(tx, id, { sealed, step }))) throw new ServiceError('not_found')
    await recordFactorChange(deps, tx, caller, { change: 'totp_added' })
    return { recoveryCodes: await newCodes(deps, tx, caller) }
  })
}

export async function removeTotp(deps: AccountDeps, caller: SessionCaller): Promise<void> {
  const { id } = caller.account
  await deps.db.transaction(async (tx) => {
    await lockAccount(tx, id)
    if (!(await deleteTotp(tx, id))) throw new ServiceError('not_found')
    // Recovery codes are useless without a second factor.
    const isLast = toFactorList(await findFactors(tx, id)).length === 0
    if (isLast) await replaceRecoveryCodes(tx, id, [])
    await recordFactorChange(deps, tx, caller, { change: 'totp_removed', isLast })
  })
}

export async function renewRecoveryCodes(
  deps: AccountDeps,
  caller: SessionCaller,
): Promise<{ recoveryCodes: string[] }> {
  const { id } = caller.account
  return deps.db.transaction(async (tx) => {
    await lockAccount(tx, id)
    if (toFactorList(await findFactors(tx, id)).length === 0) throw new ServiceError('not_found')
    await recordFactorChange(deps, tx, caller, { change: 'recovery_codes_made' })
    return { recoveryCodes: await newCodes(deps, tx, caller) }
  })
}

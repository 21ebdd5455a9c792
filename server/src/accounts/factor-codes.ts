// Checks a code of the authenticator app or a recovery code. Attempts are counted per account, before the check.
import { CODES_WRONG_PER_DAY_MAX } from '@pazar/contract'
import { ServiceError } from '../lib/service-error.ts'
import type { Account } from './account.ts'
import { byAccount, recordAudit } from './audit.ts'
import type { ClientFacts } from './client.ts'
import type { AccountDeps } from './deps.ts'
import { checkWithLockout, codeBucket, codeDayBucket } from './lockout.ts'
import { releaseSlot, reserveSlot } from './lockout-store.ts'
import { queueMail } from './mail/queue-mail.ts'
import { toPlainCode } from './recovery-code.ts'
import {
  findFactors,
  findTotp,
  findUnusedCodes,
  useRecoveryCode,
  useTotpStep,
} from './second-factors-store.ts'

const DAY = { max: CODES_WRONG_PER_DAY_MAX, windowMin: 24 * 60 }

export type UsedCode = 'totp' | 'recovery'

export async function requireCode(
  deps: AccountDeps,
  account: Account,
  client: ClientFacts,
  typed: string,
): Promise<UsedCode> {
  const result: { used: UsedCode | null } = { used: null }
  await checkWithLockout(deps.db, codeBucket(account.id), async () => {
    const day = await reserveSlot(deps.db, codeDayBucket(account.id), DAY)
    if (day.slot === null) throw new ServiceError('locked_out', { retryAfterSec: day.retryAfterSec })
    deps.factorSecrets.countEvaluation()
    const code = toPlainCode(typed)
    let isWrong = false
    try {
      result.used = /^\d{6}$/.test(code)
        ? await useAppCode(deps, account, code)
        : await useRecovery(deps, account, client, code)
      isWrong = result.used === null
    } finally {
      // Only wrong codes count towards the daily limit.
      if (!isWrong) await releaseSlot(deps.db, codeDayBucket(account.id), day.slot)
    }
    return !isWrong
  })
  if (result.used === null) throw new ServiceError('invalid_credentials')
  return result.used
}

async function useAppCode(deps: AccountDeps, { id }: Account, code: string): Promise<'totp' | null> {
  const { sealedSecret } = await findTotp(deps.db, id)
  const step = sealedSecret && deps.factorSecrets.findStep(id, sealedSecret, code, deps.clock.nowMs())
  return step !== null && (await useTotpStep(deps.db, id, step)) ? 'totp' : null
}

async function useRecovery(
  deps: AccountDeps,
  account: Account,
  client: ClientFacts,
  code: string,
): Promise<'recovery' | null> {
  const unused = await findUnusedCodes(deps.db, account.id)
  const found = unused.find((one) => deps.factorSecrets.isCode(account.id, one.sealedHash, code))
  if (!found) return null
  return deps.db.transaction(async (tx) => {
    if (!(await useRecoveryCode(tx, account.id, found))) return null
    const { recoveryCodesLeft: left } = await findFactors(tx, account.id)
    await queueMail(deps, tx, account, { kind: 'factor_changed', client, change: 'recovery_code_used', left })
    await recordAudit(deps, tx, {
      ...byAccount({ account, ...client }),
      action: 'recovery_code_used',
      changes: { left },
    })
    return 'recovery'
  })
}

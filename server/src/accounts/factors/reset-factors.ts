// Helps a person who has lost every second factor: an operator requests the removal of all factors. The removal takes effect
// a day later, unless it is cancelled.
import type { Account, AccountId } from '../account.ts'
import { findAccountByEmail, findRecipient, lockAccount } from '../accounts-store.ts'
import { byAccount, recordAudit } from '../audit.ts'
import type { AccountDeps } from '../deps.ts'
import { toEmailKey } from '../email-address.ts'
import {
  deleteAllFactors,
  deleteFactorReset,
  findDueFactorResets,
  insertFactorReset,
  useDueFactorReset,
} from '../factor-resets-store.ts'
import { queueFactorResetMail } from '../mail/queue-mail.ts'
import { findFactors, toFactorList } from '../second-factors-store.ts'
import { deleteSessions } from '../sessions-store.ts'
import type { SessionCaller } from '../sessions.ts'

const byOperator = ({ id }: Pick<Account, 'id'>) =>
  ({ accountId: id, actor: 'operator', client: null }) as const

export type ResetRequest = { dueAt: Date } | 'no account' | 'no second factor' | 'already requested'

export async function requestFactorReset(deps: AccountDeps, email: string): Promise<ResetRequest> {
  return deps.db.transaction(async (tx) => {
    const account = await findAccountByEmail(tx, toEmailKey(email))
    if (!account) return 'no account'
    if (toFactorList(await findFactors(tx, account.id)).length === 0) return 'no second factor'
    const dueAt = await insertFactorReset(tx, account.id)
    if (!dueAt) return 'already requested'
    await queueFactorResetMail(deps, tx, account, { stage: 'requested', dueAt })
    await recordAudit(deps, tx, { ...byOperator(account), action: 'factor_reset_requested' })
    return { dueAt }
  })
}

/** False when there is no such account or no requested removal. */
export async function cancelFactorReset(deps: AccountDeps, email: string): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const account = await findAccountByEmail(tx, toEmailKey(email))
    if (!account || !(await deleteFactorReset(tx, account.id))) return false
    await recordAudit(deps, tx, { ...byOperator(account), action: 'factor_reset_cancelled' })
    return true
  })
}

/** The person's step-up proves that they still have a second factor. */
export async function cancelOwnFactorReset(deps: AccountDeps, caller: SessionCaller): Promise<void> {
  await deps.db.transaction(async (tx) => {
    // A sign-in or another tab may have cancelled the removal already.
    if (!(await deleteFactorReset(tx, caller.account.id))) return
    await recordAudit(deps, tx, { ...byAccount(caller), action: 'factor_reset_cancelled' })
  })
}

async function applyFactorReset(deps: AccountDeps, id: AccountId): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    await lockAccount(tx, id)
    if (!(await useDueFactorReset(tx, id))) return false
    await deleteAllFactors(tx, id)
    await deleteSessions(tx, id, { except: null })
    const recipient = await findRecipient(tx, id)
    if (recipient) await queueFactorResetMail(deps, tx, recipient, { stage: 'done', dueAt: null })
    await recordAudit(deps, tx, { ...byOperator({ id }), action: 'factor_reset' })
    return true
  })
}

export async function applyFactorResets(deps: AccountDeps): Promise<number> {
  let applied = 0
  const errors: unknown[] = []
  for (const id of await findDueFactorResets(deps.db)) {
    try {
      if (await applyFactorReset(deps, id)) applied += 1
    } catch (error) {
      // A removal can fail, for example if its account was just closed. The other removals continue, and the next run
      // retries the failed one.
      deps.log.error({ err: error, accountId: id }, 'the second factors of an account could not be removed')
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'second factors could not be removed')
  return applied
}

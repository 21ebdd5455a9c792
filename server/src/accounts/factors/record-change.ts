// Called when a second factor is added, renewed or removed. Ends the step-ups of other sessions, queues a mail and records
// an audit entry.
import type { Tx } from '../../db/pool.ts'
import { byAccount, recordAudit } from '../audit.ts'
import type { AccountDeps } from '../deps.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { endStepUps } from '../sessions-store.ts'
import type { SessionCaller } from '../sessions.ts'

/** `isLast`: the account has no second factor left. */
type FactorChange =
  | { change: 'totp_added' | 'recovery_codes_made' }
  | { change: 'totp_removed'; isLast: boolean }
  | { change: 'passkey_added'; name: string }
  | { change: 'passkey_removed'; name: string; isLast: boolean }

export async function recordFactorChange(
  deps: AccountDeps,
  tx: Tx,
  caller: SessionCaller,
  change: FactorChange,
): Promise<void> {
  // The step-ups of other sessions were made with the earlier factors.
  await endStepUps(tx, caller.account.id, { except: caller.sessionId })
  await queueMail(deps, tx, caller.account, { kind: 'factor_changed', client: caller, ...change })
  await recordAudit(deps, tx, {
    ...byAccount(caller),
    action: change.change,
    ...('name' in change ? { changes: { name: change.name } } : {}),
  })
}

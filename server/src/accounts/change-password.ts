// A new password, chosen by an owner who has just stepped up. Whatever was granted under the old one ends, except the
// session that asks.
import { ServiceError } from '../lib/service-error.ts'
import { changePasswordHash } from './accounts-store.ts'
import { byOwner, recordAudit } from './audit.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import type { AccountDeps } from './deps.ts'
import { voidMailLinks } from './mail-links-store.ts'
import { queueMail } from './mail/queue-mail.ts'
import { deleteSessions, endStepUps } from './sessions-store.ts'
import type { SessionCaller } from './sessions.ts'

export async function changePassword(
  deps: AccountDeps,
  caller: SessionCaller,
  password: string,
): Promise<void> {
  const { id, email, credentialVersion } = caller.account
  refuseCommonPassword(password, email)
  const passwordHash = await deps.passwords.hash(password)
  await deps.db.transaction(async (tx) => {
    const changed = await changePasswordHash(tx, id, { passwordHash, fromVersion: credentialVersion })
    // Changed elsewhere while this one was being hashed: the step-up of this request is void.
    if (!changed) throw new ServiceError('step_up_required')
    await deleteSessions(tx, id, { except: caller.sessionId })
    await endStepUps(tx, id)
    // Links that somebody with the old password may have asked for.
    await voidMailLinks(tx, id, ['reset_password', 'change_email'])
    await queueMail(deps, tx, caller.account, { kind: 'password_changed', client: caller })
    await recordAudit(deps, tx, { ...byOwner(caller), action: 'password_changed' })
  })
}

// A password change ends all other sessions. API tokens are revoked only on request, because programs that
// use them would stop.
import { ServiceError } from '../lib/service-error.ts'
import { changePasswordHash } from './accounts-store.ts'
import { revokeApiTokens } from './api-tokens-store.ts'
import { byAccount, recordAudit } from './audit.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import type { AccountDeps } from './deps.ts'
import { deleteDevices } from './devices-store.ts'
import { rememberDevice } from './devices.ts'
import { voidMailLinks } from './mail-links-store.ts'
import { queueMail } from './mail/queue-mail.ts'
import { deleteSessions, endStepUps } from './sessions-store.ts'
import type { SessionCaller } from './sessions.ts'

export async function changePassword(
  deps: AccountDeps,
  caller: SessionCaller,
  { password, revokeTokens }: { password: string; revokeTokens: boolean },
): Promise<{ deviceToken: string }> {
  const { id, email, credentialVersion } = caller.account
  refuseCommonPassword(password, email)
  const passwordHash = await deps.passwords.hash(password)
  return deps.db.transaction(async (tx) => {
    const changed = await changePasswordHash(tx, id, { passwordHash, fromVersion: credentialVersion })
    // Another request has changed the password or deleted the account in the meantime.
    if (!changed) throw new ServiceError('step_up_required')
    await deleteSessions(tx, id, { except: caller.sessionId })
    await endStepUps(tx, id, { except: null })
    // Somebody who knew the old password may have requested links, and signed in from another browser.
    await voidMailLinks(tx, id, ['reset_password', 'change_email'])
    await deleteDevices(tx, id)
    const tokensRevoked = revokeTokens ? await revokeApiTokens(tx, id) : 0
    await queueMail(deps, tx, caller.account, { kind: 'password_changed', client: caller })
    await recordAudit(deps, tx, {
      ...byAccount(caller),
      action: 'password_changed',
      changes: { tokensRevoked },
    })
    return { deviceToken: await rememberDevice(tx, id, null) }
  })
}

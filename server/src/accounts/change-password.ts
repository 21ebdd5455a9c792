// Changes the password after a step-up. All other sessions end, and so do all step-ups, known browsers and mailed links to
// reset the password or change the address. The current browser gets a new device token. API tokens are revoked only
// on request, because programs that use them would stop.
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
    // Another request changed the password while this request hashed its own, so this request's step-up is invalid.
    if (!changed) throw new ServiceError('step_up_required')
    await deleteSessions(tx, id, { except: caller.sessionId })
    await endStepUps(tx, id, { except: null })
    // Somebody who knew the old password may have requested links.
    await voidMailLinks(tx, id, ['reset_password', 'change_email'])
    // Somebody who knew the old password may have a known browser, in which they could try more passwords than in others.
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

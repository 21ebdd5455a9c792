// After a recovery code was used, secrets and refunds wait (RECOVERY_WAIT_HOURS in contract/src/limits.ts).
import type { FastifyContextConfig } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'
import type { Caller } from './sessions.ts'

/**
 * Routes that wait after a recovery (secrets, money, people, deletion) are refused while `isRecovering`: somebody may have
 * found the paper with the recovery codes, and the account's owner needs time to notice the mail. The others refuse only a
 * step-up that was made with a recovery code, unless the route says that the code is enough.
 */
export function refuseAfterRecovery(
  { stepUpByRecovery = false, isRecovering = false }: Caller,
  stepUp: FastifyContextConfig['stepUp'],
): void {
  if (stepUp === 'recovery code is enough') return
  const refuse = (code: 'recovery_wait' | 'recovery_only') => {
    const field = { path: 'stepUp', code }
    return new ServiceError('step_up_required', { fields: [field], detail: field })
  }
  if (stepUp === 'waits after recovery' && isRecovering) throw refuse('recovery_wait')
  if (stepUpByRecovery) throw refuse('recovery_only')
}

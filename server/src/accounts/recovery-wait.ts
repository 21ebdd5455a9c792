// For RECOVERY_WAIT_HOURS after a recovery code was used, or an operator removed the second factors, a session may not
// see live secrets, refund, or do other sensitive actions.
import type { FastifyContextConfig } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'
import type { Caller } from './sessions.ts'

/**
 * Somebody may have found the recovery codes, and the owner needs time to notice the mail about their use. In this time,
 * a route with `waits after recovery` in its config refuses every request of the session. A route without `stepUp` in its
 * config refuses only a step-up that was made with a recovery code.
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

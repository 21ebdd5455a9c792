// A person resends one callback, or everything that failed since a time.
import { mode as modes } from '@pazar/contract'
import type { CallbackView, Mode } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import { toInstant } from '../lib/clock.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import { requireProject } from '../projects/access.ts'
import { toCallbackView } from './delivery.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { requireDelivery } from './log.ts'
import {
  allowProbe,
  isOvertaken,
  lockCallback,
  startNewRound,
  startNewRounds,
} from '../callbacks/resend-store.ts'

export async function resendCallback(
  deps: CallbackDeps,
  ownerId: AccountId,
  input: { projectId: string; callbackId: string; again: boolean },
): Promise<CallbackView> {
  const project = await requireProject(deps.db, ownerId, input.projectId, 'operate')
  const { delivery } = await deps.db.transaction(async (tx) => {
    const known = await lockCallback(tx, project.id, input.callbackId)
    if (!known) throw new ServiceError('not_found')
    // Without its texts it would differ from the callback that was promised under the same id.
    if (known.isErased) throw invalidField('callbackId', 'erased')
    if (known.status === 'delivered' && !input.again) throw new ServiceError('already_delivered')
    // Another payment has paid this order meanwhile; a late "fail" must not undo that, even one that arrived before.
    if (known.status === 'cancelled' || (await isOvertaken(tx, project.id, input.callbackId))) {
      const field = { path: 'callbackId', code: 'overtaken' }
      throw new ServiceError('custom_id_conflict', { fields: [field], detail: field })
    }
    // If an attempt is in flight, the new round starts when that attempt is refused.
    await startNewRound(tx, project.id, input.callbackId)
    await allowProbe(tx, project.id, known.mode)
    return requireDelivery(tx, project.id, input.callbackId)
  })
  deps.wakeDelivery()
  return toCallbackView(delivery, deps.installation)
}

export async function resendFailed(
  deps: CallbackDeps,
  ownerId: AccountId,
  input: { projectId: string; since: string; mode?: Mode | undefined },
): Promise<number> {
  const project = await requireProject(deps.db, ownerId, input.projectId, 'operate')
  let count = 0
  for (const mode of input.mode === undefined ? modes.options : [input.mode]) {
    count += await startNewRounds(deps.db, project.id, mode, toInstant(input.since))
    await allowProbe(deps.db, project.id, mode)
  }
  deps.wakeDelivery()
  return count
}

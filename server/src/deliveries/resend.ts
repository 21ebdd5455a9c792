// A person resends one callback, or all failed callbacks that were created since a given time.
import { mode as modes } from '@pazar/contract'
import type { CallbackView, Mode } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import { toInstant } from '../lib/clock.ts'
import { invalidField, ServiceError } from '../lib/service-error.ts'
import { requireProject, requireProjectUntilCommit } from '../projects/access.ts'
import { toCallbackView } from './delivery.ts'
import type { CallbackDeps } from '../callbacks/deps.ts'
import { requireDelivery } from './log.ts'
import {
  allowProbe,
  isSuperseded,
  lockCallback,
  startNewRound,
  startNewRounds,
} from '../callbacks/resend-store.ts'

export async function resendCallback(
  deps: CallbackDeps,
  accountId: AccountId,
  input: { projectId: string; callbackId: string; again: boolean },
): Promise<CallbackView> {
  const project = await requireProject(deps.db, accountId, input.projectId, 'operate')
  const { delivery } = await deps.db.transaction(async (tx) => {
    await requireProjectUntilCommit(tx, accountId, project.id, 'operate')
    const callback = await lockCallback(tx, project.id, input.callbackId)
    if (!callback) throw new ServiceError('not_found')
    // Without the erased data, the callback would differ from the one that was sent before under the same id.
    if (callback.isErased) throw invalidField('callbackId', 'erased')
    if (callback.status === 'delivered' && !input.again) throw new ServiceError('already_delivered')
    // Another payment has paid this order, or a later result replaced this one. The merchant must not get the old result
    // again.
    if (callback.status === 'cancelled' || (await isSuperseded(tx, project.id, input.callbackId))) {
      const field = { path: 'callbackId', code: 'overtaken' }
      throw new ServiceError('custom_id_conflict', { fields: [field], detail: field })
    }
    await startNewRound(tx, project.id, input.callbackId)
    await allowProbe(tx, project.id, callback.mode)
    return requireDelivery(tx, project.id, input.callbackId)
  })
  deps.wakeDelivery({ projectId: project.id, mode: delivery.mode })
  return toCallbackView(delivery, deps.installation)
}

export async function resendFailed(
  deps: CallbackDeps,
  accountId: AccountId,
  input: { projectId: string; since: string; mode?: Mode | undefined },
): Promise<number> {
  const project = await requireProject(deps.db, accountId, input.projectId, 'operate')
  let count = 0
  for (const mode of input.mode === undefined ? modes.options : [input.mode]) {
    for (let isLast = false; !isLast;) {
      // Each batch checks access again, so that a person who loses access meanwhile cannot resend more.
      const batch = await deps.db.transaction(async (tx) => {
        await requireProjectUntilCommit(tx, accountId, project.id, 'operate')
        const started = await startNewRounds(tx, project.id, mode, toInstant(input.since))
        if (started.isLast) await allowProbe(tx, project.id, mode)
        return started
      })
      count += batch.count
      isLast = batch.isLast
    }
  }
  deps.wakeDelivery()
  return count
}

// Deletes a project that has no live payments, with all its test data, in batches that are committed one by one.
// After an interruption the project stays archived, and deleting it again continues the deletion.
import type { AccountId } from '../../accounts/account.ts'
import { byAccount, recordAudit } from '../../accounts/audit.ts'
import { queueMail } from '../../accounts/mail/queue-mail.ts'
import type { Caller } from '../../accounts/sessions.ts'
import { deleteCharges } from '../../backends/sandbox-store.ts'
import {
  deleteCallbacksOf,
  deleteCallbacksOfProject,
  hasQueuedCallbacks,
} from '../../callbacks/closing-store.ts'
import type { Queryable, Tx } from '../../db/pool.ts'
import { deleteWaitingEvents } from '../../feed/inbox-store.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { deleteProjectRow, lockProjectKey, setArchived } from '../../projects/projects-store.ts'
import { requireProject, requireProjectForChange } from '../../projects/access.ts'
import { mailFormerMembers } from '../../projects/members/mail-former-members.ts'
import { listMembers } from '../../projects/members-store.ts'
import type { PaymentDeps } from '../deps.ts'
import { deleteTestPayments, hasLivePayments, hasOpenPayments, listTestPayments } from './closing-store.ts'

/** Batches are small, so that no lock is held for long. */
const BATCH = 500
/** Deleting 50,000 payments takes less time than a browser waits. If there are more, the owner has to delete again. */
const BATCHES_MAX = 100

export async function refuseIfUnfinished(
  db: Queryable,
  path: 'account' | 'project',
  projectIds: readonly string[],
): Promise<void> {
  if (await hasOpenPayments(db, projectIds)) throw invalidField(path, 'payments_open')
  if (await hasQueuedCallbacks(db, projectIds)) throw invalidField(path, 'callbacks_queued')
}

/** The last batch also deletes the project. False: there is more to delete. */
async function deleteBatch(tx: Tx, projectId: string): Promise<boolean> {
  const ids = await listTestPayments(tx, projectId, BATCH)
  await deleteCallbacksOf(tx, ids)
  await deleteCharges(tx, ids)
  await deleteTestPayments(tx, ids)
  if (ids.length === BATCH) return false
  // Test callbacks belong to no payment, so they are deleted separately.
  if ((await deleteCallbacksOfProject(tx, projectId, BATCH)) === BATCH) return false
  await deleteWaitingEvents(tx, projectId)
  await deleteProjectRow(tx, projectId)
  return true
}

/** `onDeleted` runs in the transaction that deletes the project itself. */
export async function deleteUnused(
  deps: PaymentDeps,
  ownerId: AccountId,
  projectId: string,
  onDeleted: (tx: Tx, name: string) => Promise<void>,
): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const isDone = await deps.db.transaction(async (tx) => {
      // Prevents new payments until this batch is committed.
      await lockProjectKey(tx, projectId)
      // The role is checked again, because a transfer may have taken effect since the caller read the project.
      const project = await requireProjectForChange(tx, ownerId, projectId, 'ownership')
      if (await hasLivePayments(tx, projectId)) throw invalidField('project', 'has_live_payments')
      await refuseIfUnfinished(tx, 'project', [projectId])
      if (!project.archivedAt) await setArchived(tx, projectId)
      const members = await listMembers(tx, projectId)
      if (!(await deleteBatch(tx, projectId))) return false
      await mailFormerMembers(deps, tx, project, members)
      await onDeleted(tx, project.name)
      return true
    })
    if (isDone) return
  }
  throw new ServiceError('unavailable', {
    retryAfterSec: 1,
    log: 'the project has more test payments to delete',
  })
}

export async function deleteProject(
  deps: PaymentDeps,
  caller: Caller,
  projectId: string,
  requireStepUp: () => void,
): Promise<void> {
  const { id } = await requireProject(deps.db, caller.account.id, projectId, 'ownership')
  requireStepUp()
  await deleteUnused(deps, caller.account.id, id, async (tx, name) => {
    await recordAudit(deps, tx, {
      ...byAccount(caller),
      projectId: id,
      action: 'project_deleted',
      changes: { name },
    })
    await queueMail(deps, tx, caller.account, { kind: 'project_deleted', client: caller, project: name })
  })
}

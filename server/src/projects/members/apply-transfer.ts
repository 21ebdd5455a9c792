// Applies the transfers of ownership that are due: the owner changes, a day after the acceptance. Ends expired offers.
import { DEFAULT_MAILS } from '@pazar/contract'
import type { Account, AccountId } from '../../accounts/account.ts'
import { lockAccounts } from '../../accounts/accounts-store.ts'
import { revokeTokensForTransfer } from '../../accounts/api-tokens-store.ts'
import { recordAudit } from '../../accounts/audit.ts'
import type { Tx } from '../../db/pool.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { discardNextSecret } from '../../secrets/next-secret.ts'
import { rotateSecret } from '../../secrets/secrets.ts'
import type { ProjectDeps } from '../deps.ts'
import { deleteMembershipOfNewOwner, putMember } from '../members-store.ts'
import type { Project } from '../project.ts'
import { findProject, lockProject, transferToFreeSlot } from '../projects-store.ts'
import { findEndingTransfers, takeEndingTransfer } from '../transfers-store.ts'
import type { Transfer } from '../transfers-store.ts'
import { mailTransfer } from './transfer-mails.ts'

/** Returns why this account cannot become the owner. Called at the acceptance, and when the transfer takes effect. */
export function findObstacle({ config }: ProjectDeps, account: Account): ServiceError | null {
  if (config.signUp === 'closed' && account.cameByInvitation) return new ServiceError('sign_up_closed')
  if (account.emailConfirmedAt === null) return invalidField('email', 'email_unconfirmed')
  // Live payments need a verified owner, and must not stop because of the transfer.
  if (config.requireKyc && account.kyc !== 'verified') return new ServiceError('kyc_required')
  return null
}

/** Ends expired offers, and applies or ends transfers that are due. Returns how many projects have a new owner. */
export async function applyTransfers(deps: ProjectDeps): Promise<number> {
  let applied = 0
  const errors: unknown[] = []
  for (const transfer of await findEndingTransfers(deps.db)) {
    try {
      if (await applyTransfer(deps, transfer)) applied += 1
    } catch (error) {
      // The other transfers continue, and the next run retries this one.
      deps.log.error(
        { err: error, projectId: transfer.projectId },
        'a transfer of a project failed, and is tried again',
      )
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'transfers of projects failed')
  return applied
}

async function applyTransfer(deps: ProjectDeps, { projectId, fromId, toId }: Transfer): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const people = await lockAccounts(tx, toId === null ? [fromId] : [fromId, toId])
    await lockProject(tx, projectId)
    const transfer = await takeEndingTransfer(tx, projectId)
    const project = await findProject(tx, fromId, projectId)
    if (!transfer || project?.role !== 'owner') return false
    const recipient = people.find(({ id }) => id === transfer.toId)
    return endOrApply(deps, tx, { project, transfer, recipient })
  })
}

async function endOrApply(
  deps: ProjectDeps,
  tx: Tx,
  { project, transfer, recipient }: { project: Project; transfer: Transfer; recipient: Account | undefined },
): Promise<boolean> {
  const entry = { accountId: transfer.fromId, actor: 'owner', client: null, projectId: project.id } as const
  const isDone =
    transfer.dueAt !== null && !!recipient && (await changeOwner(deps, tx, { project, recipient }))
  const changes = { email: recipient?.email ?? transfer.toEmail }
  await recordAudit(deps, tx, {
    ...entry,
    action: isDone ? 'ownership_transferred' : 'transfer_ended',
    changes,
  })
  const failedStage = transfer.dueAt === null ? 'expired' : 'impossible'
  await mailTransfer(deps, tx, { project, transfer, caller: null, stage: isDone ? 'done' : failedStage })
  return isDone
}

/**
 * The former owner becomes an admin and knows the live secret. So the secret is rotated. All tokens of this project are
 * revoked, and also the former owner's tokens that are not limited to a project. Returns false if the recipient can no longer
 * own the project.
 */
async function changeOwner(
  deps: ProjectDeps,
  tx: Tx,
  { project, recipient }: { project: Project; recipient: Account },
): Promise<boolean> {
  const { id, ownerId } = project
  const formerId = ownerId as AccountId
  const isMember = (await findProject(tx, recipient.id, id)) !== null
  if (!isMember || findObstacle(deps, recipient)) return false
  if (!(await transferToFreeSlot(tx, recipient.id, id))) return false
  await deleteMembershipOfNewOwner(tx, id, recipient.id)
  await putMember(tx, id, { accountId: formerId, role: 'admin', mails: DEFAULT_MAILS.admin })
  await discardNextSecret(tx, id)
  await rotateSecret(deps, tx, id, 'live')
  await revokeTokensForTransfer(tx, id, formerId)
  return true
}

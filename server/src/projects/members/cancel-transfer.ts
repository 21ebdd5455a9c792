// Ends a transfer of ownership before it takes effect: when it is cancelled, when its recipient loses rights or the
// invitation, or when one side closes their account.
import type { Account, AccountId } from '../../accounts/account.ts'
import type { AuditActor } from '../../accounts/audit.ts'
import { byAccount, recordAudit } from '../../accounts/audit.ts'
import { toEmailKey } from '../../accounts/email-address.ts'
import { listInvitations } from '../../accounts/invitations-store.ts'
import type { Caller } from '../../accounts/sessions.ts'
import type { Tx } from '../../db/pool.ts'
import type { ProjectDeps } from '../deps.ts'
import type { Project } from '../project.ts'
import { findNameAndOwner } from '../projects-store.ts'
import { deleteTransfer, deleteTransfersOfClosed, findTransfer } from '../transfers-store.ts'
import type { Transfer } from '../transfers-store.ts'
import { mailTransfer } from './transfer-mails.ts'

export async function endTransfer(
  deps: ProjectDeps,
  tx: Tx,
  { project, transfer, caller }: { project: Project; transfer: Transfer; caller: Caller },
): Promise<void> {
  await deleteTransfer(tx, project.id)
  await recordAudit(deps, tx, {
    ...byAccount(caller),
    projectId: project.id,
    action: 'transfer_cancelled',
    changes: { email: transfer.toEmail },
  })
  await mailTransfer(deps, tx, { project, transfer, caller, stage: 'cancelled' })
}

/**
 * Ends the project's transfer in two cases: its recipient is `accountId`, the member who loses rights (null: no member
 * does), or it is offered to an address that is no longer invited. A later invitation would make such an offer valid again.
 */
export async function endTransferTo(
  deps: ProjectDeps,
  tx: Tx,
  { project, caller, accountId }: { project: Project; caller: Caller; accountId: AccountId | null },
): Promise<void> {
  const transfer = await findTransfer(tx, project.id)
  if (!transfer) return
  const { toId, toEmailKey: key } = transfer
  const isOver = toId === null ? !(await isInvited(tx, project.id, key)) : toId === accountId
  if (isOver) await endTransfer(deps, tx, { project, transfer, caller })
}

/** Ends the transfers from and to a closed account. Only the end of a transfer to this account is recorded and mailed. */
export async function endTransfersOfClosed(
  deps: Pick<ProjectDeps, 'clock'>,
  tx: Tx,
  account: Account,
  actor: AuditActor,
): Promise<void> {
  for (const transfer of await deleteTransfersOfClosed(tx, account.id, toEmailKey(account.email))) {
    const { projectId } = transfer
    const project = transfer.fromId === account.id ? null : await findNameAndOwner(tx, projectId)
    if (!project) continue
    const named = { id: projectId, name: project.name }
    await reportEndByClosed(deps, tx, { project: named, transfer, account, actor })
  }
}

/**
 * Ends an offer to an address that is no longer invited, because the inviter's account is being closed. A later invitation
 * would make the offer valid again.
 */
export async function endOfferOfClosedInviter(
  deps: Pick<ProjectDeps, 'clock'>,
  tx: Tx,
  closed: { project: Pick<Project, 'id' | 'name'>; account: Account; actor: AuditActor },
): Promise<void> {
  const { id } = closed.project
  const transfer = await findTransfer(tx, id)
  if (transfer?.toId !== null || (await isInvited(tx, id, transfer.toEmailKey))) return
  await deleteTransfer(tx, id)
  await reportEndByClosed(deps, tx, { ...closed, transfer })
}

async function reportEndByClosed(
  deps: Pick<ProjectDeps, 'clock'>,
  tx: Tx,
  {
    project,
    transfer,
    account,
    actor,
  }: { project: Pick<Project, 'id' | 'name'>; transfer: Transfer; account: Account; actor: AuditActor },
): Promise<void> {
  const entry = { accountId: account.id, actor, client: null, projectId: project.id } as const
  await recordAudit(deps, tx, { ...entry, action: 'transfer_cancelled' })
  await mailTransfer(deps, tx, { project, transfer, caller: null, stage: 'cancelled' })
}

async function isInvited(tx: Tx, projectId: string, emailKey: string): Promise<boolean> {
  const invited = await listInvitations(tx, projectId)
  return invited.some(({ email }) => toEmailKey(email) === emailKey)
}

// Transfer of ownership: the owner offers the project to a member, or to an invited person, who must join before
// accepting. A day after the acceptance, the owner changes. Until then, the owner and the recipient can cancel the
// transfer.
import { DEFAULT_MAILS, roleMay } from '@pazar/contract'
import type { TransferView } from '@pazar/contract'
import type { Account, AccountId } from '../../accounts/account.ts'
import { findRecipient, lockAccount, lockAccounts } from '../../accounts/accounts-store.ts'
import { revokeTokensForTransfer } from '../../accounts/api-tokens-store.ts'
import { byAccount, recordAudit } from '../../accounts/audit.ts'
import { parseEmail, toEmailKey } from '../../accounts/email-address.ts'
import { listInvitations } from '../../accounts/invitations-store.ts'
import type { Caller, SessionCaller } from '../../accounts/sessions.ts'
import type { Queryable, Tx } from '../../db/pool.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { discardNextSecret } from '../../secrets/next-secret.ts'
import { rotateSecret } from '../../secrets/secrets.ts'
import { requireProject, requireProjectForChange } from '../access.ts'
import type { ProjectDeps } from '../deps.ts'
import { deleteMembershipOfNewOwner, findMember, putMember } from '../members-store.ts'
import type { Project } from '../project.ts'
import { findProject, hasFreeSlot, lockProject, transferToFreeSlot } from '../projects-store.ts'
import * as store from '../transfers-store.ts'
import type { Transfer } from '../transfers-store.ts'
import { endTransfer } from './end-transfer.ts'
import { limitInvitations } from './invitations.ts'
import { mailTransfer } from './transfer-mails.ts'

export async function viewTransfer(
  db: Queryable,
  { account }: Caller,
  projectId: string,
): Promise<TransferView | null> {
  const transfer = await store.findTransfer(db, projectId)
  if (!transfer) return null
  const recipient = transfer.toId && (await findRecipient(db, transfer.toId))
  return {
    to: recipient ? recipient.email : transfer.toEmail,
    isToYou: transfer.toId === account.id,
    requestedAt: transfer.requestedAt.toISOString(),
    expiresAt: transfer.expiresAt.toISOString(),
    takesEffectAt: transfer.dueAt?.toISOString() ?? null,
  }
}

export async function offerTransfer(
  deps: ProjectDeps,
  caller: SessionCaller,
  input: { projectId: string; email: string },
  requireStepUp: () => void,
): Promise<void> {
  const { projectId } = input
  await requireProject(deps.db, caller.account.id, projectId, 'ownership')
  requireStepUp()
  const to = parseEmail(input.email)
  if (to.key === toEmailKey(caller.account.email)) throw invalidField('email', 'own_project')
  await limitInvitations(deps, projectId, caller)
  await deps.db.transaction(async (tx) => {
    const project = await requireProjectForChange(tx, caller.account.id, projectId, 'ownership')
    if (project.archivedAt) throw new ServiceError('archived')
    const member = await findMember(tx, projectId, to.key)
    const invitations = await listInvitations(tx, projectId)
    const invitation = invitations.find(({ email }) => toEmailKey(email) === to.key)
    if (!member && !invitation) throw invalidField('email', 'not_a_member')
    // The mail names the owner. Without this check, anybody could send it in the name of an address that is not theirs.
    if (!member && caller.account.emailConfirmedAt === null) throw invalidField('email', 'email_unconfirmed')
    const transfer = await store.insertTransfer(tx, {
      projectId,
      fromId: caller.account.id,
      toId: member?.accountId ?? null,
      to,
      expiresAtMax: member ? null : invitation!.expiresAt,
    })
    if (!transfer) throw invalidField('email', 'transfer_pending')
    const changes = { email: to.email }
    await recordAudit(deps, tx, { ...byAccount(caller), projectId, action: 'transfer_offered', changes })
    await mailTransfer(deps, tx, { project, transfer, caller, stage: 'offered' })
  })
}

/** Returns why this account cannot become the owner. Called at the acceptance, and when the transfer takes effect. */
function findObstacle({ config }: ProjectDeps, account: Account): ServiceError | null {
  if (config.signUp === 'closed' && account.cameByInvitation) return new ServiceError('sign_up_closed')
  if (account.emailConfirmedAt === null) return invalidField('email', 'email_unconfirmed')
  // Live payments need a verified owner, and must not stop because of the transfer.
  if (config.requireKyc && account.kyc !== 'verified') return new ServiceError('kyc_required')
  return null
}

export async function acceptTransfer(
  deps: ProjectDeps,
  caller: SessionCaller,
  projectId: string,
  requireStepUp: () => void,
): Promise<void> {
  const { account } = caller
  await requireProject(deps.db, account.id, projectId, 'read')
  requireStepUp()
  await deps.db.transaction(async (tx) => {
    await lockAccount(tx, account.id)
    const project = await requireProjectForChange(tx, account.id, projectId, 'read')
    const offered = await store.findTransfer(tx, projectId)
    if (offered?.toId !== account.id) throw invalidField('transfer', 'no_transfer')
    const obstacle = findObstacle(deps, account)
    if (obstacle) throw obstacle
    if (!(await hasFreeSlot(tx, account.id))) throw new ServiceError('too_many')
    const transfer = await store.setAccepted(tx, projectId, account.id)
    // The offer was already accepted, for example by a first click on the same button.
    if (!transfer) return
    const changes = { email: account.email }
    await recordAudit(deps, tx, { ...byAccount(caller), projectId, action: 'transfer_accepted', changes })
    await mailTransfer(deps, tx, { project, transfer, caller, stage: 'accepted' })
  })
}

/** Needs no step-up, because stopping a transfer must be fast and changes nothing else. */
export async function cancelTransfer(deps: ProjectDeps, caller: Caller, projectId: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const project = await requireProjectForChange(tx, caller.account.id, projectId, 'read')
    const transfer = await store.findTransfer(tx, projectId)
    if (!roleMay(project.role, 'ownership') && transfer?.toId !== caller.account.id)
      throw new ServiceError('forbidden_role')
    if (!transfer) throw invalidField('transfer', 'no_transfer')
    await endTransfer(deps, tx, { project, transfer, caller })
  })
}

/** Ends expired offers, and applies or ends transfers that are due. Returns how many projects have a new owner. */
export async function applyTransfers(deps: ProjectDeps): Promise<number> {
  let applied = 0
  const errors: unknown[] = []
  for (const transfer of await store.findEndingTransfers(deps.db)) {
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
    const transfer = await store.takeEndingTransfer(tx, projectId)
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

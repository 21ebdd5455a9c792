// Transfer of ownership: the owner offers the project to a member, or to an invited person, who must join before
// accepting. A day after the acceptance, the owner changes (apply-transfer.ts). Until then, the owner and the recipient can
// cancel the transfer.
import { roleMay } from '@pazar/contract'
import type { TransferView } from '@pazar/contract'
import { findRecipient, lockAccount } from '../../accounts/accounts-store.ts'
import { byAccount, recordAudit } from '../../accounts/audit.ts'
import { parseEmail, toEmailKey } from '../../accounts/email-address.ts'
import { listInvitations } from '../../accounts/invitations-store.ts'
import type { Caller, SessionCaller } from '../../accounts/sessions.ts'
import type { Queryable } from '../../db/pool.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { requireProject, requireProjectForChange } from '../access.ts'
import type { ProjectDeps } from '../deps.ts'
import { findMember } from '../members-store.ts'
import { hasFreeSlot } from '../projects-store.ts'
import * as store from '../transfers-store.ts'
import { findObstacle } from './apply-transfer.ts'
import { endTransfer } from './cancel-transfer.ts'
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

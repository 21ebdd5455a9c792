// Closes an account. Personal data and projects without live payments are deleted. Live payments stay. Their
// projects are archived, and an empty account row stays as the owner.
import type { Account } from '../../accounts/account.ts'
import type { AuditEvent } from '../../accounts/audit.ts'
import { byAccount, recordAudit } from '../../accounts/audit.ts'
import { lockAccount } from '../../accounts/accounts-store.ts'
import { deleteAccount, erasePerson, releaseAudit } from '../../accounts/closing-store.ts'
import { toEmailKey } from '../../accounts/email-address.ts'
import { endInvitationsOfClosed } from '../../accounts/invitations-store.ts'
import { queueClosingMail } from '../../accounts/mail/queue-mail.ts'
import type { SessionCaller } from '../../accounts/sessions.ts'
import type { Tx } from '../../db/pool.ts'
import { newToken } from '../../lib/id.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { endTransfersOfClosed } from '../../projects/members/cancel-transfer.ts'
import { leaveAllProjects } from '../../projects/members/leave-all.ts'
import { mailFormerMembers } from '../../projects/members/mail-former-members.ts'
import { deleteMembershipsOfClosed, listMembers } from '../../projects/members-store.ts'
import {
  findNameAndOwner,
  listOwnedProjects,
  lockProjects,
  setArchived,
} from '../../projects/projects-store.ts'
import type { PaymentDeps } from '../deps.ts'
import { hasLivePayments } from './closing-store.ts'
import { deleteUnused, refuseIfUnfinished } from './delete-project.ts'

export async function closeOwnAccount(
  deps: PaymentDeps,
  caller: SessionCaller,
  email: string,
): Promise<void> {
  if (toEmailKey(email) !== toEmailKey(caller.account.email)) throw invalidField('email', 'email_differs')
  await closeAccount(deps, caller.account, byAccount(caller).actor)
}

/**
 * If this function is interrupted, the account stays open, but some of its projects may be deleted already. Closing the
 * account again deletes the rest.
 */
export async function closeAccount(
  deps: PaymentDeps,
  account: Account,
  actor: AuditEvent['actor'],
): Promise<void> {
  const projects = await listOwnedProjects(deps.db, account.id)
  // Checked before anything is deleted, so that this refusal changes nothing.
  await refuseIfUnfinished(
    deps.db,
    'account',
    projects.map(({ id }) => id),
  )
  for (const { id } of projects) {
    if (!(await hasLivePayments(deps.db, id))) await deleteUnused(deps, account.id, id, async () => undefined)
  }
  const passwordHash = await deps.passwords.hash(newToken())
  await deps.db.transaction((tx) => closeRow(deps, tx, account, { passwordHash, actor }))
}

async function closeRow(
  deps: PaymentDeps,
  tx: Tx,
  account: Account,
  { passwordHash, actor }: { passwordHash: string; actor: AuditEvent['actor'] },
): Promise<void> {
  await lockAccount(tx, account.id)
  const remaining = await lockProjects(tx, account.id)
  const projectIds = remaining.map(({ id }) => id)
  await refuseIfUnfinished(tx, 'account', projectIds)
  for (const id of projectIds) {
    // If this project has no live payments, it was added after the unused projects were deleted. Without the refusal, the
    // project would stay forever, and its owner would be the account's empty row.
    if (!(await hasLivePayments(tx, id)))
      throw new ServiceError('unavailable', { retryAfterSec: 1, log: 'a project was added meanwhile' })
  }
  await queueClosingMail(deps, tx, account)
  for (const id of projectIds) {
    const project = await findNameAndOwner(tx, id)
    if (project) await mailFormerMembers(deps, tx, { id, ...project }, await listMembers(tx, id))
  }
  await leaveAllProjects(deps, tx, account, actor)
  await endTransfersOfClosed(deps, tx, account, actor)
  await deleteMembershipsOfClosed(tx, account.id, projectIds)
  await endInvitationsOfClosed(tx, account.id, projectIds)
  await releaseAudit(tx, account.id, toEmailKey(account.email))
  if (projectIds.length === 0) return deleteAccount(tx, account.id)
  for (const { id, isArchived } of remaining) if (!isArchived) await setArchived(tx, id)
  await erasePerson(tx, account.id, { passwordHash, projectIds })
  await recordAudit(deps, tx, { accountId: account.id, actor, client: null, action: 'account_closed' })
}

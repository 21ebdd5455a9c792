// Invitations are sent by mail. Each is accepted at most once, by an account with the invited address.
import {
  DEFAULT_MAILS,
  mayGrant,
  MEMBERS_PER_PROJECT_MAX,
  PROJECTS_PER_ACCOUNT_MAX,
  RATE_LIMITS,
  RATE_WINDOW_SEC,
  SHARED_PROJECTS_MAX,
} from '@pazar/contract'
import type { MemberRole } from '@pazar/contract'
import { lockAccount, markEmailConfirmed, requireRecipient } from '../../accounts/accounts-store.ts'
import { byAccount, recordAudit } from '../../accounts/audit.ts'
import { parseEmail, toEmailKey } from '../../accounts/email-address.ts'
import {
  endInvitationsOf,
  findInvitation,
  insertInvitation,
  listInvitations,
  setInvitedRole,
  useInvitation,
} from '../../accounts/invitations-store.ts'
import { inviteBucket, limitInDatabase } from '../../accounts/lockout.ts'
import { queueInvitationMail } from '../../accounts/mail/queue-mail.ts'
import type { Caller, SessionCaller } from '../../accounts/sessions.ts'
import { toTokenHash } from '../../accounts/token-hash.ts'
import type { Tx } from '../../db/pool.ts'
import { newToken, newUuidV7 } from '../../lib/id.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { requireProject, requireProjectForChange } from '../access.ts'
import type { ProjectDeps } from '../deps.ts'
import { countSharedProjects, findMember, listMembers, putMember } from '../members-store.ts'
import { notifyPeople } from '../notify-people.ts'
import type { Project } from '../project.ts'
import { findOwnerId, lockProject } from '../projects-store.ts'
import { setRecipient } from '../transfers-store.ts'
import { endTransferTo } from './cancel-transfer.ts'
import { revokeRights } from './revoke-rights.ts'

/**
 * Invitations and offers of ownership are counted per project, over all processes. They are also counted per person,
 * because a project can be deleted and another one created.
 */
export async function limitInvitations(
  { config, db }: ProjectDeps,
  projectId: string,
  { account }: Caller,
): Promise<void> {
  if (config.rateLimits === null) return
  const windowMin = RATE_WINDOW_SEC[RATE_LIMITS.INVITE.per] / 60
  const max = config.rateLimits.INVITE
  await limitInDatabase(db, inviteBucket(projectId), { max, windowMin })
  await limitInDatabase(db, inviteBucket(account.id), { max: max * PROJECTS_PER_ACCOUNT_MAX, windowMin })
}

export async function inviteMember(
  deps: ProjectDeps,
  caller: SessionCaller,
  input: { projectId: string; email: string; role: MemberRole },
  requireStepUp: () => void,
): Promise<void> {
  const { projectId, role } = input
  const current = await requireProject(deps.db, caller.account.id, projectId, 'members')
  if (!mayGrant(current.role, role)) throw new ServiceError('forbidden_role')
  requireStepUp()
  const address = parseEmail(input.email)
  if (address.key === toEmailKey(caller.account.email)) throw invalidField('email', 'own_membership')
  await limitInvitations(deps, projectId, caller)
  const token = newToken()
  await deps.db.transaction(async (tx) => {
    const project = await requireProjectForChange(tx, caller.account.id, projectId, 'members')
    const owner = await requireRecipient(tx, project.ownerId)
    const isOwner = address.key === toEmailKey(owner.email)
    if (isOwner || (await findMember(tx, projectId, address.key)))
      throw invalidField('email', 'already_member')
    // A new invitation replaces the old one, whose link stops working.
    await endInvitationsOf(tx, projectId, address.key)
    await endTransferTo(deps, tx, { project, caller, accountId: null })
    const people = (await listMembers(tx, projectId)).length + (await listInvitations(tx, projectId)).length
    if (people >= MEMBERS_PER_PROJECT_MAX) throw invalidField('email', 'too_many_members')
    await insertInvitation(tx, {
      id: newUuidV7(deps.clock),
      tokenHash: toTokenHash(token),
      projectId,
      invitedBy: caller.account.id,
      address,
      role,
    })
    await queueInvitationMail(deps, tx, {
      to: address.email,
      locale: caller.account.locale,
      token,
      project: project.name,
      // The mail names only a confirmed address. Otherwise anybody could send invitations in the name of an address that is
      // not theirs.
      by: caller.account.emailConfirmedAt === null ? null : caller.account.email,
      role,
    })
    const changes = { email: address.email, role }
    await recordAudit(deps, tx, { ...byAccount(caller), projectId, action: 'member_invited', changes })
  })
}

/** The mailed link stays valid. Returns false if the address is not invited. */
export async function changeInvitedRole(
  deps: ProjectDeps,
  tx: Tx,
  { project, caller, email, role }: { project: Project; caller: Caller; email: string; role: MemberRole },
): Promise<boolean> {
  const change = { emailKey: toEmailKey(email), role, invitedBy: caller.account.id }
  const invited = await setInvitedRole(tx, project.id, change)
  if (!invited) return false
  if (!mayGrant(project.role, invited.formerRole)) throw new ServiceError('forbidden_role')
  if (invited.formerRole === role) return true
  await recordAudit(deps, tx, {
    ...byAccount(caller),
    projectId: project.id,
    action: 'member_role_changed',
    changes: { email: invited.email, role: { from: invited.formerRole, to: role } },
  })
  return true
}

/** The link proves access to the mailbox, so it also confirms the address. */
export async function acceptInvitation(
  deps: ProjectDeps,
  caller: SessionCaller,
  token: string,
): Promise<Project> {
  const tokenHash = toTokenHash(token)
  const { id: accountId, email } = caller.account
  return deps.db.transaction(async (tx) => {
    const invitation = await findInvitation(tx, tokenHash)
    if (!invitation) throw new ServiceError('token_expired')
    if (invitation.emailKey !== toEmailKey(email)) throw invalidField('token', 'invitation_of_other')
    const { projectId } = invitation
    // The account is locked before the project, so that two transactions do not wait for each other.
    await lockAccount(tx, accountId)
    await lockProject(tx, projectId)
    // The invitation may have been cancelled, or its role changed, while this request waited for the lock.
    const role = await useInvitation(tx, tokenHash)
    if (role === null) throw new ServiceError('token_expired')
    // The owner may have changed their address to the invited one.
    if ((await findOwnerId(tx, projectId)) === accountId) throw invalidField('token', 'already_member')
    const former = (await listMembers(tx, projectId)).find((member) => member.accountId === accountId)
    // The account may be a member already, if its address was changed to the invited one. Then the project is already counted.
    if (!former && (await countSharedProjects(tx, accountId)) >= SHARED_PROJECTS_MAX)
      throw invalidField('token', 'too_many_shared')
    await markEmailConfirmed(tx, accountId, invitation.emailKey)
    await putMember(tx, projectId, { accountId, role, mails: DEFAULT_MAILS[role] })
    // If the project was offered to the invited address, the offer is now bound to this account, even if its address changes.
    await setRecipient(tx, projectId, { accountId, emailKey: invitation.emailKey })
    await recordAudit(deps, tx, {
      ...byAccount(caller),
      projectId,
      action: 'member_joined',
      changes: { email, role },
    })
    const project = await requireProject(tx, accountId, projectId, 'read')
    // The role of the invitation may be lower than the role that the member had.
    if (former && !mayGrant(role, former.role))
      await revokeRights(deps, tx, { project, caller, member: former })
    await notifyPeople(deps, tx, project, caller, {
      kind: 'member_changed',
      project: project.name,
      member: email,
      change: 'joined',
      role,
    })
    return project
  })
}

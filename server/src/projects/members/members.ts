// The people of a project: list, changes of role, removal, leaving, choice of mails, and mails about a member's new address.
import { DEFAULT_MAILS, mayGetMails, mayGrant, NEXT_SECRET_MAX_HOURS, roleMay } from '@pazar/contract'
import type { MailTopic, MemberRole, MemberView } from '@pazar/contract'
import { requireRecipient } from '../../accounts/accounts-store.ts'
import { byAccount, recordAudit } from '../../accounts/audit.ts'
import { findWhoDid } from '../../accounts/audit-store.ts'
import { toEmailKey } from '../../accounts/email-address.ts'
import { endInvitationsOf, listInvitations } from '../../accounts/invitations-store.ts'
import { queueMail } from '../../accounts/mail/queue-mail.ts'
import type { Caller } from '../../accounts/sessions.ts'
import type { Tx } from '../../db/pool.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { requireProject, requireProjectForChange } from '../access.ts'
import { toDate } from '../../lib/clock.ts'
import type { ProjectDeps } from '../deps.ts'
import * as store from '../members-store.ts'
import { notifyPeople } from '../notify-people.ts'
import type { Project } from '../project.ts'
import { listProjects } from '../projects-store.ts'
import { endTransferTo } from './cancel-transfer.ts'
import { changeInvitedRole } from './invitations.ts'
import { revokeRights } from './revoke-rights.ts'

export async function listPeople(
  deps: ProjectDeps,
  caller: Caller,
  projectId: string,
): Promise<MemberView[]> {
  const project = await requireProject(deps.db, caller.account.id, projectId, 'read')
  const preparedSince = toDate(project.secretRotatedAt.getTime() - NEXT_SECRET_MAX_HOURS * 3_600_000)
  const [owner, members, invitations, seen, prepared] = await Promise.all([
    requireRecipient(deps.db, project.ownerId),
    store.listMembers(deps.db, projectId),
    listInvitations(deps.db, projectId),
    findWhoDid(deps.db, projectId, ['secret_revealed', 'secret_rotated'], project.secretRotatedAt),
    // The current secret may have been prepared before the rotation. The person who prepared it knows it.
    findWhoDid(deps.db, projectId, ['next_secret_prepared'], preparedSince),
  ])
  const knows = (accountId: string) => seen.has(accountId) || prepared.has(accountId)
  return [
    {
      email: owner.email,
      role: 'owner',
      state: 'active',
      since: project.createdAt.toISOString(),
      mails: ['failures', 'disputes', 'security'],
      knowsSecret: knows(project.ownerId),
    },
    ...members.map(({ accountId, email, role, mails, since }) => ({
      email,
      role,
      state: 'active' as const,
      since: since.toISOString(),
      mails,
      knowsSecret: knows(accountId),
    })),
    ...invitations.map(({ email, role, createdAt }) => ({
      email,
      role,
      state: 'invited' as const,
      since: createdAt.toISOString(),
      mails: [],
      knowsSecret: false,
    })),
  ]
}

interface ManagedPerson {
  projectId: string
  email: string
  state?: 'active' | 'invited' | undefined
}

async function isMemberNow(tx: Tx, { projectId, email, state }: ManagedPerson): Promise<boolean> {
  const isMember = (await store.findMember(tx, projectId, toEmailKey(email))) !== null
  // The caller saw an earlier list of people. Since then, a member may have changed their address, and somebody may have
  // invited the old address.
  if (state !== undefined && isMember !== (state === 'active')) throw new ServiceError('not_found')
  return isMember
}

/** Callers may not change their own membership. They may change only members whose role they could grant. */
async function requireManaged(
  tx: Tx,
  project: Project,
  caller: Caller,
  email: string,
): Promise<store.Member> {
  const member = await store.findMember(tx, project.id, toEmailKey(email))
  if (!member) throw new ServiceError('not_found')
  if (member.accountId === caller.account.id) throw invalidField('email', 'own_membership')
  if (!mayGrant(project.role, member.role)) throw new ServiceError('forbidden_role')
  return member
}

/** Also changes the role of a person who is invited but has not joined. */
export async function changeRole(
  deps: ProjectDeps,
  caller: Caller,
  input: ManagedPerson & { role: MemberRole },
  requireStepUp: () => void,
): Promise<void> {
  const { projectId, role } = input
  await requireProject(deps.db, caller.account.id, projectId, 'members')
  requireStepUp()
  await deps.db.transaction(async (tx) => {
    const project = await requireProjectForChange(tx, caller.account.id, projectId, 'members')
    if (!mayGrant(project.role, role)) throw new ServiceError('forbidden_role')
    const isMember = await isMemberNow(tx, input)
    if (!isMember && (await changeInvitedRole(deps, tx, { project, caller, ...input }))) return
    const member = await requireManaged(tx, project, caller, input.email)
    if (member.role === role) return
    await store.putMember(tx, projectId, { accountId: member.accountId, role, mails: DEFAULT_MAILS[role] })
    if (!mayGrant(role, member.role)) await revokeRights(deps, tx, { project, caller, member })
    await recordAudit(deps, tx, {
      ...byAccount(caller),
      projectId,
      action: 'member_role_changed',
      changes: { email: member.email, role: { from: member.role, to: role } },
    })
    await mailMember(deps, tx, { project, caller, member }, { change: 'role', role })
  })
}

/** Also cancels an invitation that nobody has accepted. */
export async function removeMember(
  deps: ProjectDeps,
  caller: Caller,
  input: ManagedPerson,
  requireStepUp: () => void,
): Promise<void> {
  const { projectId } = input
  await requireProject(deps.db, caller.account.id, projectId, 'members')
  requireStepUp()
  await deps.db.transaction(async (tx) => {
    const project = await requireProjectForChange(tx, caller.account.id, projectId, 'members')
    const isMember = await isMemberNow(tx, input)
    const wasInvited = await endInvitationsOf(tx, projectId, toEmailKey(input.email))
    const entry = { ...byAccount(caller), projectId, action: 'member_removed' } as const
    if (wasInvited && !isMember) {
      await endTransferTo(deps, tx, { project, caller, accountId: null })
      return recordAudit(deps, tx, { ...entry, changes: { email: input.email } })
    }
    const member = await requireManaged(tx, project, caller, input.email)
    await store.deleteMember(tx, projectId, member.accountId)
    await revokeRights(deps, tx, { project, caller, member })
    await recordAudit(deps, tx, { ...entry, changes: { email: member.email, role: member.role } })
    await mailMember(deps, tx, { project, caller, member }, { change: 'removed', role: member.role })
  })
}

async function mailMember(
  deps: ProjectDeps,
  tx: Tx,
  { project, caller, member }: { project: Project; caller: Caller; member: store.Member },
  changed: { change: 'removed' | 'role'; role: MemberRole },
): Promise<void> {
  const person = await requireRecipient(tx, member.accountId)
  const facts = { project: project.name, projectId: project.id, by: caller.account.email, client: caller }
  await queueMail(deps, tx, person, { kind: 'membership_changed', ...facts, ...changed })
  await notifyPeople(deps, tx, project, caller, {
    kind: 'member_changed',
    project: project.name,
    member: member.email,
    ...changed,
  })
}

/** Members are managed by their address, so the people who manage them are notified of a new address. */
export async function notifyOfNewAddress(
  deps: ProjectDeps,
  tx: Tx,
  person: Pick<Caller, 'account' | 'ip' | 'userAgent'> & { formerEmail: string },
): Promise<void> {
  const { account, formerEmail } = person
  for (const project of await listProjects(tx, account.id)) {
    if (project.role === 'owner') continue
    await notifyPeople(deps, tx, project, person, {
      kind: 'member_email_changed',
      project: project.name,
      member: account.email,
      formerEmail,
    })
  }
}

export async function leaveProject(deps: ProjectDeps, caller: Caller, projectId: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const project = await requireProjectForChange(tx, caller.account.id, projectId, 'read')
    const { role } = project
    if (role === 'owner') throw invalidField('project', 'owner_stays')
    const { id: accountId, email } = caller.account
    await store.deleteMember(tx, projectId, accountId)
    await revokeRights(deps, tx, { project, caller, member: { accountId, email } })
    await recordAudit(deps, tx, { ...byAccount(caller), projectId, action: 'member_left', changes: { role } })
    await notifyPeople(deps, tx, project, caller, {
      kind: 'member_changed',
      project: project.name,
      member: email,
      change: 'left',
      role,
    })
  })
}

/** Only members can choose their mails. The owner gets all mails. */
export async function chooseMails(
  deps: ProjectDeps,
  caller: Caller,
  input: { projectId: string; mails: readonly MailTopic[] },
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const project = await requireProjectForChange(tx, caller.account.id, input.projectId, 'read')
    if (roleMay(project.role, 'ownership')) throw invalidField('mails', 'owner_gets_all')
    if (input.mails.some((topic) => !mayGetMails(project.role, topic)))
      throw new ServiceError('forbidden_role')
    await store.setMails(tx, project.id, caller.account.id, [...new Set(input.mails)])
  })
}

// The members of a project, and the permissions of the signed-in person.
import { useQuery } from '@tanstack/react-query'
import type {
  InvitationView,
  MailTopic,
  MemberList,
  MemberRole,
  MemberView,
  Permission,
  ProjectView,
} from '@pazar/contract'
import { MAIL_TOPICS, roleMay } from '@pazar/contract/permissions'
import { call } from './call.ts'
import { useProject } from './projects.ts'
import { queryClient } from './session.ts'

const toPath = (projectId: string) => `/portal/api/projects/${projectId}/members`

const toMembersQuery = (projectId: string) => ({
  queryKey: ['members', projectId],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call<MemberList>(toPath(projectId), undefined, { signal }),
})

export function useMembers(projectId: string) {
  return useQuery(toMembersQuery(projectId))
}

const change = (projectId: string, action: string, body: object) =>
  postToMembers(projectId, `members/${action}`, body)

async function postToMembers(projectId: string, path: string, body: object): Promise<void> {
  const reload = async () => {
    await queryClient.invalidateQueries({ queryKey: ['members', projectId] })
    await queryClient.invalidateQueries({ queryKey: ['history', projectId] })
  }
  try {
    await call(`/portal/api/projects/${projectId}/${path}`, body)
  } catch (error) {
    // The change may have been made although its response was lost.
    void reload()
    throw error
  }
  await reload()
}

export const inviteMember = (projectId: string, email: string, role: MemberRole) =>
  change(projectId, 'invite', { email, role })
type Person = Pick<MemberView, 'email' | 'state'>
export const changeRole = (projectId: string, { email, state }: Person, role: MemberRole) =>
  change(projectId, 'role', { email, state, role })
export const removeMember = (projectId: string, { email, state }: Person) =>
  change(projectId, 'remove', { email, state })

/** Whether each changed topic is on or off. */
export type MailChoice = Partial<Record<MailTopic, boolean>>

/** The route replaces the whole list of topics. So the saved list is read first: another tab may have changed it. */
export async function chooseMails(projectId: string, email: string, changed: MailChoice): Promise<void> {
  const { members } = await queryClient.fetchQuery({ ...toMembersQuery(projectId), staleTime: 0 })
  const saved = members.find((one) => one.email === email && one.state === 'active')?.mails ?? []
  const mails = MAIL_TOPICS.filter((topic) => changed[topic] ?? saved.includes(topic))
  await change(projectId, 'mails', { mails })
}

export const offerTransfer = (projectId: string, email: string) =>
  postToMembers(projectId, 'transfer', { email })
export const acceptTransfer = (projectId: string) => postToMembers(projectId, 'transfer/accept', {})
export const cancelTransfer = (projectId: string) => postToMembers(projectId, 'transfer/cancel', {})

export async function leaveProject(projectId: string): Promise<void> {
  await call(`${toPath(projectId)}/leave`, {})
  queryClient.removeQueries({ queryKey: ['project', projectId] })
  await queryClient.invalidateQueries({ queryKey: ['projects'] })
}

/** Viewing an invitation does not accept it. */
export async function fetchInvitation(token: string, signal: AbortSignal): Promise<InvitationView> {
  return call<InvitationView>('/portal/api/invitations/view', { token }, { asksForSignIn: false, signal })
}

export async function acceptInvitation(token: string): Promise<ProjectView> {
  return call<ProjectView>('/portal/api/invitations/accept', { token }, { asksForSignIn: false })
}

/** While the role is unknown, every permission is refused. The service checks every request itself. */
export function usePermissions(projectId: string | null): (permission: Permission) => boolean {
  const role = useProject(projectId).data?.role
  return (permission) => role !== undefined && roleMay(role, permission)
}

import { revokeTokensOfProject } from '../../accounts/api-tokens-store.ts'
import { toEmailKey } from '../../accounts/email-address.ts'
import { endInvitationsBy, endInvitationsOf } from '../../accounts/invitations-store.ts'
import type { Caller } from '../../accounts/sessions.ts'
import type { Tx } from '../../db/pool.ts'
import { discardNextSecret } from '../../secrets/next-secret.ts'
import type { ProjectDeps } from '../deps.ts'
import type { Member } from '../members-store.ts'
import type { Project } from '../project.ts'
import { endTransferTo } from './cancel-transfer.ts'

/** Called when a person loses rights or access. The prepared secret is discarded, because the person may have seen it. */
export async function revokeRights(
  deps: ProjectDeps,
  tx: Tx,
  {
    project,
    caller,
    member,
  }: { project: Project; caller: Caller; member: Pick<Member, 'accountId' | 'email'> },
): Promise<void> {
  const projectId = project.id
  const { accountId, email } = member
  await revokeTokensOfProject(tx, accountId, projectId)
  await discardNextSecret(tx, projectId)
  await endInvitationsBy(tx, projectId, accountId)
  await endInvitationsOf(tx, projectId, toEmailKey(email))
  await endTransferTo(deps, tx, { project, caller, accountId })
}

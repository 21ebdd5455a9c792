// Mails the members of a project that ends, because the project is deleted or its owner's account is closed.
import type { AccountId } from '../../accounts/account.ts'
import { findRecipient } from '../../accounts/accounts-store.ts'
import { queueMail } from '../../accounts/mail/queue-mail.ts'
import type { Tx } from '../../db/pool.ts'
import type { ProjectDeps } from '../deps.ts'
import type { Member } from '../members-store.ts'

const NO_CLIENT = { ip: '', userAgent: '' }

export async function mailFormerMembers(
  deps: Pick<ProjectDeps, 'clock'>,
  tx: Tx,
  project: { id: string; name: string; ownerId: string },
  members: readonly Member[],
): Promise<void> {
  const owner = await findRecipient(tx, project.ownerId as AccountId)
  const facts = { project: project.name, projectId: project.id, client: NO_CLIENT }
  for (const { accountId, role } of members) {
    const member = await findRecipient(tx, accountId)
    if (!member) continue
    const by = owner ? { by: owner.email } : {}
    await queueMail(deps, tx, member, {
      kind: 'membership_changed',
      change: 'removed',
      role,
      ...facts,
      ...by,
    })
  }
}

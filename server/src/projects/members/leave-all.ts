// A person who closes their account leaves the projects of others. In these projects, this file adds the history entries,
// queues the mails, discards the prepared secrets, and ends the invitations that the person sent. The caller deletes the
// memberships.
import type { Account, AccountId } from '../../accounts/account.ts'
import type { AuditActor } from '../../accounts/audit.ts'
import { recordAudit } from '../../accounts/audit.ts'
import { findRecipient } from '../../accounts/accounts-store.ts'
import { endInvitationsBy } from '../../accounts/invitations-store.ts'
import { queueMail } from '../../accounts/mail/queue-mail.ts'
import type { Tx } from '../../db/pool.ts'
import { discardNextSecret } from '../../secrets/next-secret.ts'
import type { ProjectDeps } from '../deps.ts'
import { findMemberRecipients } from '../members-store.ts'
import { listProjects } from '../projects-store.ts'
import { endOfferOfClosedInviter } from './cancel-transfer.ts'

/** The personal data of a closed account is erased, so the mails do not show from where the account was closed. */
const NO_CLIENT = { ip: '', userAgent: '' }

/** A prepared secret is discarded, because the person may know it. */
export async function leaveAllProjects(
  deps: Pick<ProjectDeps, 'clock'>,
  tx: Tx,
  account: Account,
  actor: AuditActor,
): Promise<void> {
  for (const { id: projectId, name: project, ownerId, role } of await listProjects(tx, account.id)) {
    if (role === 'owner') continue
    await discardNextSecret(tx, projectId)
    await endInvitationsBy(tx, projectId, account.id)
    await endOfferOfClosedInviter(deps, tx, { project: { id: projectId, name: project }, account, actor })
    const entry = { accountId: account.id, actor, client: null, projectId } as const
    await recordAudit(deps, tx, { ...entry, action: 'member_left', changes: { role } })
    const owner = await findRecipient(tx, ownerId as AccountId)
    const members = await findMemberRecipients(tx, projectId, 'security')
    for (const recipient of owner ? [owner, ...members] : members) {
      if (recipient.id === account.id) continue
      await queueMail(deps, tx, recipient, {
        ...{ kind: 'member_changed', change: 'left', member: account.email, by: account.email },
        ...{ project, projectId, role, client: NO_CLIENT },
      })
    }
  }
}

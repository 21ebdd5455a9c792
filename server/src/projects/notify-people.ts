// Mails the owner and the admins of a project about its security. Admins who have unsubscribed get no mail. The person who
// acted is mailed too, because somebody else may be using the session.
import type { Tx } from '../db/pool.ts'
import { findRecipient } from '../accounts/accounts-store.ts'
import type { AccountId } from '../accounts/account.ts'
import { queueMail } from '../accounts/mail/queue-mail.ts'
import type { Notice, Recipient } from '../accounts/mail/queue-mail.ts'
import type { Caller } from '../accounts/sessions.ts'
import type { ProjectDeps } from './deps.ts'
import { findMemberRecipients } from './members-store.ts'

type ProjectNotice = Extract<Notice, { project: string }>
type WithoutClient<T> = T extends unknown ? Omit<T, 'client' | 'by' | 'projectId'> : never

export async function notifyPeople(
  deps: Pick<ProjectDeps, 'clock'>,
  tx: Tx,
  project: { id: string; ownerId: string },
  caller: Pick<Caller, 'account' | 'ip' | 'userAgent'>,
  notice: WithoutClient<ProjectNotice>,
): Promise<void> {
  const { account } = caller
  const isOwner = project.ownerId === account.id
  const owner = isOwner ? account : await findRecipient(tx, project.ownerId as AccountId)
  const members = await findMemberRecipients(tx, project.id, 'security')
  const all: (Recipient | null)[] = [owner, account, ...members]
  const recipients = new Map(all.flatMap((one) => (one ? [[one.id, one] as const] : [])))
  for (const recipient of recipients.values()) {
    const by = recipient.id === account.id ? {} : { by: account.email }
    await queueMail(deps, tx, recipient, { ...notice, ...by, projectId: project.id, client: caller })
  }
}

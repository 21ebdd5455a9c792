// Mails about a transfer of ownership: to both sides, and to the members who get mails about security.
import type { TransferStage } from '@pazar/words'
import { findRecipient } from '../../accounts/accounts-store.ts'
import { queueTransferMail } from '../../accounts/mail/queue-mail.ts'
import type { Recipient } from '../../accounts/mail/queue-mail.ts'
import type { Caller } from '../../accounts/sessions.ts'
import type { Tx } from '../../db/pool.ts'
import type { ProjectDeps } from '../deps.ts'
import { findMemberRecipients } from '../members-store.ts'
import type { Transfer } from '../transfers-store.ts'

export async function mailTransfer(
  deps: Pick<ProjectDeps, 'clock'>,
  tx: Tx,
  {
    project,
    transfer,
    caller,
    stage,
  }: {
    project: { id: string; name: string }
    transfer: Transfer
    /**
     * The person whose request caused the mails. Null if the transfer was due or had expired, or if it ended because an
     * account was closed.
     */
    caller: Caller | null
    stage: TransferStage
  },
): Promise<void> {
  const owner = await findRecipient(tx, transfer.fromId)
  const newOwner = transfer.toId && (await findRecipient(tx, transfer.toId))
  const facts = {
    stage,
    project: project.name,
    projectId: project.id,
    from: owner?.email ?? '',
    to: newOwner ? newOwner.email : transfer.toEmail,
    dueAt: transfer.dueAt?.toISOString() ?? null,
    client: caller && { ip: caller.ip, userAgent: caller.userAgent },
  }
  const members = await findMemberRecipients(tx, project.id, 'security')
  const all: (Recipient | null)[] = [owner, newOwner, ...members]
  const recipients = new Map(all.flatMap((one) => (one ? [[one.id, one] as const] : [])))
  const toReader = (id: string | null) =>
    id === owner?.id ? 'owner' : id === newOwner?.id ? 'receiver' : 'member'
  for (const recipient of recipients.values())
    await queueTransferMail(deps, tx, recipient, { ...facts, reader: toReader(recipient.id) })
  // A person who is only invited gets the mail in the owner's language. The language of their account would reveal that
  // the address has an account.
  if (transfer.toId === null && owner)
    await queueTransferMail(
      deps,
      tx,
      { ...owner, id: null, email: transfer.toEmail },
      { ...facts, reader: 'receiver' },
    )
}

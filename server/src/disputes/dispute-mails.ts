import type { DisputeState } from '@pazar/contract'
import { findRecipient } from '../accounts/accounts-store.ts'
import { queueDisputeMail } from '../accounts/mail/queue-mail.ts'
import type { Tx } from '../db/pool.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { toReference } from '../payments/payment.ts'
import { findMemberRecipients } from '../projects/members-store.ts'
import { findNameAndOwner } from '../projects/projects-store.ts'
import type { Dispute } from './dispute.ts'
import { isClosed } from './dispute.ts'

/** `before`: the state before this report; null if this is the first report of the dispute. */
export async function mailDispute(
  deps: PaymentDeps,
  tx: Tx,
  dispute: Dispute,
  { order, before, wasRefunded }: { order: string | null; before: DisputeState | null; wasRefunded: boolean },
): Promise<void> {
  const project = await findNameAndOwner(tx, dispute.projectId)
  const owner = project && (await findRecipient(tx, project.ownerId))
  const mail = {
    kind: isClosed(dispute.state) ? ('dispute_closed' as const) : ('dispute_opened' as const),
    projectId: dispute.projectId,
    project: project?.name ?? dispute.projectId,
    transactionId: dispute.transactionId,
    reference: toReference(dispute.transactionId),
    order,
    mode: dispute.mode,
    state: dispute.state,
    amount: dispute.amount.toString(),
    currency: dispute.currency,
    scale: dispute.scale ?? deps.installation.scaleOfOldPayments,
    respondBy: dispute.respondBy?.toISOString() ?? null,
    reason: dispute.reason,
    // In an inquiry, the bank takes no money. Null: this is the first report, which does not say whether the bank took the money.
    wasWithdrawn: before === null ? null : before !== 'inquiry',
    wasRefunded,
  }
  const members = await findMemberRecipients(tx, dispute.projectId, 'disputes')
  for (const reader of owner ? [owner, ...members] : members)
    await queueDisputeMail(deps, tx, reader, { ...mail, reader: 'merchant' })
  // Disputes of test payments do not concern the operator.
  const { operatorEmail } = deps.config
  if (operatorEmail === null || dispute.mode === 'test') return
  const reader = owner ? 'operator' : 'operator_alone'
  await queueDisputeMail(deps, tx, operatorEmail, { ...mail, reader })
}

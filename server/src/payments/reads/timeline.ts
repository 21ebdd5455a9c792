import type { TransactionTimeline } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import type { AccountId } from '../../accounts/account.ts'
import { toAttemptView, toCallbackView } from '../../deliveries/delivery.ts'
import { findAttempts, findDelivery } from '../../deliveries/log-store.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { requireProject } from '../../projects/access.ts'
import type { PaymentDeps } from '../deps.ts'
import { findTimelineFacts } from './timeline-store.ts'

export async function readTimeline(
  deps: PaymentDeps,
  accountId: AccountId,
  input: { projectId: string; transactionId: string; locale: Locale },
): Promise<TransactionTimeline> {
  const { id: projectId } = await requireProject(deps.db, accountId, input.projectId, 'read')
  const facts = await findTimelineFacts(deps.db, projectId, input.transactionId)
  if (!facts) throw new ServiceError('not_found')
  const read = async (callbackId: string) => {
    const [entry, attempts] = await Promise.all([
      findDelivery(deps.db, projectId, callbackId),
      findAttempts(deps.db, projectId, callbackId),
    ])
    // The callback was deleted after its id was read, because its retention time is over.
    if (!entry) return []
    return [
      {
        callback: toCallbackView(entry.delivery, deps.installation),
        attempts: attempts.map((attempt) => toAttemptView(input.locale, attempt)),
      },
    ]
  }
  const callbacks = await Promise.all(facts.callbackIds.map(read))
  return { atBankAt: facts.atBankAt?.toISOString() ?? null, callbacks: callbacks.flat() }
}

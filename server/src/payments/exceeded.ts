// Refunds and disputes may add up to more than the payment, because some are made at the upstream, without a
// check by this service. They are recorded anyway, and an operator decides.
import type { PaymentDeps } from './deps.ts'
import { raiseIncident } from './incidents.ts'
import type { Payment } from './payment.ts'
import { findRefundedPayment } from './refund-sums-store.ts'

export async function raiseIfExceeded(deps: PaymentDeps, { projectId, id }: Payment): Promise<void> {
  const found = await findRefundedPayment(deps.db, projectId, id)
  if (!found) return
  const { refunded, processing, disputed } = found.sums
  const { amount, currency } = found.payment
  if (refunded + processing + disputed <= amount) return
  const sums = { refunded: String(refunded), processing: String(processing), disputed: String(disputed) }
  const facts = { amount: amount.toString(), currency, ...sums }
  const incident = { kind: 'refund_exceeds' as const, transactionId: id, subject: id, facts }
  await raiseIncident(deps, incident, { needsReview: true })
}

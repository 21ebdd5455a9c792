import type { TransactionDetails, TransactionGetBody } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import { toDisputeView } from '../disputes/dispute.ts'
import { listDisputes } from '../disputes/disputes-store.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { getTransaction } from '../payments/reads/get-transaction.ts'
import { toTransactionView } from '../payments/reads/list.ts'
import { toRefundView } from './refund.ts'
import { listRefunds } from './refunds-store.ts'

export async function getTransactionDetails(
  deps: PaymentDeps,
  accountId: AccountId,
  body: TransactionGetBody,
): Promise<TransactionDetails> {
  const payment = await getTransaction(deps, accountId, body)
  const refunds = await listRefunds(deps.db, payment.projectId, payment.id)
  const disputes = await listDisputes(deps.db, payment.projectId, payment.id)
  return {
    transaction: toTransactionView(payment, deps.installation),
    refunds: refunds.map((one) => toRefundView(one, deps.installation)),
    disputes: disputes.map((one) => toDisputeView(one, deps.installation)),
  }
}

import type { TransactionGetBody } from '@pazar/contract'
import type { AccountId } from '../../accounts/account.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { requireProject } from '../../projects/access.ts'
import type { PaymentDeps } from '../deps.ts'
import { toIdSearch, toListFilter } from './list-filter.ts'
import { findPage } from './list-store.ts'
import type { ListedPayment } from './list-store.ts'
import { findOrderState } from './status-store.ts'

/**
 * If several payments have this customId, the payment that is in flight or paid is chosen, otherwise a payment in
 * review, otherwise the newest payment.
 */
async function findId(
  deps: PaymentDeps,
  { projectId, transactionId, customId, mode }: TransactionGetBody,
): Promise<string | null> {
  if (transactionId !== undefined) return transactionId
  const hash = deps.erasedOrders.toHash(projectId, customId ?? null)
  const order = await findOrderState(deps.db, projectId, mode ?? 'live', customId ?? '', hash)
  return order?.id ?? null
}

export async function getTransaction(
  deps: PaymentDeps,
  accountId: AccountId,
  body: TransactionGetBody,
): Promise<ListedPayment> {
  const { id: projectId } = await requireProject(deps.db, accountId, body.projectId, 'read')
  const id = await findId(deps, { ...body, projectId })
  if (id === null) throw new ServiceError('not_found')
  const filter = { ...toListFilter([projectId], {}), search: toIdSearch(id) }
  const [payment] = await findPage(deps.db, filter, { by: 'candidates', after: null, offset: 0, limit: 1 })
  if (!payment) throw new ServiceError('not_found')
  return payment
}

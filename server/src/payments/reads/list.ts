import { TOTAL_COUNTED_MAX } from '@pazar/contract'
import type { TransactionListBody, TransactionView } from '@pazar/contract'
import type { AccountId } from '../../accounts/account.ts'
import { requireProject } from '../../projects/access.ts'
import { listProjects } from '../../projects/projects-store.ts'
import type { PaymentDeps } from '../deps.ts'
import { countFound, probeCandidates, readStoredTotal } from './list-count-store.ts'
import { toListFilter } from './list-filter.ts'
import type { ListFilter } from './list-filter.ts'
import { findPage } from './list-store.ts'
import type { ListedPayment, PageWindow } from './list-store.ts'
import { isPaid, toReference } from '../payment.ts'

export interface Total {
  total: number
  totalExact: boolean
}

export type ListPlan = Total & Pick<PageWindow, 'by'>

function toTotal(counted: number, isWhole = counted <= TOTAL_COUNTED_MAX): Total {
  return { total: Math.min(counted, TOTAL_COUNTED_MAX), totalExact: isWhole }
}

export async function planList(deps: PaymentDeps, filter: ListFilter): Promise<ListPlan> {
  const { customId, from, to, search, completedFrom, completedTo, refunded, disputed, needsReview } = filter
  const hasOwnIndex = search !== null || completedFrom !== null || completedTo !== null
  if (customId === null && hasOwnIndex) {
    const { counted, matching } = await probeCandidates(deps.db, filter)
    // There are too many matches to sort. With so many, a scan in the order of the list soon fills a page.
    if (counted > TOTAL_COUNTED_MAX) return { by: 'order', ...toTotal(matching, false) }
    return { by: 'candidates', ...toTotal(matching) }
  }
  if ([customId, from, to, refunded, disputed].every((one) => one === null) && needsReview !== true) {
    const stored = await readStoredTotal(deps.db, filter)
    // The stored totals include payments in review. If the filter excludes payments in review, they are counted and
    // subtracted. This count is fast, because payments in review are few and have an index.
    const others = needsReview === null ? 0 : await countFound(deps.db, { ...filter, needsReview: true })
    return { by: 'order', total: stored - others, totalExact: others <= TOTAL_COUNTED_MAX }
  }
  return { by: 'order', ...toTotal(await countFound(deps.db, filter)) }
}

async function requireScope(
  deps: PaymentDeps,
  accountId: AccountId,
  projectId: string | undefined,
): Promise<string[]> {
  if (projectId !== undefined) return [(await requireProject(deps.db, accountId, projectId, 'read')).id]
  return (await listProjects(deps.db, accountId)).map(({ id }) => id)
}

export interface ListPage extends Total {
  items: ListedPayment[]
  page: number
  limit: number
  hasMore: boolean
}

export async function listTransactions(
  deps: PaymentDeps,
  accountId: AccountId,
  body: TransactionListBody,
): Promise<ListPage> {
  const { page, limit, projectId, ...filters } = body
  const projectIds = await requireScope(deps, accountId, projectId)
  if (projectIds.length === 0) return { items: [], page, limit, total: 0, totalExact: true, hasMore: false }
  const filter = toListFilter(projectIds, filters, deps.erasedOrders.toHash)
  const { by, ...total } = await planList(deps, filter)
  const offset = (page - 1) * limit
  // One extra row shows whether another page follows.
  const found = await findPage(deps.db, filter, { by, after: null, offset, limit: limit + 1 })
  return { items: found.slice(0, limit), page, limit, ...total, hasMore: found.length > limit }
}

export function toTransactionView(
  payment: ListedPayment,
  { scaleOfOldPayments }: PaymentDeps['installation'],
): TransactionView {
  return {
    id: payment.id,
    reference: toReference(payment.id),
    projectId: payment.projectId,
    amount: payment.amount.toString(),
    currency: payment.currency,
    scale: payment.scale ?? scaleOfOldPayments,
    state: payment.state,
    successful: isPaid(payment),
    mode: payment.mode,
    customId: payment.customId,
    data: payment.data,
    failureCode: payment.failureCode,
    needsReview: payment.needsReview,
    resolution: payment.resolution,
    resolvedAt: payment.resolvedAt?.toISOString() ?? null,
    resolutionReason: payment.resolutionReason,
    refunded: payment.refunded.toString(),
    refundable: payment.refundable.toString(),
    disputed: payment.disputed.toString(),
    upstreamRef: payment.upstreamRef,
    callback: payment.callback && {
      ...payment.callback,
      deliveredAt: payment.callback.deliveredAt?.toISOString() ?? null,
    },
    createdAt: payment.createdAt.toISOString(),
    completedAt: payment.completedAt?.toISOString() ?? null,
  }
}

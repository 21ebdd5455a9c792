import { CALLBACK_ID_PATTERN } from '@pazar/contract'
import { findPaymentIdsOfSession } from '../../backends/stripe-store.ts'
import { findTransactionIdsOf } from '../../callbacks/outbox-store.ts'
import { UUID_PATTERN } from '../../lib/id.ts'
import type { PaymentDeps } from '../deps.ts'
import { listProjectIds } from '../../projects/projects-store.ts'
import { FOUND_MAX, findPayments } from './find-store.ts'
import { toExactSearch, toSearch } from './list-filter.ts'
import type { Payment } from '../payment.ts'

type FindDeps = Pick<PaymentDeps, 'db' | 'erasedOrders'>

export interface FoundPayments {
  /** Newest first. */
  payments: Payment[]
  hasMore: boolean
}

async function toErasedHashes(
  deps: FindDeps,
  projectIds: readonly string[],
  customId: string,
): Promise<Buffer[]> {
  if (!(await deps.erasedOrders.reload())) return []
  return projectIds.flatMap((id) => deps.erasedOrders.toHash(id, customId) ?? [])
}

/** `isExact`: a customId has to match as a whole, and data is not searched. */
export async function findPaymentsByText(
  deps: FindDeps,
  input: string,
  { isExact = false }: { isExact?: boolean } = {},
): Promise<FoundPayments> {
  const text = input.trim()
  // PostgreSQL cannot store a NUL character, so no payment has one.
  if (text === '' || text.includes('\0')) return { payments: [], hasMore: false }
  const id = text.toLowerCase()
  const idsFromOtherTables = CALLBACK_ID_PATTERN.test(id)
    ? await findTransactionIdsOf(deps.db, id)
    : await findPaymentIdsOfSession(deps.db, text)
  const projectIds = await listProjectIds(deps.db)
  const hashes = await toErasedHashes(deps, projectIds, text)
  const attemptId = UUID_PATTERN.test(id) ? id : null
  const search = isExact ? toExactSearch(text) : toSearch(text)
  const found = await findPayments(deps.db, search, attemptId, idsFromOtherTables, hashes, projectIds)
  return { payments: found.slice(0, FOUND_MAX), hasMore: found.length > FOUND_MAX }
}

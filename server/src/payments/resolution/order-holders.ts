// Finds the open and paid payments of the same order as a given payment: those with the same customId, even if the
// customId is erased, and those of the same checkout.
import type { Queryable } from '../../db/pool.ts'
import type { PaymentDeps } from '../deps.ts'
import type { Payment } from '../payment.ts'
import { findPaymentsById } from '../payments-store.ts'
import { findCustomIdHash, listHeldOrders, listHolders, ORDERS_BATCH } from './resolve-store.ts'

type HolderDeps = Pick<PaymentDeps, 'erasedOrders'>

/**
 * The customId of an erased payment is stored only as a hash. Most customIds that are not erased have no stored hash. So the
 * customIds of the project's open and paid orders are hashed until one matches.
 */
async function findByHash(
  { erasedOrders }: HolderDeps,
  db: Queryable,
  payment: Payment,
  hash: Buffer,
): Promise<Payment[]> {
  if (!(await erasedOrders.reload())) throw new Error('the key of erased orders is missing')
  for (let after = '', isLast = false; !isLast;) {
    const orders = await listHeldOrders(db, payment, after)
    const found = orders.find(({ customId }) =>
      erasedOrders.toHash(payment.projectId, customId)?.equals(hash),
    )
    if (found) return findPaymentsById(db, [found.id])
    isLast = orders.length < ORDERS_BATCH
    after = orders.at(-1)?.customId ?? ''
  }
  return []
}

export async function listOtherHolders(
  deps: HolderDeps,
  db: Queryable,
  payment: Payment,
): Promise<Payment[]> {
  const { id, projectId, customId } = payment
  const holders = await listHolders(db, payment, deps.erasedOrders.toHash(projectId, customId))
  const hash = customId === null ? await findCustomIdHash(db, id) : null
  return hash ? [...holders, ...(await findByHash(deps, db, payment, hash))] : holders
}

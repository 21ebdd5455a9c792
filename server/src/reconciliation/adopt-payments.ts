// Adopts payments: stores those that the upstream lists and the database lacks.
import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Backend, Charge } from '../backends/backend.ts'
import type { Listed } from '../backends/pager.ts'
import { callBackend } from '../payments/call-upstream.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { lookUpNow } from '../payments/lookup-now.ts'
import type { LostPayment } from '../payments/adopt-store.ts'
import { adoptDuplicate, adoptPayment } from '../payments/adopt-store.ts'
import type { Payment } from '../payments/payment.ts'
import { isFinal } from '../payments/payment.ts'
import { findPayment } from '../payments/payments-store.ts'
import { recordReport, toSafeText } from '../payments/record-report.ts'
import { findOwnerId } from '../projects/projects-store.ts'

/** What happened to one payment of the upstream's list. */
export type Adoption =
  /** The payment is stored here already. */
  | 'known'
  /** The payment was open here, and a lookup changed its state. */
  | 'updated'
  /** The payment was missing here and is now stored. */
  | 'adopted'
  /** Another payment here has the order or attempt of the missing payment, which is now stored as failed. */
  | 'duplicate'
  /** The payment was charged, but its project does not exist here. */
  | 'orphan'
  /** The payment was charged, but has no metadata of ours. */
  | 'unmarked'
  /** The payment is not ours or was never opened. Or it was not charged and belongs to no project here. */
  | 'ignored'
  /** The payment could not be stored or looked up. Another run of `reconcile --since` may succeed. */
  | 'failed'

export interface AdoptOptions {
  isDry: boolean
  /**
   * Opens the restore gate (close-gate.ts) even if some entries could not be stored. Each of these entries becomes an
   * incident.
   */
  acceptFailed: boolean
}

type Item = Listed<Charge>

const isOpen = ({ status }: Charge) => status === 'processing' || status === 'requires_action'

/**
 * Payments with a lower rank are adopted first. An order can have only one payment that is open or paid, so if an open
 * payment were stored first, the payment that paid the order would be stored as a duplicate.
 */
function toRank(item: Item): number {
  if (item.status === 'failed' || item.status === 'cancelled') return 0
  return item.status === 'succeeded' ? 1 : 2
}

export function toAdoptionOrder(items: readonly Item[], isKnown: (id: string) => boolean): Item[] {
  const rankOf = (item: Item) => (isKnown(item.id) ? -1 : toRank(item))
  return items.toSorted((a, b) => rankOf(a) - rankOf(b))
}

export async function raiseOrphan(
  deps: PaymentDeps,
  backend: Backend,
  object: string,
  facts: Record<string, string | null>,
): Promise<void> {
  const id = toSafeText(facts['id'] ?? 'without an id', 80)
  await raiseIncident(deps, {
    kind: 'orphan_charge',
    transactionId: null,
    subject: `${backend.name} ${object} ${id}`,
    facts: { ...facts, id, upstream: backend.name, object },
  })
}

function toFacts(item: Item): Record<string, string | null> {
  return {
    id: item.id,
    status: item.status,
    amount: item.amount.toString(),
    currency: toSafeText(item.currency),
    project: toSafeText(item.origin?.projectId ?? item.projectId ?? '') || null,
    charge: item.chargeId && toSafeText(item.chargeId),
    createdAt: item.createdAt?.toISOString() ?? null,
  }
}

/** Records a listed charge only for an ended payment, because open payments were looked up before (look-up-open.ts). */
async function compare(deps: PaymentDeps, payment: Payment, item: Item): Promise<Adoption> {
  if (isFinal(payment.state) && item.status === 'succeeded') await recordReport(deps, payment, item)
  return 'known'
}

/**
 * Called for a payment that is a duplicate, or whose project does not exist here. Cancels the payment if it is open, so
 * that nobody can pay it.
 */
async function closeAtUpstream(deps: PaymentDeps, backend: Backend, item: Item): Promise<Charge> {
  if (!isOpen(item)) return item
  // `adopt` stores the id of Stripe's session. Without this id, `cancel` would report the payment as cancelled, but leave
  // Stripe's payment page open.
  await backend.adopt?.(item)
  return callBackend(deps, backend, 'lookup', (one) => one.cancel(item.id))
}

async function adopt(deps: PaymentDeps, backend: Backend, item: Item, lost: LostPayment): Promise<Adoption> {
  await backend.adopt?.(item)
  const adopted = await adoptPayment(deps.db, lost)
  if (adopted) {
    if (backend.adopt)
      return (await lookUpNow(deps, adopted)).reported === 'no response' ? 'failed' : 'adopted'
    await recordReport(deps, adopted, item)
    return 'adopted'
  }
  const closed = await closeAtUpstream(deps, backend, item)
  const duplicate = (await adoptDuplicate(deps.db, lost)) ?? (await findPayment(deps.db, item.id))
  if (!duplicate) throw new Error('the payment could not be stored')
  await recordReport(deps, duplicate, closed)
  return 'duplicate'
}

/** With `isDry`, nothing changes, and a duplicate is reported as adopted. */
export async function adoptOne(
  deps: PaymentDeps,
  backend: Backend,
  item: Item,
  isDry: boolean,
): Promise<Adoption> {
  if (!TRANSACTION_ID_PATTERN.test(item.id)) return 'ignored'
  const stored = await findPayment(deps.db, item.id)
  if (stored) return isDry ? 'known' : compare(deps, stored, item)
  const { origin } = item
  if (origin && origin.installationId !== deps.installation.id) return 'ignored'
  const hasProject = origin && (await findOwnerId(deps.db, origin.projectId)) !== null
  // The amount 0 means that the payment was cancelled before it was opened, so it cannot be charged.
  if (item.amount === 0n) return 'ignored'
  if (!hasProject) {
    const ended = origin && !isDry ? await closeAtUpstream(deps, backend, item) : item
    if (ended.status !== 'succeeded') return 'ignored'
    if (!isDry) await raiseOrphan(deps, backend, 'payment', toFacts({ ...item, ...ended }))
    return origin ? 'orphan' : 'unmarked'
  }
  if (isDry) return 'adopted'
  const { id, amount, currency } = item
  const upstreamAccount = backend.accounts[0]
  return adopt(deps, backend, item, { id, amount, currency, backend: backend.name, upstreamAccount, origin })
}

/** An error becomes `failed`, so that one payment does not stop the others. */
export async function tryAdopt(
  deps: PaymentDeps,
  backend: Backend,
  item: Item,
  { isDry, acceptFailed }: AdoptOptions,
): Promise<Adoption> {
  try {
    return await adoptOne(deps, backend, item, isDry)
  } catch (error) {
    deps.log.error({ err: error, transactionId: item.id }, 'a payment of the upstream could not be adopted')
    if (acceptFailed && !isDry) await raiseOrphan(deps, backend, 'payment', toFacts(item))
    return 'failed'
  }
}

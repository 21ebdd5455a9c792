import { TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Backend } from '../backends/backend.ts'
import type { Pager } from '../backends/pager.ts'
import { toFirstUuidV7 } from '../lib/id.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import type { Payment } from '../payments/payment.ts'
import { findPaymentsById } from '../payments/payments-store.ts'
import { findPaymentByCharge } from '../payments/refund-sums-store.ts'
import type { Difference, LedgerObject, Side } from './compare.ts'
import { findTrouble, toText } from './compare.ts'
import type { Window } from './read-lists.ts'
import { readList } from './read-lists.ts'

/** `toMs` itself is not part of the period. */
export interface Period {
  fromMs: number
  toMs: number
}

export interface Compared {
  /** How many entries of the period moved money in our ledger, in the upstream's ledger or in both. */
  count: number
  differences: Difference[]
}

const CHUNK = 500

/** Texts that are not our ids are ignored. */
export async function findByIds<Row extends { id: string }>(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<Map<string, Row>> {
  const found = new Map<string, Row>()
  const ownIds = [...new Set(ids)].filter((id) => TRANSACTION_ID_PATTERN.test(id))
  for (let from = 0; from < ownIds.length; from += CHUNK)
    for (const row of await find(ownIds.slice(from, from + CHUNK))) found.set(row.id, row)
  return found
}

export interface Scope {
  deps: PaymentDeps
  backend: Backend
  read: <Item>(list: Pager<Item>) => Promise<Item[]>
  /** Whether the entry was made by another installation that uses the same account at the upstream. */
  isOfOther: (item: { origin?: { installationId: string } | null }) => boolean
  /** An unknown time counts as part of every period. */
  isInPeriod: (at: Date | null) => boolean
  /** Whether the payment belongs to this upstream and to one of its accounts. */
  isOwn: (payment: Payment) => boolean
  /** Finds only payments of this upstream and its accounts. Texts that are not our ids are ignored. */
  findPayments: (ids: readonly string[]) => Promise<Map<string, Payment>>
  /** Finds the payment by `paymentId`, which is our id. If `paymentId` is null, finds the payment by the id of its charge. */
  findPaymentOfReport: (
    reportedIds: { paymentId: string | null; chargeId: string | null },
    paymentsById: ReadonlyMap<string, Payment>,
  ) => Promise<Payment | null>
  listRows: <Row extends { id: string }>(
    list: (after: string, before: string) => Promise<Row[]>,
  ) => AsyncGenerator<Row[]>
  toDifference: (found: {
    object: LedgerObject
    id: string
    transactionId: string | null
    here: Side | null
    there: Side | null
  }) => Difference | null
}

export function createScope(deps: PaymentDeps, backend: Backend, period: Period, window: Window): Scope {
  const isOwn = (payment: Payment) =>
    payment.backend === backend.name && backend.accounts.includes(payment.upstreamAccount)
  return {
    deps,
    backend,
    isOwn,
    read: (list) => readList(deps, backend, list, window),
    isOfOther: ({ origin }) => (origin ?? null) !== null && origin!.installationId !== deps.installation.id,
    isInPeriod: (at) => at === null || (at.getTime() >= period.fromMs && at.getTime() < period.toMs),
    findPayments: (ids) =>
      findByIds(ids, async (some) => (await findPaymentsById(deps.db, some)).filter(isOwn)),
    async findPaymentOfReport({ paymentId, chargeId }, paymentsById) {
      if (paymentId !== null) return paymentsById.get(paymentId) ?? null
      const payment = chargeId && (await findPaymentByCharge(deps.db, backend.name, chargeId))
      return payment && isOwn(payment) ? payment : null
    },
    async *listRows(list) {
      const endId = toFirstUuidV7(period.toMs)
      let lastId = toFirstUuidV7(period.fromMs)
      for (;;) {
        const rows = await list(lastId, endId)
        if (rows.length === 0) return
        yield rows
        lastId = rows.at(-1)!.id
      }
    },
    toDifference({ here, there, ...found }) {
      const trouble = findTrouble(here, there)
      return (
        trouble && { upstream: backend.name, ...found, trouble, here: toText(here), there: toText(there) }
      )
    },
  }
}

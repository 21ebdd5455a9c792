// Compares the paid payments in our ledger with the paid payments in the upstream's ledger. Payments that an operator has
// resolved are counted, but not compared.
import type { Charge } from '../backends/backend.ts'
import type { Listed } from '../backends/pager.ts'
import type { Payment } from '../payments/payment.ts'
import { isFinal, isPaid } from '../payments/payment.ts'
import { listPaidPayments } from '../payments/reads/period-store.ts'
import type { Difference, Side } from './compare.ts'
import { toText } from './compare.ts'
import type { Compared, Scope } from './scope.ts'

/** An open payment is left out for a day, because the service still looks it up. */
const OPEN_MAX_MS = 24 * 3_600_000

function toHere(payment: Payment): Side {
  const { amount, currency, scale, state } = payment
  return { amount, currency, scale, state, hasMoved: isPaid(payment) }
}

function toThere({ amount, currency, scale, status }: Listed<Charge>): Side {
  return { amount, currency, scale, state: status, hasMoved: status === 'succeeded' }
}

function findSecondCharge(charges: readonly Listed<Charge>[]): Listed<Charge> | null {
  const charged = charges.filter(({ status }) => status === 'succeeded')
  return charged.find(({ chargeId }) => chargeId !== null && chargeId !== charged[0]!.chargeId) ?? null
}

function toChargedTwice(scope: Scope, payment: Payment, second: Listed<Charge>): Difference {
  return {
    upstream: scope.backend.name,
    object: 'payment',
    trouble: 'charged_twice',
    id: payment.id,
    transactionId: payment.id,
    here: toText(toHere(payment)),
    there: `${toText(toThere(second))}, second charge ${second.chargeId}`,
  }
}

export async function comparePayments(scope: Scope): Promise<Compared & { decided: number }> {
  const { deps, backend } = scope
  const read = await scope.read(backend.lists!.payments)
  const listed = Map.groupBy(
    read.filter((charge) => !scope.isOfOther(charge)),
    ({ id }) => id,
  )
  const paymentsById = await scope.findPayments([...listed.keys()])
  const differences: Difference[] = []
  let count = 0
  let decided = 0
  const isStillOpen = ({ state, createdAt }: Payment) =>
    !isFinal(state) && deps.clock.nowMs() - createdAt.getTime() < OPEN_MAX_MS

  for (const [id, charges] of listed) {
    const there = charges.find(({ status }) => status === 'succeeded') ?? charges[0]!
    const payment = paymentsById.get(id) ?? null
    const isInPeriod = scope.isInPeriod(there.createdAt) || (payment && scope.isInPeriod(payment.createdAt))
    if (!isInPeriod || (payment && isStillOpen(payment))) continue
    if (payment && payment.resolution !== null) {
      decided += 1
      continue
    }
    const here = payment && toHere(payment)
    if (here?.hasMoved || toThere(there).hasMoved) count += 1
    const second = payment && findSecondCharge(charges)
    if (second) differences.push(toChargedTwice(scope, payment, second))
    const difference = scope.toDifference({
      object: 'payment',
      id,
      transactionId: payment?.id ?? null,
      here,
      there: toThere(there),
    })
    if (difference) differences.push(difference)
  }

  for await (const payments of scope.listRows((after, before) => listPaidPayments(deps.db, after, before)))
    for (const payment of payments) {
      if (!scope.isOwn(payment) || listed.has(payment.id)) continue
      if (payment.resolution !== null) {
        decided += 1
        continue
      }
      count += 1
      const { id } = payment
      const found = { object: 'payment', id, transactionId: id, here: toHere(payment), there: null } as const
      differences.push(scope.toDifference(found)!)
    }
  return { count, decided, differences }
}

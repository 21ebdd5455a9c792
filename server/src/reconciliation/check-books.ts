// Compares our ledger with the ledgers of the upstreams for a period, and reports each difference as an incident. Entries
// are matched by id, because the two sides may have different times.
import type { Backend } from '../backends/backend.ts'
import { toDate } from '../lib/clock.ts'
import type { PaymentDeps } from '../payments/deps.ts'
import { listPaidPayments } from '../payments/reads/period-store.ts'
import { raiseIncident } from '../payments/incidents.ts'
import type { Difference } from './compare.ts'
import { toKey } from './compare.ts'
import { compareDisputes } from './disputes.ts'
import { comparePayments } from './payments.ts'
import type { Window } from './read-lists.ts'
import { compareRefunds } from './refunds.ts'
import type { Compared, Period, Scope } from './scope.ts'
import { createScope } from './scope.ts'

const DAY_MS = 24 * 3_600_000
/**
 * The lists are read from this long before the period. Our entry may be days later than the upstream's entry, because an
 * upstream repeats a failed webhook for days.
 */
const BEFORE_MS = 7 * DAY_MS
/**
 * The lists are read until this long after the period, because the upstream's entry may be later than ours. A payer may
 * stay on the upstream's page for a day, and a refund without a response is sent again for 20 hours.
 */
const AFTER_MS = 2 * DAY_MS

export interface RequestedPeriod extends Period {
  /** Payments between `toMs` and this time are only counted. */
  requestedToMs?: number
}

export interface CheckedUpstream {
  upstream: string
  isListed: boolean
  payments: number
  /** `refunds` and `disputes` are null if the upstream does not offer or list them. Then they were not compared. */
  refunds: number | null
  disputes: number | null
  /** Payments that were not compared, because an operator has resolved them. */
  decided: number
  /** Paid payments of the requested period that are too recent to be compared. */
  fresh: number
  differences: Difference[]
}

async function countFresh(scope: Scope): Promise<number> {
  let count = 0
  for await (const payments of scope.listRows((after, before) =>
    listPaidPayments(scope.deps.db, after, before),
  ))
    count += payments.filter((payment) => scope.isOwn(payment)).length
  return count
}

async function compareAll(
  deps: PaymentDeps,
  backend: Backend,
  period: RequestedPeriod,
): Promise<CheckedUpstream> {
  const window: Window = {
    since: toDate(period.fromMs - BEFORE_MS),
    until: toDate(period.toMs + AFTER_MS),
  }
  const tooRecent = { fromMs: period.toMs, toMs: period.requestedToMs ?? period.toMs }
  const scope = createScope(deps, backend, period, window)
  const payments = await comparePayments(scope)
  const refunds = (await backend.refunds?.isOffered()) ? await compareRefunds(scope) : null
  const disputes = (await backend.disputes?.isOffered()) ? await compareDisputes(scope) : null
  const comparedLists = [payments, refunds, disputes].filter((one): one is Compared => one !== null)
  return {
    upstream: backend.name,
    isListed: true,
    payments: payments.count,
    refunds: refunds?.count ?? null,
    disputes: disputes?.count ?? null,
    decided: payments.decided,
    fresh: await countFresh(createScope(deps, backend, tooRecent, window)),
    differences: comparedLists.flatMap(({ differences }) => differences),
  }
}

async function checkUpstream(
  deps: PaymentDeps,
  backend: Backend,
  period: RequestedPeriod,
): Promise<CheckedUpstream> {
  const upstream = backend.name
  if (!(await backend.lists?.isOffered()))
    return {
      upstream,
      isListed: false,
      payments: 0,
      refunds: null,
      disputes: null,
      decided: 0,
      fresh: 0,
      differences: [],
    }
  const first = await compareAll(deps, backend, period)
  if (first.differences.length === 0) return first
  // An entry may change while the lists are read, so only differences that both comparisons find are reported.
  const firstKeys = new Set(first.differences.map(toKey))
  const second = await compareAll(deps, backend, period)
  return { ...second, differences: second.differences.filter((one) => firstKeys.has(toKey(one))) }
}

async function record(deps: PaymentDeps, difference: Difference): Promise<void> {
  const { upstream, object, trouble, id, transactionId, here, there } = difference
  await raiseIncident(deps, {
    kind: 'books_differ',
    transactionId,
    subject: `${upstream} ${object} ${id} ${trouble}`,
    facts: { upstream, object, difference: trouble, id, here, there },
  })
}

/** Test payments move no money, so they are not checked. */
export async function checkBooks(deps: PaymentDeps, period: RequestedPeriod): Promise<CheckedUpstream[]> {
  const { live, previous } = deps.backends
  const checked: CheckedUpstream[] = []
  for (const backend of [live, ...previous]) checked.push(await checkUpstream(deps, backend, period))
  for (const { differences } of checked) for (const difference of differences) await record(deps, difference)
  return checked
}

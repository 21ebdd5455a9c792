// An upstream for tests. The tests fill its lists of payments, refunds and disputes.
import { randomUUID } from 'node:crypto'
import type { Backend, Charge, DisputeReport, RefundReport } from '../src/backends/backend.ts'
import { UnknownOutcomeError } from '../src/backends/backend.ts'
import type { Origin } from '../src/backends/origin.ts'
import type { Listed } from '../src/backends/pager.ts'
import { toDate } from '../src/lib/clock.ts'
import { newUuidV7 } from '../src/lib/id.ts'
import type { Deps } from '../src/wire.ts'

export interface ListingUpstream {
  backend: Backend
  payments: Listed<Charge>[]
  refunds: Listed<RefundReport>[]
  disputes: Listed<DisputeReport>[]
  calls: string[]
  /** Whether the upstream offers its lists of payments and refunds. The list of disputes is always offered. */
  isListing: boolean
  cancelledAs: Charge['status']
}

const QUOTA = { perSec: 1000, burst: 1000, waitingPerSec: 1000, waitingBurst: 1000 }

export function createListingUpstream(deps: Deps, name: Backend['name'] = 'http'): ListingUpstream {
  const listOf =
    <Item>(toItems: () => Item[]) =>
    async () => ({ items: toItems(), next: null })
  const find = (id: string) => upstream.payments.find((one) => one.id === id) ?? null
  const upstream: ListingUpstream = {
    payments: [],
    refunds: [],
    disputes: [],
    calls: [],
    isListing: true,
    cancelledAs: 'cancelled',
    backend: {
      name,
      accounts: [`account of ${name}`],
      quota: QUOTA,
      create: async () => Promise.reject(new UnknownOutcomeError('nothing is charged here')),
      find: async (id) => {
        upstream.calls.push(`find ${id}`)
        return find(id)
      },
      cancel: async (id) => {
        upstream.calls.push(`cancel ${id}`)
        return { ...find(id)!, status: upstream.cancelledAs, actionUrl: null }
      },
      lists: {
        isOffered: async () => upstream.isListing,
        payments: listOf(() => upstream.payments),
        refunds: listOf(() => upstream.refunds),
      },
      refunds: { ...deps.backends.test.refunds!, isOffered: async () => true },
      disputes: { pollMs: 1_000, isOffered: async () => true, list: listOf(() => upstream.disputes) },
    },
  }
  return upstream
}

/** By default the payment is charged, and this installation opened it. */
export function toListedPayment(
  deps: Deps,
  projectId: string,
  fields: Partial<Listed<Charge>> = {},
  origin: Partial<Origin> = {},
): Listed<Charge> & { origin: Origin } {
  const createdAt = toDate(deps.clock.nowMs() - 3_600_000)
  return {
    id: newUuidV7(deps.clock),
    status: 'succeeded',
    amount: 1500n,
    currency: 'EUR',
    projectId,
    chargeId: `ch_${randomUUID()}`,
    failureCode: null,
    actionUrl: fields.status === 'requires_action' ? 'https://bank.example/' : null,
    createdAt,
    scale: 2,
    ...fields,
    origin: {
      installationId: deps.installation.id,
      projectId,
      mode: 'live',
      attemptId: randomUUID(),
      checkoutId: null,
      customId: null,
      data: null,
      scale: 2,
      createdAt,
      ...origin,
    },
  }
}

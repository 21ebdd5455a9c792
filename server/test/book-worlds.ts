// The upstreams for tests with random histories of payments. Only the sandbox world uses the amounts 4002 and 4003, because
// requests with these amounts would time out at the other upstreams.
import { after } from 'node:test'
import type { DisputeReport } from '../src/backends/backend.ts'
import type { Listed, Pager } from '../src/backends/pager.ts'
import { toDate } from '../src/lib/clock.ts'
import type { Payment } from '../src/payments/payment.ts'
import type { Deps } from '../src/wire.ts'
import { startStripeStandIn } from './stripe-stand-in.ts'
import { startUpstream } from './upstream-process.ts'

export type DisputeStatus = DisputeReport['status']

export interface BookWorld {
  name: string
  env: Record<string, string>
  amounts: readonly bigint[]
  refundAmounts: readonly (string | undefined)[]
  act: (id: string) => void
  dispute: (payment: Payment, status: DisputeStatus, amount: bigint) => Promise<void>
}

const AMOUNTS = [1n, 999n, 1500n, 123_456n, 4000n, 4001n, 4005n]
const REFUND_AMOUNTS = [undefined, '1', '500', '4000', '4005']

/** Replaces the disputes of the sandbox. The returned function opens a dispute or changes its status. */
export function scriptSandboxDisputes(deps: Deps) {
  const reports = new Map<string, Listed<DisputeReport>>()
  const list: Pager<Listed<DisputeReport>> = async () => ({ items: [...reports.values()], next: null })
  Object.assign(deps.backends.test, { disputes: { isOffered: async () => true, pollMs: 0, list } })
  return (payment: Payment, status: DisputeStatus, amount: bigint) => {
    const upstreamRef = `du_${payment.id}`
    reports.set(upstreamRef, {
      paymentId: payment.id,
      chargeId: null,
      status,
      amount: reports.get(upstreamRef)?.amount ?? amount,
      currency: 'EUR',
      upstreamRef,
      reason: null,
      respondBy: null,
      createdAt: toDate(deps.clock.nowMs()),
      scale: null,
    })
  }
}

export function createSandboxWorld(): BookWorld {
  return {
    name: 'sandbox',
    env: {},
    amounts: [...AMOUNTS, 999_999_999_999n, 4002n, 4003n, 4007n],
    refundAmounts: [...REFUND_AMOUNTS, '4002', '4009'],
    act: () => undefined,
    // Does nothing, because tests open sandbox disputes with the function that scriptSandboxDisputes returns.
    dispute: async () => undefined,
  }
}

export async function startHttpWorld(): Promise<BookWorld> {
  const upstream = await startUpstream()
  after(() => upstream.stop())
  return {
    name: 'http',
    env: upstream.env,
    amounts: [...AMOUNTS, 999_999_999_999n],
    refundAmounts: REFUND_AMOUNTS,
    act: () => undefined,
    dispute: ({ id }, status, amount) => upstream.disputeAtBank(id, { status, amount }),
  }
}

const STRIPE_STATUS: Record<DisputeStatus, string> = {
  inquiry: 'warning_needs_response',
  open: 'needs_response',
  won: 'won',
  lost: 'lost',
}

export async function startStripeWorld(): Promise<BookWorld> {
  const standIn = await startStripeStandIn()
  after(() => standIn.close())
  standIn.faults.set(4005, 'paid_error_after')
  standIn.refunds.faults.set(4000, 'refused')
  standIn.refunds.faults.set(4005, 'error_after')
  return {
    name: 'stripe',
    env: standIn.env,
    amounts: AMOUNTS,
    refundAmounts: REFUND_AMOUNTS,
    act(id) {
      const session = standIn.sessions.find((one) => one.metadata['pazar_transaction'] === id)
      if (session) standIn.act(id, session.amount_total === 4000 ? 'card_declined' : 'pay')
    },
    dispute: async ({ id }, status, amount) =>
      void standIn.dispute(id, STRIPE_STATUS[status], Number(amount)),
  }
}

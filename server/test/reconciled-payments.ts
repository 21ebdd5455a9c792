// For tests of lookups: payments at an upstream whose behaviour the test defines.
import assert from 'node:assert/strict'
import { rows } from './accounts.ts'
import { makeLookupsDue, newOrder, startPayments } from './payments.ts'
import type { Backend } from '../src/backends/backend.ts'
import { UnknownOutcomeError } from '../src/backends/backend.ts'
import type { Deps } from '../src/wire.ts'
import { claimDue } from '../src/payments/checks-store.ts'
import { toNextCheckMs } from '../src/payments/check-plan.ts'
import { confirmPayment } from '../src/payments/confirm.ts'
import type { Payment } from '../src/payments/payment.ts'
import { reconcileOnce } from '../src/payments/reconcile.ts'

export async function startReconciledPayments() {
  const { deps, projectId, replica, logs } = await startPayments()
  const { db } = deps

  async function open(amount: bigint, otherDeps: Deps = deps): Promise<Payment> {
    const outcome = await confirmPayment(otherDeps, newOrder(projectId, { amount }))
    return outcome.kind === 'payment' ? outcome.payment : assert.fail(outcome.kind)
  }

  function withUpstream(backend: Partial<Backend>): Deps {
    const sandbox = { ...deps.backends.live, ...backend }
    return { ...deps, backends: { live: sandbox, test: sandbox, previous: [] } }
  }

  const noResponse = () => Promise.reject(new UnknownOutcomeError('away'))

  async function reconcile(otherDeps: Deps = deps): Promise<void> {
    await makeLookupsDue(db)
    await reconcileOnce(otherDeps)
  }

  /** The pauses before the next lookups of a payment, in seconds. */
  async function pausesOf(id: string, count: number): Promise<number[]> {
    const pauses: number[] = []
    for (let round = 0; round < count; round += 1) {
      await makeLookupsDue(db)
      const due = await claimDue(db, {
        backend: 'sandbox',
        quota: null,
        limit: 100,
        toNextCheckMs: (open, nowMs) => toNextCheckMs(open, nowMs, 30),
      })
      const { nowMs } = due.find(({ payment }) => payment.id === id) ?? assert.fail('not due')
      const text =
        'select extract(epoch from next_check_at)::float * 1000 as ms from transactions where id = $1'
      const [row] = await rows<{ ms: number }>(db, text, [id])
      pauses.push(Math.round((row!.ms - nowMs) / 1000))
    }
    return pauses
  }
  return { deps, replica, logs, db, open, withUpstream, noResponse, reconcile, pausesOf }
}

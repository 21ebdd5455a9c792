import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RefundReport } from './backend.ts'
import type { StripeRefund } from './stripe-refund.ts'
import { parseRefund, toRefundReport } from './stripe-refund.ts'

const REFUND = { object: 'refund', id: 're_1', amount: 500, currency: 'eur', payment_intent: 'pi_1' }

function reportOf(fields: object): RefundReport {
  const refund = parseRefund({ ...REFUND, ...fields })
  assert.ok(refund)
  const report = toRefundReport(refund, 'installation')
  assert.ok(report)
  return report
}

const EXPECTED: Record<StripeRefund['status'], Pick<RefundReport, 'status' | 'pendingReason'>> = {
  pending: { status: 'pending', pendingReason: null },
  // The payer has to give Stripe a bank account, so the refund may still succeed.
  requires_action: { status: 'pending', pendingReason: 'requires_action' },
  succeeded: { status: 'succeeded', pendingReason: null },
  failed: { status: 'failed', pendingReason: null },
  canceled: { status: 'failed', pendingReason: null },
}

test('each status of a Stripe refund becomes one of our statuses, and "requires_action" becomes the pending reason', () => {
  for (const [status, expected] of Object.entries(EXPECTED)) {
    const { status: found, pendingReason } = reportOf({ status })
    assert.deepEqual({ status: found, pendingReason }, expected, status)
  }
})

test('Stripe’s own reason for a pending refund is reported, unless the status is "requires_action"', () => {
  const pending_reason = 'charge_pending'
  assert.equal(reportOf({ status: 'pending', pending_reason }).pendingReason, 'charge_pending')
  assert.equal(reportOf({ status: 'requires_action', pending_reason }).pendingReason, 'requires_action')
})

test('a refund with an unknown status is not accepted', () => {
  assert.equal(parseRefund({ ...REFUND, status: 'refunded' }), null)
})

// Harmful changes on paths that payers and operators seldom reach: after a restore, with a verified owner, at the bank, in a
// repeated or incomplete report.
import type { Bug } from './bug.ts'

export const RARE_PATH_BUGS: readonly Bug[] = [
  [
    'a form from before a restore is charged although its payment may be among the lost ones',
    'server/src/checkout/confirm-link.ts',
    'attempt.isTooOld || attempt.sealedMs < deps.restoreGate.restoredMs()',
    'attempt.isTooOld',
    'server/src/checkout/sent-form.test.ts',
  ],
  [
    'the pay page offers a Pay button while payments are stopped',
    'server/src/checkout/check-link.ts',
    '  if (deps.restoreGate.isClosed()) throw new GateClosedError()\n',
    '',
    'server/src/checkout/sent-form.test.ts',
  ],
  [
    'with REQUIRE_KYC no merchant can be paid, verified or not',
    'server/src/checkout/check-link.ts',
    'deps.config.requireKyc && !target.isOwnerVerified',
    'deps.config.requireKyc',
    'server/src/checkout/show-link.test.ts',
  ],
  [
    'a payment that has ended still sends its payer to the bank',
    'server/src/payments/settle-store.ts',
    '       action_url = null, completed_at = now()',
    '       completed_at = now()',
    'server/src/payments/payments-store.test.ts',
  ],
  [
    'an open payment is never looked up again',
    'server/src/payments/checks-store.ts',
    'where id = $1 and resolution is not null and next_check_at is not null and completed_at is not null',
    'where id = $1',
    'server/src/payments/payments-store.test.ts',
  ],
  [
    'two processes erase at the same time',
    'server/src/payments/erasure/erasure-store.ts',
    'from erasure_progress for update skip locked',
    'from erasure_progress',
    'server/src/payments/erasure/waiting.test.ts',
  ],
  [
    '--force resolves a payment as unpaid that nobody doubts',
    'server/src/payments/resolution.ts',
    "isForced && as === 'paid' && isFinal",
    'isForced && isFinal',
    'server/src/payments/resolution.test.ts',
  ],
  [
    'a report without a deadline erases the deadline of a dispute',
    'server/src/disputes/disputes-store.ts',
    'respond_by = coalesce($4, respond_by)',
    'respond_by = $4',
    'server/src/disputes/record-dispute.test.ts',
  ],
  [
    'a dispute of nothing is recorded',
    'server/src/disputes/record-dispute.ts',
    ' && report.amount > 0n',
    '',
    'server/src/disputes/record-dispute.test.ts',
  ],
  [
    'a waiting refund loses the reference by which the upstream knows it',
    'server/src/refunds/refunds-store.ts',
    'set pending_reason = $2, upstream_ref = coalesce(upstream_ref, $3)',
    'set pending_reason = $2, upstream_ref = $3',
    'server/src/refunds/refund-scopes.test.ts',
  ],
  [
    'a refund is taken from the body of a redirect or of a failed response',
    'server/src/backends/http-refunds.ts',
    '(isSuccess || (status >= 400 && status < 500))',
    'status < 500',
    'server/src/backends/http-refunds.test.ts',
  ],
  [
    'a charge in another currency agrees with the ledger',
    'server/src/reconciliation/compare.ts',
    "  if (here.currency !== there.currency) return 'currency'\n",
    '',
    'server/src/reconciliation/compare.test.ts',
  ],
  [
    'another payer of the same link can have the receipt mailed to themselves',
    'server/src/checkout/request-receipt.ts',
    'const isOwn = state.link !== null',
    'const isOwn = payer !== null',
    'server/src/checkout/request-receipt.test.ts',
  ],
]

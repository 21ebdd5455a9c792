// Harmful changes around orders, refunds and restores.
import type { Bug } from './bug.ts'

export const ORDER_BUGS: readonly Bug[] = [
  [
    'an order whose payment is in review is charged again once its texts are erased',
    'server/src/payments/payments-store.ts',
    "t.mode = requested.mode and (${countsAsPaid('t')} or t.needs_review))",
    "t.mode = requested.mode and ${countsAsPaid('t')})",
    'server/src/payments/resolution/order-scopes.test.ts',
  ],
  [
    'a checkout that was resolved as paid is charged again',
    'server/src/payments/payments-store.ts',
    "and (needs_review or resolution = 'paid') offset 0)",
    'and needs_review offset 0)',
    'server/src/payments/resolution/order-scopes.test.ts',
  ],
  [
    'payments are charged while they are stopped after a restore',
    'server/src/payments/payments-store.ts',
    '\n         and i.gate_closed_at is null)',
    ')',
    'server/src/reconciliation/closed-gate.test.ts',
  ],
  [
    'an operator can resolve a payment while payments are stopped after a restore',
    'server/src/payments/resolution/resolve.ts',
    '  await requireOpenGate(deps.db)\n',
    '',
    'server/src/reconciliation/closed-gate.test.ts',
  ],
  [
    "an operator's decision and a report that arrives at the same time do not wait for each other",
    'server/src/payments/resolution/resolve-store.ts',
    'from transactions where id = $1 for update`)',
    'from transactions where id = $1`)',
    'server/src/payments/row-locks.test.ts',
  ],
  [
    'two refunds that are requested at the same time do not wait for each other',
    'server/src/payments/refund-sums-store.ts',
    'and id = $2 for no key update`',
    'and id = $2`',
    'server/src/payments/row-locks.test.ts',
  ],
  [
    'a member who is removed during their request can still refund',
    'server/src/refunds/request-refund.ts',
    "  await requireProjectUntilCommit(tx, caller.account.id, project.id, 'money')\n",
    '',
    'server/src/refunds/request-refund.test.ts',
  ],
  [
    'a report about one payment ends the refund of another payment',
    'server/src/refunds/receive.ts',
    '    !isOfOtherPayment && report.currency',
    '    report.currency',
    'server/src/refunds/webhooks.test.ts',
  ],
  [
    'sessions from before a restore stay signed in',
    'server/src/reconciliation/close-gate.ts',
    '    await endAllSessions(tx)\n',
    '',
    'server/src/reconciliation/close-gate.test.ts',
  ],
  [
    'payments continue after a restore although a refund could not be stored',
    'server/src/reconciliation/reconcile-since.ts',
    'payments.failed + refunds.failed + disputes.failed > 0',
    'payments.failed > 0',
    'server/src/reconciliation/close-gate.test.ts',
  ],
  [
    'a payment that is stored as a duplicate after a restore can still be paid at the upstream',
    'server/src/reconciliation/adopt-payments.ts',
    'const closed = await closeAtUpstream(deps, backend, item)',
    'const closed = item',
    'server/src/reconciliation/adopt-payments.test.ts',
  ],
  [
    'a failover that lost payments is not noticed',
    'server/src/reconciliation/watch-restore.ts',
    'if (current !== timeline) {',
    'if (timeline === null) {',
    'server/src/reconciliation/watch-restore.test.ts',
  ],
]

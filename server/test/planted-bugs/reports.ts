// Harmful changes, most of them in how reports of upstreams are recorded and shown to the operator.
import type { Bug } from './bug.ts'

export const REPORT_BUGS: readonly Bug[] = [
  [
    'a late webhook about a charge of a payment that has ended is ignored',
    'server/src/payments/record-report.ts',
    'return isFinal(payment.state) && typeof',
    'return false && typeof',
    'server/src/payments/report-ends.test.ts',
  ],
  [
    'a payment stays in review after its upstream has reported the result',
    'server/src/payments/record-report.ts',
    '          await closeUnresolved(deps, payment.id)\n',
    '',
    'server/src/payments/report-ends.test.ts',
  ],
  [
    'a bank step that expired at the upstream counts as cancelled by the payer',
    'server/src/payments/record-report.ts',
    "report.failureCode === 'expired' ? 'expired' : cancelledAs",
    'cancelledAs',
    'server/src/payments/report-ends.test.ts',
  ],
  [
    'a payment that was never charged counts as declined',
    'server/src/payments/record-report.ts',
    "'cancelled' ? 'not_charged' : (",
    "'cancelled' ? 'declined' : (",
    'server/src/payments/report-ends.test.ts',
  ],
  [
    'a webhook cannot send a payer back to the bank, even if its sequence number shows that it is newer than the last report',
    'server/src/payments/record-report.ts',
    "typeof report.sequence !== 'number' && hasLeftBank",
    'hasLeftBank',
    'server/src/payments/report-ends.test.ts',
  ],
  [
    'a webhook ends payments that belong to another account at the upstream',
    'server/src/payments/webhook/receive.ts',
    ' === backend.name && backend.accounts.includes(payment.upstreamAccount)',
    ' === backend.name',
    'server/src/payments/webhook/own-payments.test.ts',
  ],
  [
    'incidents are not counted in the metrics',
    'server/src/payments/incidents.ts',
    '  deps.metrics.countIncident(kind)\n',
    '',
    'server/src/payments/incident-notices.test.ts',
  ],
  [
    'a payment that has just ended is put in review as unresolved',
    'server/src/payments/incidents.ts',
    'if (options.onlyIfPaymentIsOpen && !payment?.isOpen) return null',
    '',
    'server/src/payments/incident-notices.test.ts',
  ],
  [
    'a mail about one kind of incident drops the waiting mails about other kinds',
    'server/src/payments/incident-mails-store.ts',
    'where kind = $1 returning incident_id',
    'where $1::text is not null returning incident_id',
    'server/src/payments/incident-notices.test.ts',
  ],
  [
    'the metric of open incidents shows the number of open payments',
    'server/src/payments/watch-background.ts',
    'incidentsOpen: open.incidents',
    'incidentsOpen: open.count',
    'server/src/payments/incident-notices.test.ts',
  ],
  [
    'the texts of a payment in review are erased',
    'server/src/payments/erasure/erasure-store.ts',
    ' and not t.needs_review',
    '',
    'server/src/payments/erasure/waiting.test.ts',
  ],
  [
    'the first quarter of an hour after a change of currency has no volume',
    'server/src/payments/reads/stats-store.ts',
    'or at >= $8',
    'or at > $8',
    'server/src/payments/reads/stats-fold.test.ts',
  ],
]

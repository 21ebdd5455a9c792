// Harmful changes that only tests of other folders, or none, noticed at first: a second permission check, an order over two
// columns, a factor of time, a code in a list, a condition before an operator's command.
import type { Bug } from './bug.ts'

export const SECOND_LOOK_BUGS: readonly Bug[] = [
  [
    'a person who is demoted during a download gets the rest of the payments',
    'server/src/payments/csv.ts',
    "isStillAllowed }, id, 'money')",
    "isStillAllowed }, id, 'read')",
    'server/src/payments/csv.test.ts',
  ],
  [
    'a refund of a payment in another account of Stripe ends as failed',
    'server/src/backends/stripe-refunds.ts',
    " || code === 'resource_missing'",
    '',
    'server/src/backends/stripe-refunds.test.ts',
  ],
  [
    'a person who prepared the secret long before its use does not count as somebody who knows it',
    'server/src/projects/members/members.ts',
    'NEXT_SECRET_MAX_HOURS * 3_600_000',
    'NEXT_SECRET_MAX_HOURS * 60_000',
    'server/src/projects/members/members.test.ts',
  ],
  [
    'a long statement leaves out entries that were posted before those of an earlier day',
    'server/src/statements/statement-store.ts',
    '(posted_on, id) > ($3::date, $5)',
    'posted_on >= $3::date and id > $5',
    'server/src/statements/book-scopes.test.ts',
  ],
  [
    'a removed person gets a link that is signed with a later secret',
    'server/src/paylinks/write-link.ts',
    '  if (signed) await requireProject(deps.db, caller.account.id, project.id, permission)\n',
    '',
    'server/src/paylinks/write-link.test.ts',
  ],
  [
    'the incident of an open payment can be closed',
    'server/src/cli/incidents.ts',
    'if (payment && !isFinal(payment.state))',
    'if (payment?.needsReview && !isFinal(payment.state))',
    'server/src/cli/incidents.test.ts',
  ],
  [
    'production may call its upstream over plain http',
    'server/src/config/production.ts',
    "config.backendUrl && !config.backendUrl.startsWith('https://')",
    "config.backendUrl && !config.backendUrl.startsWith('http')",
    'server/src/config/production.test.ts',
  ],
  [
    'disputes on later pages of a long list are never read',
    'server/src/disputes/receive.ts',
    '    if (cursor !== null) return { ...read, cursor }\n',
    '',
    'server/src/disputes/receive.test.ts',
  ],
  [
    'a cursor that the upstream no longer accepts ends the polling of its disputes',
    'server/src/disputes/receive.ts',
    'unread: { ...unread, cursor: null }',
    'unread',
    'server/src/disputes/receive.test.ts',
  ],
]

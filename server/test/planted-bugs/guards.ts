// Harmful changes of a guard that others seem to cover: a second check of access, a lock, a condition of a rare row, the wiring
// of a part.
import type { Bug } from './bug.ts'

export const GUARD_BUGS: readonly Bug[] = [
  [
    'a person who was removed gets one more event',
    'server/src/streams/open-streams.ts',
    '      await endWithoutAccess(readers)\n',
    '',
    'server/src/streams/stream-access.test.ts',
  ],
  [
    'a stream that opens while its reader is removed stays open',
    'server/src/streams/open-streams.ts',
    '    check(stream)\n  }\n\n  async function reserveSlot',
    '  }\n\n  async function reserveSlot',
    'server/src/streams/stream-access.test.ts',
  ],
  [
    'a person who was removed gets the events that they missed',
    'server/src/streams/client-stream.ts',
    'if (!(await options.isStillAllowed())) out.end()\n      else writeEvents(events)',
    'writeEvents(events)',
    'server/src/streams/stream-access.test.ts',
  ],
  [
    'a second restore shortens the time that is compared with the upstream',
    'server/src/db/gate-store.ts',
    'gate_since = least(gate_since, $2::timestamptz)',
    'gate_since = $2::timestamptz',
    'server/src/db/gate-store.test.ts',
  ],
  [
    'payments start again although another restore has stopped them since',
    'server/src/db/gate-store.ts',
    'where gate_closed_at = $1 returning id',
    'where $1::timestamptz is not null returning id',
    'server/src/db/gate-store.test.ts',
  ],
  [
    'the callback about a failed refund is cancelled when its order is paid',
    'server/src/callbacks/outbox-store.ts',
    "and c.transaction_id is not null and ${isResult('c')} and ${IS_STOPPABLE}`",
    'and c.transaction_id is not null and ${IS_STOPPABLE}`',
    'server/src/callbacks/event-scopes.test.ts',
  ],
  [
    'a process sends the callbacks of a lane that another has just taken',
    'server/src/callbacks/fetch-store.ts',
    'order by l.project_id, l.mode for update of l\n   ), noted',
    'order by l.project_id, l.mode\n   ), noted',
    'server/src/callbacks/row-locks.test.ts',
  ],
  [
    'callbacks are sent while payments are stopped after a restore',
    'server/src/callbacks/worker-loop.ts',
    '      if (deps.restoreGate.isClosed()) return false\n',
    '',
    'server/src/callbacks/worker-guards.test.ts',
  ],
  [
    'a busy merchant is never mailed about the end of an outage',
    'server/src/callbacks/health-store.ts',
    'then coalesce(l.healed_at, now())',
    'then now()',
    'server/src/callbacks/lane-health.test.ts',
  ],
  [
    'callbacks bypass the egress proxy',
    'server/src/wire.ts',
    'createPublicFetch({ resolver, allowHosts, egressProxy: config.egressProxy })',
    'createPublicFetch({ resolver, allowHosts })',
    'server/src/wire.test.ts',
  ],
  [
    'transfers of projects never take effect',
    'server/src/background.ts',
    '      await applyTransfers(deps)\n',
    '',
    'server/src/background.test.ts',
  ],
  [
    'the address of an invited person is kept',
    'server/src/accounts/mail/mails-store.ts',
    "'account_closed', 'project_invitation', 'receipt')",
    "'account_closed', 'receipt')",
    'server/src/accounts/mail/mails-store.test.ts',
  ],
]

// Harmful changes in the compact storage of callbacks.
import type { Bug } from './bug.ts'

const TEST = 'server/src/callbacks/new-callbacks.test.ts'
const SWITCH_TEST = 'server/src/callbacks/compact-storage.test.ts'

export const NEW_CALLBACK_BUGS: readonly Bug[] = [
  [
    'if a person resends a callback while its first attempt fails, the attempt is not recorded and the callback is sent again',
    'server/src/callbacks/record-store.ts',
    'one.attempt === 1 && one.claim === null && !isAcceptedNew(one)',
    'one.attempt === 0 && one.claim === null && !isAcceptedNew(one)',
    TEST,
  ],
  [
    'a callback about a failed payment is cancelled although it was delivered at the moment when another payment paid the order',
    'server/src/callbacks/outbox-store.ts',
    "(c.status <> 'delivered' and c.delivered_at is null)",
    '(c.delivered_at is null)',
    TEST,
  ],
  [
    'a new callback that a killed process was sending is not logged as interrupted',
    'server/src/callbacks/recover-store.ts',
    'await storePending(db, projectId, entries.map(toEntryId))',
    '',
    TEST,
  ],
  [
    'retention deletes a callback that waits for its first attempt',
    'server/src/callbacks/retention-store.ts',
    "and status <> all (${QUEUED_ARRAY}) and not ${isNew('c')}",
    'and status <> all (${QUEUED_ARRAY})',
    TEST,
  ],
  [
    'the time of delivery is lost when retention deletes the attempt',
    'server/src/callbacks/retention-store.ts',
    "o.attempt = 1 and o.outcome = 'delivered'",
    "o.attempt = 0 and o.outcome = 'delivered'",
    TEST,
  ],
  [
    'compact storage is turned on while a process runs that cannot read it',
    'server/src/callbacks/compact-storage.ts',
    "if (await hasEarlierRelease(tx)) return 'refused'",
    '',
    SWITCH_TEST,
  ],
  [
    'a callback that is committed just after compact storage was turned off stays compact',
    'server/src/callbacks/compact-storage.ts',
    'startedMs - switchedMs >= inFlightMs',
    'startedMs - switchedMs >= 0',
    SWITCH_TEST,
  ],
  [
    'a new callback is never fetched if its time is earlier than the times of callbacks that were stored before it',
    'server/src/callbacks/new-since.ts',
    'nowMs - last.readAllAtMs < READ_ALL_EVERY_MS ? last.newSince : null',
    'last.newSince',
    'server/src/callbacks/new-since.test.ts',
  ],
]

// Harmful changes around paused processes, refused starts, restores and repeated callbacks.
import type { Bug } from './bug.ts'

const PAUSED_TEST = 'server/src/db/paused-process.test.ts'

export const PAUSED_PROCESS_BUGS: readonly Bug[] = [
  [
    'after a pause of the process, logins and statements fail although the database has responded',
    'server/src/lib/running-timer.ts',
    'const STEPS = 6',
    'const STEPS = 1',
    PAUSED_TEST,
  ],
  [
    'a response is thrown away if it arrived while the process was paused at the end of the time limit',
    'server/src/lib/running-timer.ts',
    'reading = setImmediate(onPassed)',
    'onPassed()',
    PAUSED_TEST,
  ],
  [
    'a connection that was used and given back is never free for others',
    'server/src/db/slots.ts',
    '    taken -= 1\n',
    '',
    'server/src/db/slots.test.ts',
  ],
  [
    'a restore from before the first payment is not noticed',
    'server/src/reconciliation/close-gate.ts',
    '(await findNewestAt(db)) ?? (await readFirstStart(db))',
    '(await findNewestAt(db)) ?? toDate(Date.now() + SLACK_MS)',
    'server/src/reconciliation/close-gate.test.ts',
  ],
  [
    'a refused command keeps its connections to the database',
    'server/src/wire.ts',
    '    await db.close()\n    throw error',
    '    throw error',
    'server/src/wire.test.ts',
  ],
  [
    'the sample shop ignores a result that was decided a second time',
    'examples/shop/src/orders.ts',
    'if (order.callbacksSeen.has(received.webhookId))',
    'if (order.callbacksSeen.has(received.webhookId) || order.callbacksSeen.size > 1)',
    'examples/shop/src/orders.test.ts',
  ],
  [
    'a payment does not say that its callback was delivered before it was sent again',
    'server/src/payments/reads/list-store.ts',
    'deliveredAt: row.delivered_at,',
    'deliveredAt: null,',
    'server/src/payments/reads/list.test.ts',
  ],
]

// Why this is long: it tests all loops.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../test/accounts.ts'
import { signUp } from '../test/client.ts'
import { startTestService } from '../test/harness.ts'
import { queueCallbacks } from '../test/deliveries.ts'
import { addPayProject } from '../test/payer.ts'
import { newOrder } from '../test/payments.ts'
import { payFor, reserveRefund } from '../test/refunds.ts'
import { insertPayments } from '../test/transactions.ts'
import { until } from '../test/until.ts'
import { createWatchStep, HEARTBEAT_FRESH_SEC, POLL_MS, startBackground } from './background.ts'
import { listActiveLoops, saveHeartbeats } from './db/heartbeats-store.ts'
import { OUTAGE_MAILS_POLL_MS } from './deliveries/outage-mails.ts'
import { DISPUTES_POLL_MS } from './disputes/receive.ts'
import { LONG_STEP_MAX_MS } from './lib/loop-health.ts'
import { FEED_POLL_MS } from './feed/publish.ts'
import { confirmPayment } from './payments/confirm.ts'
import { LOST_RESULTS_POLL_MS } from './payments/lost-results.ts'
import { STOPPED_AFTER_SEC } from './payments/watch-background.ts'

const service = await startTestService({
  PAYMENT_DATA_RETENTION_DAYS: '30',
  OPERATOR_EMAIL: 'operator@example.com',
})
const { deps } = service
const { db } = deps

const hasRows = async (text: string, values: unknown[] = []) => (await rows(db, text, values)).length > 0

// The sandbox loses the response to a charge of 4005, so that only a lookup can end the payment.
const shop = await addPayProject(deps)
const outcome = await confirmPayment(deps, newOrder(shop.id, { amount: 4005n }))
const paymentId = outcome.kind === 'payment' ? outcome.payment.id : assert.fail(outcome.kind)
const owner = await signUp(service.app)
await rows(db, `update sessions set expires_at = now() - interval '1 minute'`)
await rows(
  db,
  'insert into factor_resets (account_id, due_at) select id, now() from accounts where email = $1',
  [owner.email],
)
await rows(
  db,
  `insert into project_transfers (project_id, from_id, to_email, to_email_key, expires_at)
   select id, owner_id, 'nobody@example.me', 'nobody@example.me', now() from projects where id = $1`,
  [shop.id],
)
await rows(
  db,
  `insert into upstream_accounts (backend, stored_as, account, last_used_at)
   values ('http', 'https://former.example', 'https://former.example', now())`,
)
await rows(
  db,
  `with raised as (insert into incidents (kind, subject) values ('mismatch', 'waits for its mail') returning id)
   insert into incidents_to_mail (incident_id, kind) select id, 'mismatch' from raised`,
)
await rows(
  db,
  `insert into callback_lanes (project_id, mode, exhausted_untold) values ($1, 'live', 1)
   on conflict (project_id, mode) do update set exhausted_untold = 1`,
  [shop.id],
)
await rows(
  db,
  `with ended as (insert into callbacks (project_id, id, mode, result, status, payload)
     values ($1, 'msg_00000000000000000000000000000001', 'live', 'fail', 'cancelled', '{}'),
       ($1, 'msg_00000000000000000000000000000002', 'live', 'fail', 'exhausted', '{}') returning project_id, id, status)
   insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome)
   select project_id, id, 1, 'https://old.example', now() - interval '10 years', 'timeout' from ended where status = 'cancelled'`,
  [shop.id],
)
await rows(
  db,
  `insert into payment_figures (project_id, mode, quarter, shard, succeeded, failed, volume)
   values ($1, 'test', to_quarter(now() - interval '1 day'), 3, 1, 0, 1500)`,
  [shop.id],
)
await rows(db, 'update ledger_backfill set after = null, done_at = null')
// The process that reserved this refund was killed before it sent the refund.
const refunded = await payFor(deps, shop.id)
const refund = await reserveRefund(deps, refunded, 500n)
await rows(db, 'update refunds set next_check_at = now()')
// The sandbox opens a dispute about a payment of this amount.
const disputed = await payFor(deps, shop.id, { amount: 4007n })
await rows(db, `update sandbox_charges set created_at = created_at - interval '1 minute' where id = $1`, [
  disputed.id,
])
// A payment that ended without a callback.
const [lostId] = await insertPayments(deps, shop.id, [{ state: 'failed' }])
// While the database's clock was ahead, a heartbeat was saved and a callback was planned.
await rows(db, `insert into loop_heartbeats (loop, beat_at) values ('former', now() + interval '1 hour')`)
const [plannedLateId] = await queueCallbacks(db, shop.id, 1, { dueInSec: 3_600 })
await rows(
  db,
  `update mails set next_at = now() + interval '1 hour' where to_address = $1 and kind = 'confirm_email'`,
  [owner.email],
)
// The values of `withinSec` with which the background calls `listActiveLoops`.
const freshnessSec: number[] = []
const { metrics } = deps
deps.metrics = {
  ...metrics,
  listActiveLoops(withinSec) {
    freshnessSec.push(withinSec)
    return metrics.listActiveLoops(withinSec)
  },
}
const { wakeDelivery, deliveryWaits, loopHealth, publicFetch } = deps
const recordedIds: string[] = []
deps.deliveryWaits = {
  ...deliveryWaits,
  onRecorded: (recorded) => recordedIds.push(...recorded.map(({ id }) => id)),
}
const steps = new Map<string, number>()
const longSteps: string[] = []
deps.loopHealth = {
  ...loopHealth,
  watch(name, _pollMs, stepMaxMs) {
    steps.set(name, 0)
    if (stepMaxMs === LONG_STEP_MAX_MS) longSteps.push(name)
    return () => void steps.set(name, steps.get(name)! + 1)
  },
}
let isFetchClosed = false
deps.publicFetch = {
  ...publicFetch,
  async close() {
    isFetchClosed = true
    await publicFetch.close()
  },
}
const background = startBackground(deps)

test('the loops that read or delete long lists may take an hour for a step', () => {
  assert.deepEqual(longSteps.toSorted(), ['cleanup', 'disputes', 'lost_results'])
})

test('open payments are looked up', async () => {
  await until(() => hasRows(`select from transactions where id = $1 and state = 'succeeded'`, [paymentId]))
})

test('open refunds are looked up, and sent if the upstream does not know them', async () => {
  await until(() => hasRows(`select from refunds where id = $1 and state = 'succeeded'`, [refund.id]))
})

test('the disputes of upstreams are polled', async () => {
  await until(() => hasRows('select from disputes where transaction_id = $1', [disputed.id]))
})

test('events are published even if nobody reads them', async () => {
  await until(() =>
    hasRows(`select from feed_events where transaction_id = $1 and type = 'payment.result'`, [paymentId]),
  )
})

test('the intervals of the loops have not changed', () => {
  assert.deepEqual(POLL_MS, {
    reconcile: 1_000,
    heartbeat: 15_000,
    restore: 2_000,
    watch: 45_000,
    incidentMails: 60_000,
    erasure: 60_000,
    cleanup: 600_000,
  })
  assert.deepEqual(
    [DISPUTES_POLL_MS, FEED_POLL_MS, OUTAGE_MAILS_POLL_MS, LOST_RESULTS_POLL_MS],
    [1_000, 5_000, 10_000, 24 * 3_600_000],
  )
})

test('mails are sent', async () => {
  await until(() => hasRows('select from mails where to_address = $1 and sent_at is not null', [owner.email]))
})

test('expired sessions are deleted', async () => {
  await until(async () => !(await hasRows('select from sessions')))
})

test('second factors that an operator has reset are removed once the removal is due', async () => {
  await until(() => hasRows(`select from audit_events where action = 'factor_reset'`))
})

test('an offered transfer of ownership ends when it expires', async () => {
  await until(() =>
    hasRows(`select from audit_events where action = 'transfer_ended' and project_id = $1`, [shop.id]),
  )
})

test('payments from before the ledger existed are posted to the ledger', async () => {
  await until(() => hasRows('select from ledger_backfill where done_at is not null'))
})

test('this process delivers callbacks, and reports each outcome to the payers’ redirects that wait for it', async () => {
  assert.notEqual(deps.wakeDelivery, wakeDelivery, 'wakeDelivery wakes the delivery loop of this process')
  await until(() => hasRows('select from callback_states where id = any($1) and attempts > 0', [recordedIds]))
})

test('/healthz watches each background loop except `mails` and `heartbeats`', async () => {
  const watched = ['lanes', ...LOOPS]
  assert.deepEqual([...steps.keys()].toSorted(), watched.toSorted())
  await until(() => [...steps.values()].every((count) => count > 0))
})

test('if payments need an upstream that is not configured, an incident is raised', async () => {
  await until(() =>
    hasRows(
      `select from incidents where kind = 'upstream_missing' and subject = 'http https://former.example'`,
    ),
  )
})

test('incidents that wait for their mail are mailed to the operator', async () => {
  await until(() => hasRows(`select from mails where kind = 'incident' and facts->>'what' = 'mismatch'`))
})

test('the erasure of old payment data begins', async () => {
  await until(() => hasRows(`select from installation_keys where name = 'custom-id-hash'`))
})

test('merchants are mailed about callbacks that were given up', async () => {
  await until(() => hasRows(`select from mails where kind = 'deliveries_exhausted'`))
})

test('old attempts are deleted, and the stats of a past quarter of an hour are merged into one row', async () => {
  await until(async () => !(await hasRows(`select from callback_attempts where url = 'https://old.example'`)))
  await until(() =>
    hasRows(`select from payment_figures where mode = 'test' and shard = 0 and volume = 1500`),
  )
})

test('if a payment ended without a callback, an incident is raised', async () => {
  await until(() =>
    hasRows(`select from incidents where kind = 'callbacks_lost' and facts->>'payment' = $1`, [lostId]),
  )
})

test('a callback that was planned while the database’s clock was an hour ahead is sent soon after the clock is corrected', async () => {
  await until(() => hasRows('select from callback_attempts where callback_id = $1', [plannedLateId]))
  assert.ok(!(await hasRows('select from loop_heartbeats where beat_at > now()')))
})

test('a mail that was queued while the database’s clock was an hour ahead is sent soon after the clock is corrected', async () => {
  const sent = `select from mails where to_address = $1 and kind = 'confirm_email' and sent_at is not null`
  await until(() => hasRows(sent, [owner.email]))
})

const LOOPS = [
  'delivery',
  'reconcile sandbox',
  'reconcile http',
  'reconcile stripe',
  'refunds',
  'disputes',
  'feed',
  'cleanup',
  'upstreams',
  'lost_results',
  'erasure',
  'incident_mails',
  'care',
]

test('a loop is saved as running for at most a minute after its last successful step', async () => {
  assert.ok(HEARTBEAT_FRESH_SEC + POLL_MS.heartbeat / 1_000 < STOPPED_AFTER_SEC)
  await until(() => freshnessSec.length > 0)
  assert.equal(freshnessSec[0], HEARTBEAT_FRESH_SEC)
})

test('a heartbeat is saved for each loop in LOOPS', async () => {
  await until(async () => {
    await saveHeartbeats(db, metrics.listActiveLoops(60))
    const found = await listActiveLoops(db, 60)
    return LOOPS.every((loop) => found.includes(loop))
  })
})

test('the watch loop checks the other loops at every step except its first', async () => {
  let checks = 0
  const step = createWatchStep(async () => {
    checks += 1
  })
  const checksAfterStep: number[] = []
  for (let n = 0; n < 3; n += 1) {
    await step()
    checksAfterStep.push(checks)
  }
  assert.deepEqual(checksAfterStep, [0, 1, 2])
})

// A test stops the background, and not an `after` hook. The hook would run after the service is closed, when callbacks in
// progress can no longer be recorded.
test('the background stops, and closes the connections to merchants', async () => {
  await background.stop()
  assert.equal(isFetchClosed, true)
})

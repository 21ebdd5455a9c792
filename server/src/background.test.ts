// Every background loop runs once the background is started. Each test checks what one loop changes in the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../test/accounts.ts'
import { signUp } from '../test/client.ts'
import { startTestService } from '../test/harness.ts'
import { addPayProject } from '../test/payer.ts'
import { newOrder } from '../test/payments.ts'
import { insertPayments } from '../test/transactions.ts'
import { until } from '../test/until.ts'
import { createWatchStep, startBackground } from './background.ts'
import { listBeating, saveHeartbeats } from './db/heartbeats-store.ts'
import { confirmPayment } from './payments/confirm.ts'

const service = await startTestService({
  PAYMENT_DATA_RETENTION_DAYS: '30',
  OPERATOR_EMAIL: 'operator@example.com',
})
const { deps } = service
const { db } = deps

const has = async (text: string, values: unknown[] = []) => (await rows(db, text, values)).length > 0

// The response to the charge is lost, so that only a lookup can end the payment.
const shop = await addPayProject(deps)
const outcome = await confirmPayment(deps, newOrder(shop.id, { amount: 4005n }))
const paymentId = outcome.kind === 'payment' ? outcome.payment.id : assert.fail(outcome.kind)
const owner = await signUp(service.app)
await rows(db, `update sessions set expires_at = now() - interval '1 minute'`)
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
  `with cancelled as (insert into callbacks (project_id, id, mode, result, status, payload)
     values ($1, 'msg_00000000000000000000000000000001', 'live', 'fail', 'cancelled', '{}') returning project_id, id)
   insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome)
   select project_id, id, 1, 'https://old.example', now() - interval '10 years', 'timeout' from cancelled`,
  [shop.id],
)
await rows(
  db,
  `insert into payment_figures (project_id, mode, quarter, shard, succeeded, failed, volume)
   values ($1, 'test', to_quarter(now() - interval '1 day'), 3, 1, 0, 1500)`,
  [shop.id],
)
// A payment that ended without a callback.
const [lostId] = await insertPayments(deps, shop.id, [{ state: 'failed' }])
const background = startBackground(deps)

test('open payments are looked up', async () => {
  await until(() => has(`select from transactions where id = $1 and state = 'succeeded'`, [paymentId]))
})

test('mails are sent', async () => {
  await until(() => has('select from mails where to_address = $1 and sent_at is not null', [owner.email]))
})

test('expired sessions are deleted', async () => {
  await until(async () => !(await has('select from sessions')))
})

test('an upstream that payments need and that is not configured is an incident', async () => {
  await until(() =>
    has(`select from incidents where kind = 'upstream_missing' and subject = 'http https://former.example'`),
  )
})

test('the operator is mailed about incidents that waited for the end of the hour', async () => {
  await until(() => has(`select from mails where kind = 'incident' and facts->>'what' = 'mismatch'`))
})

test('the erasure of old texts begins', async () => {
  await until(() => has(`select from installation_keys where name = 'custom-id-hash'`))
})

test('merchants are mailed about callbacks that were given up', async () => {
  await until(() => has(`select from mails where kind = 'deliveries_exhausted'`))
})

test('old attempts are deleted, and the stats of past hours are merged', async () => {
  await until(async () => !(await has(`select from callback_attempts where url = 'https://old.example'`)))
  await until(() => has(`select from payment_figures where mode = 'test' and shard = 0 and volume = 1500`))
})

test('a result that was lost is an incident', async () => {
  await until(() =>
    has(`select from incidents where kind = 'callbacks_lost' and facts->>'payment' = $1`, [lostId]),
  )
})

test('the loops that run are stored as heartbeats', async () => {
  await saveHeartbeats(db, deps.metrics.listBeating(60))
  const found = await listBeating(db, 60)
  for (const loop of [
    'delivery',
    'reconcile',
    'cleanup',
    'upstreams',
    'lost_results',
    'erasure',
    'incident_mails',
    'care',
  ])
    assert.ok(found.includes(loop), `${loop} is missing in ${found.join()}`)
})

test('loops are checked at every step of the watch but the first', async () => {
  let checks = 0
  const step = createWatchStep(async () => {
    checks += 1
  })
  const seen: number[] = []
  for (let n = 0; n < 3; n += 1) {
    assert.equal(await step(), false)
    seen.push(checks)
  }
  assert.deepEqual(seen, [0, 1, 2])
})

// Not in a hook: the service would already be closed, and callbacks in progress could not be recorded.
test('the background stops', () => background.stop())

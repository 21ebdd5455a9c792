// Every background loop runs once the background is started. Each test checks what one loop changes in the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../test/accounts.ts'
import { signUp } from '../test/client.ts'
import { startTestService } from '../test/harness.ts'
import { addPayProject } from '../test/payer.ts'
import { newOrder } from '../test/payments.ts'
import { until } from '../test/until.ts'
import { startBackground } from './background.ts'
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

// Not in a hook: the service would already be closed, and callbacks in progress could not be recorded.
test('the background stops', () => background.stop())

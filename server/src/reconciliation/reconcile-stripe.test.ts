// The database was restored from a backup that lacks what the Stripe adapter had stored about a session.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { listCallbacks, newOrder, requirePayment, startPayments } from '../../test/payments.ts'
import { startStripeStandIn } from '../../test/stripe-stand-in.ts'
import { writeClosed } from '../db/gate-store.ts'
import { toDate } from '../lib/clock.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { refreshPayment } from '../payments/reconcile.ts'
import { reconcileSince } from './reconcile-since.ts'

const standIn = await startStripeStandIn()
after(() => standIn.close())
const { deps, projectId } = await startPayments(standIn.env)
const { db } = deps
// With the quota of Stripe, the test would have to wait.
const QUOTA = { perSec: 1000, burst: 1000, waitingPerSec: 1000, waitingBurst: 1000 }
Object.assign(deps.backends.live, { quota: QUOTA })

beforeEach(async () => {
  await rows(db, 'truncate transactions, incidents, callbacks cascade')
  await rows(db, 'update installation set gate_closed_at = null, gate_reason = null, gate_since = null')
  standIn.sessions.splice(0)
  await deps.restoreGate.refresh()
})

async function openSession(): Promise<string> {
  const confirmed = await confirmPayment(deps, newOrder(projectId, { customId: randomUUID() }))
  assert.equal(confirmed.kind, 'payment')
  return confirmed.payment.id
}

async function closeGate(): Promise<void> {
  await writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: null })
  await deps.restoreGate.refresh()
}

const run = (isDry = false) =>
  reconcileSince(deps, {
    ...{ since: toDate(0), isDry, acceptUnlisted: false, acceptFailed: false },
    onProgress: () => undefined,
  })

const LOSE_SESSION_ID =
  "update stripe_charges set session_id = null, asked_at = now() - interval '2 hours' where id = $1"

for (const [lost, statement] of [
  ['the id of its session', LOSE_SESSION_ID],
  ['its row of the Stripe adapter', 'delete from stripe_charges where id = $1'],
] as const) {
  test(`a payment that was paid at Stripe succeeds although the restore lost ${lost}`, async () => {
    const id = await openSession()
    standIn.act(id, 'pay')
    await rows(db, statement, [id])
    await closeGate()
    const dry = await run(true)
    assert.deepEqual([dry.upstreams[0]?.payments.known, dry.gate], [1, 'kept_closed'])
    assert.deepEqual(
      await rows(db, 'select from stripe_charges where id = $1 and session_id is not null', [id]),
      [],
      'a dry run stores nothing',
    )
    assert.equal((await run()).gate, 'opened')
    assert.equal((await requirePayment(db, id)).state, 'succeeded')
    assert.deepEqual(
      (await listCallbacks(db, id)).map(({ result }) => result),
      ['success'],
    )
    assert.deepEqual(await rows(db, "select from incidents where kind <> 'restored'"), [])
  })
}

test('while payments are stopped, the page of a payer does not look up a payment', async () => {
  const id = await openSession()
  standIn.act(id, 'pay')
  await rows(db, LOSE_SESSION_ID, [id])
  await closeGate()
  const payment = await requirePayment(db, id)
  assert.deepEqual(await refreshPayment(deps, payment), payment)
  assert.equal((await requirePayment(db, id)).state, 'requires_action')
  assert.deepEqual(await listCallbacks(db, id), [])
})

test('if the restore lost a project, an open session of the project is closed at Stripe', async () => {
  const id = await openSession()
  await rows(db, 'delete from transactions where id = $1', [id])
  await rows(db, 'delete from stripe_charges where id = $1', [id])
  standIn.require(id).metadata['pazar_project'] = 'prjgone'
  await closeGate()
  assert.equal((await run()).upstreams[0]?.payments.ignored, 1)
  assert.equal(standIn.require(id).status, 'expired')
})

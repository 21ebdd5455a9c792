import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { runShare } from '../../test/counts.ts'
import { newOrder, requirePayment, startPayments } from '../../test/payments.ts'
import type { StandInSession } from '../../test/stripe-sessions-stand-in.ts'
import { startStripeStandIn } from '../../test/stripe-stand-in.ts'
import { confirmPayment } from './confirm.ts'
import { refill, spend, toWaitingMax } from './lookup-budget.ts'
import { reconcileOnce } from './reconcile.ts'

const ABANDONED = runShare === 'prove' ? 6_000 : 1_500
const SIMULATED_SEC = 240
const UNKNOWN = 20

const standIn = await startStripeStandIn()
after(() => standIn.close())
const { deps, projectId, replica } = await startPayments(standIn.env)
const replicas = [deps, await replica()]
const { db } = deps

/** Inserts sessions that were opened in the last half hour and never finished. */
async function insertAbandoned(count: number): Promise<void> {
  const inserted = await rows<{ id: string }>(
    db,
    `with opened as (
       insert into transactions (id, project_id, mode, attempt_id, amount, currency, backend, state, action_url, action_at,
         created_at, next_check_at)
       select gen_random_uuid(), $1, 'live', gen_random_uuid(), 1500, 'EUR', 'stripe', 'requires_action',
         'https://checkout.stripe.com/c/pay/' || n, now() - n * interval '300 milliseconds',
         now() - n * interval '300 milliseconds', now()
       from generate_series(1, $2::int) as n returning id)
     insert into stripe_charges (id, amount, currency, session_id)
     select id, 1500, 'EUR', 'cs_test_' || replace(id::text, '-', '') from opened returning id`,
    [projectId, count],
  )
  for (const { id } of inserted) standIn.sessions.push(toSession(id))
}

function toSession(id: string): StandInSession {
  const nowSec = Math.floor(Date.now() / 1000)
  return {
    object: 'checkout.session',
    id: `cs_test_${id.replaceAll('-', '')}`,
    created: nowSec,
    livemode: false,
    mode: 'payment',
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 1500,
    currency: 'eur',
    client_reference_id: id,
    expires_at: nowSec + 3600,
    success_url: 'http://localhost/',
    url: 'https://checkout.stripe.com/c/pay/x',
    metadata: { pazar_transaction: id, pazar_project: projectId },
    payment_intent: null,
  }
}

test(`with ${ABANDONED} abandoned sessions, two replicas send fewer than two requests a second, and payments with lost responses end within a minute`, async () => {
  await insertAbandoned(ABANDONED)
  const [first] = await rows<{ ms: number }>(db, 'select extract(epoch from now())::float * 1000 as ms')
  const startMs = first!.ms + 1_000
  const perSec: number[] = []
  let unknown: string[] = []
  for (let sec = 0; sec < SIMULATED_SEC; sec += 1) {
    if (sec === 60) {
      // These payments are paid, but the responses are lost, so the outcomes are unknown.
      standIn.faults.set(7001, 'paid_error_after')
      const orders = Array.from({ length: UNKNOWN }, () => newOrder(projectId, { amount: 7001n }))
      const confirmed = await Promise.all(orders.map((order) => confirmPayment(deps, order)))
      unknown = confirmed.map((one) => (one.kind === 'payment' ? one.payment.id : assert.fail(one.kind)))
    }
    if (sec === 120) for (const id of unknown) assert.equal((await requirePayment(db, id)).state, 'succeeded')
    standIn.receivedRequests.length = 0
    await Promise.all(replicas.map((one) => reconcileOnce(one, { nowMs: startMs + sec * 1000 })))
    const ofAbandoned = standIn.receivedRequests.filter(
      ({ path }) => !unknown.some((id) => path.includes(standIn.require(id).id)),
    )
    perSec.push(ofAbandoned.filter(({ path }) => !path.includes('?created')).length)
  }
  const total = perSec.reduce((sum, count) => sum + count, 0)
  assert.ok(total < 2 * SIMULATED_SEC, `${total} requests in ${SIMULATED_SEC} s`)
  assert.ok(total > 0.8 * SIMULATED_SEC, `${total} requests in ${SIMULATED_SEC} s`)
  // In ten seconds, 0.9 lookups a second and a burst of two make eleven lookups, each with at most two requests.
  for (let from = 0; from + 10 <= perSec.length; from += 1) {
    const inWindow = perSec.slice(from, from + 10).reduce((sum, count) => sum + count, 0)
    assert.ok(inWindow <= 22, `${inWindow} requests in 10 s`)
  }
})

test("a payer's request is not limited by the quota", async () => {
  await rows(db, 'update lookup_budgets set tokens = 0, waiting_tokens = 0, refilled_at = now()')
  const confirmed = await confirmPayment(deps, newOrder(projectId))
  assert.equal(confirmed.kind === 'payment' && confirmed.payment.state, 'requires_action')
})

test('a budget is refilled up to its burst and does not change if the clock goes back; urgent lookups use the budget first', () => {
  const quota = { perSec: 8, burst: 16, waitingPerSec: 0.9, waitingBurst: 2 }
  const empty = { tokens: 0, waitingTokens: 0 }
  assert.deepEqual(refill(empty, quota, 1_000), { tokens: 8, waitingTokens: 0.9 })
  assert.deepEqual(refill(empty, quota, 3_600_000), { tokens: 16, waitingTokens: 2 })
  assert.deepEqual(refill(empty, quota, -60_000), empty)
  const refilled = refill(empty, quota, 3_600_000)
  assert.equal(toWaitingMax(refilled, 0), 2)
  assert.equal(toWaitingMax(refilled, 15), 1)
  assert.equal(toWaitingMax(refilled, 16), 0)
  assert.deepEqual(spend(refilled, 3, 2), { tokens: 11, waitingTokens: 0 })
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  listCallbacks,
  countIncidents,
  newOrder,
  requirePayment,
  resolveOpenPayments,
  startPayments,
} from '../../test/payments.ts'
import type { PayerAct } from '../../test/stripe-sessions-stand-in.ts'
import { startStripeStandIn } from '../../test/stripe-stand-in.ts'
import { confirmPayment } from './confirm.ts'

const standIn = await startStripeStandIn()
after(() => standIn.close())
const { deps, projectId } = await startPayments(standIn.env)
const { db } = deps

/** Looks each open payment up twice, because the first lookup may only find out that the payer has finished. */
const reconcile = () => resolveOpenPayments(deps, 2)

async function finish(act: PayerAct, days: number): Promise<string> {
  const outcome = await confirmPayment(deps, newOrder(projectId))
  const { id } = outcome.kind === 'payment' ? outcome.payment : assert.fail(outcome.kind)
  standIn.act(id, act)
  const age = 'update transactions set created_at = now() - make_interval(days => $2) where id = $1'
  await rows(db, age, [id, days])
  await reconcile()
  return id
}

test('a bank transfer is still open after 13 days, and after 14 days it is cancelled at Stripe and expires', async () => {
  const waiting = await finish('promise_transfer', 13)
  assert.equal((await requirePayment(db, waiting)).state, 'requires_action')
  const expiredId = await finish('promise_transfer', 14)
  const ended = await requirePayment(db, expiredId)
  assert.deepEqual([ended.state, ended.failureCode], ['expired', 'expired'])
  assert.equal(standIn.require(expiredId).payment_intent?.status, 'canceled')
  assert.deepEqual(
    (await listCallbacks(db, expiredId)).map((row) => row.result),
    ['fail'],
  )
  standIn.arrive(waiting, 'pay')
  await reconcile()
  assert.equal((await requirePayment(db, waiting)).state, 'succeeded')
})

test('a debit that Stripe does not cancel stays open, raises an incident within 16 days, and then gets the result that Stripe reports', async () => {
  const id = await finish('pay_later', 14)
  assert.equal((await requirePayment(db, id)).state, 'requires_action')
  assert.equal(await countIncidents(db, 'unresolved', id), 0)
  const listed = await finish('pay_later', 16)
  assert.equal(await countIncidents(db, 'unresolved', listed), 1)
  assert.equal((await requirePayment(db, listed)).needsReview, true)
  standIn.arrive(listed, 'pay')
  await reconcile()
  const paid = await requirePayment(db, listed)
  assert.deepEqual([paid.state, paid.needsReview], ['succeeded', false])
})

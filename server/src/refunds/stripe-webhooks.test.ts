import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { countIncidents, newOrder, requirePayment, startPayments } from '../../test/payments.ts'
import { reserveRefund, readSums } from '../../test/refunds.ts'
import { signEvent } from '../../test/stripe-events.ts'
import { startStripeStandIn } from '../../test/stripe-stand-in.ts'
import { UnknownOutcomeError } from '../backends/backend.ts'
import { createHttpServer } from '../http/server.ts'
import type { Payment } from '../payments/payment.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { refreshPayment } from '../payments/reconcile.ts'
import { raiseIncident } from '../payments/incidents.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'
import { checkBooks } from '../reconciliation/check-books.ts'
import { registerUpstreamRoutes } from '../payments/webhook/routes.ts'
import { createRefundAndDisputeReceivers } from './receive.ts'
import { reconcileRefundsOnce } from './reconcile.ts'
import { listRefunds } from './refunds-store.ts'

const standIn = await startStripeStandIn()
after(() => standIn.close())
const { deps, projectId } = await startPayments(standIn.env)
const { db } = deps
const { app } = await createHttpServer(deps.config, deps.log, deps.metrics)
await registerUpstreamRoutes(app, deps, createRefundAndDisputeReceivers(deps))
after(() => app.close())

async function pay(): Promise<Payment> {
  const order = newOrder(projectId)
  await confirmPayment(deps, order)
  const text = 'select id from transactions where attempt_id = $1'
  const { id } = (await rows<{ id: string }>(db, text, [order.attemptId]))[0]!
  standIn.act(id, 'pay')
  const paid = await refreshPayment(deps, await requirePayment(db, id))
  assert.equal(paid.state, 'succeeded')
  return paid
}

async function post(type: string, object: object, livemode = false): Promise<number> {
  const { body, headers } = signEvent(type, object, { livemode })
  const response = await app.inject({
    method: 'POST',
    url: '/upstream/stripe/webhook',
    headers,
    payload: body,
  })
  return response.statusCode
}

const reserve = (payment: Payment, amount: bigint) => reserveRefund(deps, payment, amount)

test('if a process is killed before it sends a refund, the reconciler sends the refund with our metadata, and webhooks report the result', async () => {
  standIn.refunds.faults.set(700, 'pending')
  const payment = await pay()
  const refund = await reserve(payment, 700n)
  await rows(db, 'update refunds set next_check_at = now()')
  await reconcileRefundsOnce(deps)
  const [made] = standIn.refunds.all
  assert.deepEqual([made!.metadata['pazar_refund'], made!.payment_intent], [refund.id, payment.upstreamRef])
  assert.equal((await readSums(db, payment.id)).processing, 700n)
  made!.status = 'succeeded'
  for (let round = 0; round < 2; round += 1) assert.equal(await post('refund.updated', made!), 200)
  assert.equal((await readSums(db, payment.id)).refunded, 700n)
  made!.status = 'failed'
  made!.failure_reason = 'expired_or_canceled_card'
  assert.equal(await post('refund.failed', made!), 200)
  const [stored] = await listRefunds(db, projectId, payment.id)
  assert.deepEqual(
    [stored!.state, stored!.failureCode, stored!.upstreamRef],
    ['returned', 'expired_or_canceled_card', made!.id],
  )
})

test('a refund made in the Stripe dashboard is recorded once, whether refund.created or charge.refunded reports it', async () => {
  for (const type of ['refund.created', 'charge.refunded']) {
    const payment = await pay()
    const dashboardRefund = standIn.refunds.makeInDashboard(payment.upstreamRef!, 400)
    const charge = { object: 'charge', id: 'ch_1', payment_intent: payment.upstreamRef }
    for (let round = 0; round < 2; round += 1)
      assert.equal(await post(type, type === 'charge.refunded' ? charge : dashboardRefund), 200, type)
    const found = await listRefunds(db, projectId, payment.id)
    assert.deepEqual(
      found.map(({ origin, state, amount, upstreamRef }) => [origin, state, amount, upstreamRef]),
      [['upstream', 'succeeded', 400n, dashboardRefund.id]],
      type,
    )
  }
})

test('a refund or dispute is recorded even if its webhook arrives before the webhook of its payment', async () => {
  const order = newOrder(projectId)
  await confirmPayment(deps, order)
  const text = 'select id from transactions where attempt_id = $1'
  const { id } = (await rows<{ id: string }>(db, text, [order.attemptId]))[0]!
  standIn.act(id, 'pay')
  const intent = standIn.require(id).payment_intent!.id
  const dashboardRefund = standIn.refunds.makeInDashboard(intent, 400)
  assert.equal(await post('refund.created', dashboardRefund), 200)
  assert.equal(await post('charge.dispute.created', standIn.dispute(id, 'needs_response', 500)), 200)
  const paid = await refreshPayment(deps, await requirePayment(db, id))
  assert.deepEqual([paid.state, paid.upstreamRef], ['succeeded', intent])
  assert.deepEqual(await readSums(db, id), { refunded: 400n, processing: 0n, disputed: 500n })
})

test('if a charge is reported after an operator has resolved the payment, its refund is recorded and the books agree', async () => {
  const order = newOrder(projectId)
  await confirmPayment(deps, order)
  const text = 'select id from transactions where attempt_id = $1'
  const { id } = (await rows<{ id: string }>(db, text, [order.attemptId]))[0]!
  await raiseIncident(deps, { kind: 'unresolved', transactionId: id, subject: id, facts: {} })
  const outcome = await resolvePayment(deps, id, { as: 'paid', reason: 'on the account', by: 'ana' })
  assert.equal(outcome.kind, 'resolved')
  standIn.act(id, 'pay')
  const session = standIn.require(id)
  const intent = session.payment_intent!.id
  assert.equal(await post('checkout.session.completed', { ...session, payment_intent: intent }), 200)
  assert.equal(await post('refund.created', standIn.refunds.makeInDashboard(intent, 400)), 200)
  assert.equal((await readSums(db, id)).refunded, 400n)
  const nowMs = deps.clock.nowMs()
  const [checked] = await checkBooks(deps, { fromMs: nowMs - 3_600_000, toMs: nowMs + 60_000 })
  assert.deepEqual(
    checked!.differences.filter(({ transactionId }) => transactionId === id),
    [],
  )
})

test('if a payment is missing from the database, a webhook about its refund raises an incident, and gets 404 so that Stripe repeats it', async () => {
  const payment = await pay()
  const refund = standIn.refunds.makeInDashboard(payment.upstreamRef!, 300)
  await rows(db, 'delete from callbacks where transaction_id = $1', [payment.id])
  await rows(db, 'delete from transactions where id = $1', [payment.id])
  assert.equal(await post('refund.created', refund), 404)
  assert.equal(await countIncidents(db, 'unknown_payment', payment.id), 1)
})

test('a webhook about a refund of an unknown charge gets 503 while the charge cannot be looked up', async () => {
  const { live } = deps.backends
  const { findPaymentId } = live
  live.findPaymentId = async () => {
    throw new Error('Stripe does not respond')
  }
  const payment = await pay()
  const refund = standIn.refunds.makeInDashboard(payment.upstreamRef!, 300)
  assert.equal(await post('refund.created', { ...refund, payment_intent: 'pi_unknown' }), 503)
  assert.equal(await post('refund.created', refund), 200)
  live.findPaymentId = findPaymentId!
})

test('the event charge.refunded gets 503 while the refunds cannot be listed', async () => {
  const payment = await pay()
  standIn.refunds.makeInDashboard(payment.upstreamRef!, 300)
  const charge = { object: 'charge', id: 'ch_1', payment_intent: payment.upstreamRef }
  const refunds = deps.backends.live.refunds!
  const { listRefunds: listAtStripe } = refunds
  refunds.listRefunds = async () => Promise.reject(new UnknownOutcomeError('Stripe does not respond'))
  assert.equal(await post('charge.refunded', charge), 503)
  refunds.listRefunds = listAtStripe!
  assert.equal(await post('charge.refunded', charge), 200)
  assert.equal((await readSums(db, payment.id)).refunded, 300n)
})

test('a webhook changes nothing if its refund belongs to a payment that Pazar did not create, to the other mode or to another installation', async () => {
  const payment = await pay()
  const dashboardRefund = standIn.refunds.makeInDashboard(payment.upstreamRef!, 300)
  assert.equal(
    await post('refund.created', { ...dashboardRefund, payment_intent: 'pi_of_other_business' }),
    200,
  )
  assert.equal(await post('refund.created', dashboardRefund, true), 200)
  assert.equal(
    await post('refund.created', { ...dashboardRefund, metadata: { pazar_installation: randomUUID() } }),
    200,
  )
  assert.equal(await post('charge.refunded', { object: 'charge', payment_intent: null }), 200)
  assert.equal(await post('refund.created', { object: 'refund', id: 're_1' }), 400)
  assert.deepEqual(await listRefunds(db, projectId, payment.id), [])
})

// The restore gate stops payments after a restore of the database. While the gate is closed, no money moves, even in a
// process that has not noticed that the gate was closed.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createListingUpstream, toListedPayment } from '../../test/listing-upstream.ts'
import {
  countIncidents,
  makeLookupsDue,
  newOrder,
  requirePayment,
  startPayments,
} from '../../test/payments.ts'
import { payFor, reserveRefund } from '../../test/refunds.ts'
import { createPaymentFixtures, newDecision, toCharge } from '../../test/resolving.ts'
import type { RefundReport } from '../backends/backend.ts'
import { readRestoreGate, writeClosed, writeOpen } from '../db/gate-store.ts'
import { GateClosedError } from '../db/gate-view.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { openPayment } from '../payments/payments-store.ts'
import { reconcileOnce } from '../payments/reconcile.ts'
import { recordReport } from '../payments/record-report.ts'
import { resolvePayment } from '../payments/resolution/resolve.ts'
import { receiveWebhook } from '../payments/webhook/receive.ts'
import { createRefusalCount } from '../payments/webhook/refusals.ts'
import { createRefundAndDisputeReceivers } from '../refunds/receive.ts'
import { reconcileRefundsOnce } from '../refunds/reconcile.ts'
import { refundCharge } from '../refunds/refund-charge.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

/** Closes the gate in the database only. In the cached state of this process, the gate stays open. */
const close = () => writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: null })

afterEach(async () => {
  const { closedAt } = await readRestoreGate(db)
  if (closedAt) await writeOpen(db, closedAt)
  await deps.restoreGate.refresh()
})

test('while the gate is closed, a payment is neither opened nor charged', async () => {
  let charges = 0
  const live = {
    ...deps.backends.live,
    create: async () => {
      charges += 1
      throw new Error('charged')
    },
  }
  const order = newOrder(projectId, { customId: 'stopped' })
  await close()
  const confirming = confirmPayment({ ...deps, backends: { ...deps.backends, live } }, order)
  await assert.rejects(confirming, GateClosedError)
  assert.equal(charges, 0)
  assert.equal(await openPayment(db, newUuidV7(deps.clock), order, 'sandbox'), null)
})

test('while the gate is closed, an operator can neither resolve a payment nor refund a charge', async () => {
  const { makeLateCharge } = createPaymentFixtures(deps, projectId)
  const payment = await makeLateCharge({ customId: 'decision' })
  await close()
  await assert.rejects(resolvePayment(deps, payment.id, newDecision('paid')), GateClosedError)
  assert.equal((await requirePayment(db, payment.id)).resolution, null)
  const named = { chargeId: `late_${payment.id}`, reason: 'late', by: 'ana' }
  const inReview = await requirePayment(db, payment.id)
  await assert.rejects(refundCharge(deps, inReview, named), GateClosedError)
  assert.deepEqual(await rows(db, 'select from refunds where transaction_id = $1', [payment.id]), [])
})

test('while the gate is closed, payments and refunds are not looked up', async () => {
  // The sandbox does not respond to this amount, so a lookup is needed.
  await confirmPayment(deps, newOrder(projectId, { amount: 4002n }))
  const paid = await payFor(deps, projectId)
  const refund = await reserveRefund(deps, paid, 100n)
  await makeLookupsDue(db)
  await rows(db, 'update refunds set next_check_at = now() where id = $1', [refund.id])
  await close()
  await deps.restoreGate.refresh()
  assert.deepEqual([await reconcileOnce(deps), await reconcileRefundsOnce(deps)], [0, 0])
  await writeOpen(db, (await readRestoreGate(db)).closedAt!)
  await deps.restoreGate.refresh()
  assert.deepEqual([await reconcileOnce(deps), await reconcileRefundsOnce(deps)], [1, 1])
})

test('while the gate is closed, a webhook about an unknown payment raises no incident and gets an error', async () => {
  const upstream = createListingUpstream(deps)
  const charge = toListedPayment(deps, projectId)
  const refund: RefundReport = {
    ...{ id: null, paymentId: charge.id, chargeId: null, status: 'succeeded', amount: 100n, currency: 'EUR' },
    ...{ upstreamRef: 'rf_1', pendingReason: null, failureCode: null },
  }
  const receive = (result: Parameters<typeof receiveWebhook>[3]) =>
    receiveWebhook(
      deps,
      createRefusalCount(),
      upstream.backend,
      result,
      createRefundAndDisputeReceivers(deps),
    )
  await close()
  await assert.rejects(receive({ kind: 'report', charge }), GateClosedError)
  assert.equal(await countIncidents(db, 'unknown_payment', charge.id), 0)
  await assert.rejects(receive({ kind: 'refund', refund }), GateClosedError)
  await writeOpen(db, (await readRestoreGate(db)).closedAt!)
  await assert.rejects(receive({ kind: 'report', charge }), { code: 'not_found' })
  assert.equal(await countIncidents(db, 'unknown_payment', charge.id), 1)
  await assert.rejects(receive({ kind: 'refund', refund }), { code: 'not_found' })
})

test('a webhook that names only a charge is matched only to a payment of the same upstream and account', async () => {
  const upstream = createListingUpstream(deps)
  const receivers = createRefundAndDisputeReceivers(deps)
  const pay = async (backend: string, account: string) => {
    const order = newOrder(projectId)
    const opened = (await openPayment(db, newUuidV7(deps.clock), order, backend, account))!
    await recordReport(deps, opened, toCharge(opened, { chargeId: `pi_${backend}_${account}` }))
    return opened.id
  }
  const dispute = (chargeId: string) => ({
    ...{ paymentId: null, chargeId, status: 'open' as const, amount: 100n, currency: 'EUR' },
    ...{ upstreamRef: `du_${chargeId}`, reason: null, respondBy: null },
  })
  const own = await pay('http', upstream.backend.accounts[0])
  await pay('http', 'another')
  await pay('stripe', upstream.backend.accounts[0])
  for (const chargeId of [
    'pi_http_another',
    `pi_stripe_${upstream.backend.accounts[0]}`,
    `pi_http_${upstream.backend.accounts[0]}`,
  ])
    assert.equal(await receivers.dispute(upstream.backend, dispute(chargeId)), true)
  const disputed = await rows<{ id: string }>(db, 'select transaction_id as id from disputes')
  assert.deepEqual(
    disputed.map(({ id }) => id),
    [own],
  )
})

test('a process remembers its last live payment, but not test payments', async () => {
  deps.lastWrite.forget()
  await confirmPayment(deps, newOrder(projectId, { mode: 'test' }))
  assert.equal(deps.lastWrite.find(), null)
  const paid = await payFor(deps, projectId)
  assert.equal(deps.lastWrite.find(), paid.id)
})

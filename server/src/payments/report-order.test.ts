import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { countIncidents, requirePayment, startPayments } from '../../test/payments.ts'
import { createPaymentFixtures, newDecision, scriptUpstream, toCharge } from '../../test/resolving.ts'
import type { Charge } from '../backends/backend.ts'
import type { Payment } from './payment.ts'
import { reconcileOnce } from './reconcile.ts'
import { recordReport, recordWebhook } from './record-report.ts'
import { raiseIncident } from './incidents.ts'
import { resolvePayment } from './resolution/resolve.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { open, end } = createPaymentFixtures(deps, projectId)
const MINUTE_MS = 60_000

async function resolveWithoutResponse(as: 'paid' | 'unpaid'): Promise<Payment> {
  scriptUpstream(deps)
  const { id } = await open()
  const incident = { kind: 'unresolved' as const, transactionId: id, subject: id, facts: {} }
  await raiseIncident(deps, incident, { needsReview: true })
  assert.equal((await resolvePayment(deps, id, newDecision(as))).kind, 'resolved')
  return requirePayment(db, id)
}

test('a second charge is noticed even if the success was reported without a charge id', async () => {
  const payment = await open()
  await recordReport(deps, payment, toCharge(payment))
  for (let round = 0; round < 2; round += 1) {
    const recorded = await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_1' }))
    assert.equal(recorded.upstreamRef, 'ch_1')
  }
  assert.equal(await countIncidents(db, 'charged_twice', payment.id), 0)
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_2' }))
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.state, stored.upstreamRef, stored.needsReview], ['succeeded', 'ch_1', true])
  assert.equal(await countIncidents(db, 'charged_twice', payment.id), 1)
})

test('if two charge ids are reported at the same time for a success without a charge id, one of them counts as a second charge', async () => {
  const payment = await open()
  await recordReport(deps, payment, toCharge(payment))
  await Promise.all(
    ['ch_1', 'ch_2'].map((chargeId) => recordReport(deps, payment, toCharge(payment, { chargeId }))),
  )
  assert.equal(await countIncidents(db, 'charged_twice', payment.id), 1)
})

test('the database allows the charge id to be set once, and only on a success', async () => {
  const setChargeId = (id: string, ref: string | null) =>
    rows(db, 'update transactions set upstream_ref = $2 where id = $1', [id, ref])
  const paid = await open()
  await recordReport(deps, paid, toCharge(paid))
  await setChargeId(paid.id, 'ch_1')
  for (const ref of ['ch_2', null]) await assert.rejects(setChargeId(paid.id, ref), /is final/)
  const failed = await open()
  await recordReport(deps, failed, toCharge(failed, { status: 'failed' }))
  await assert.rejects(setChargeId(failed.id, 'ch_1'), /is final/)
})

for (const status of ['failed', 'cancelled'] as const) {
  test(`a report "${status}" for a payment that was resolved as paid is a contradiction`, async () => {
    const payment = await resolveWithoutResponse('paid')
    await recordWebhook(deps, payment, toCharge(payment, { status }))
    assert.equal(await countIncidents(db, 'contradiction', payment.id), 1)
    const stored = await requirePayment(db, payment.id)
    assert.deepEqual([stored.resolution, stored.needsReview], ['paid', false])
  })

  test(`a report "${status}" for a payment that was resolved as unpaid is no contradiction`, async () => {
    const payment = await resolveWithoutResponse('unpaid')
    await recordWebhook(deps, payment, toCharge(payment, { status }))
    assert.equal(await countIncidents(db, 'contradiction', payment.id), 0)
  })

  test(`a report "${status}" in response to a lookup ends the payment, even if an earlier webhook had a higher sequence number`, async () => {
    const upstream = scriptUpstream(deps)
    const payment = await open()
    await recordWebhook(deps, payment, toCharge(payment, { status: 'processing', sequence: 100 }))
    upstream.findResult = toCharge(payment, { status, sequence: 3 })
    await reconcileOnce(deps, { nowMs: Date.now() + MINUTE_MS })
    assert.equal((await requirePayment(db, payment.id)).state, 'failed')
  })
}

test('if a charge is reported for a payment that was resolved as unpaid, the payment is put in review', async () => {
  const unpaid = await resolveWithoutResponse('unpaid')
  const paid = await end('succeeded')
  await recordWebhook(deps, paid, toCharge(paid, { status: 'failed' }))
  assert.equal((await resolvePayment(deps, paid.id, newDecision('unpaid'))).kind, 'resolved')
  for (const payment of [unpaid, await requirePayment(db, paid.id)]) {
    await recordWebhook(deps, payment, toCharge(payment, { chargeId: 'ch_new' }))
    assert.equal(await countIncidents(db, 'charged_after_end', payment.id), 1)
    assert.equal((await requirePayment(db, payment.id)).needsReview, true)
  }
})

test('a success in response to a lookup ends the payment, even if an earlier webhook had a higher sequence number; the lookup’s number is stored', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await open()
  await recordWebhook(deps, payment, toCharge(payment, { status: 'processing', sequence: 100 }))
  upstream.findResult = toCharge(payment, { sequence: 3, chargeId: 'ch_9' })
  await reconcileOnce(deps, { nowMs: Date.now() + MINUTE_MS })
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.state, stored.upstreamRef], ['succeeded', 'ch_9'])
  // This webhook contradicts the success. Its sequence number is lower than the first webhook's number, but higher than the
  // lookup's number.
  await recordWebhook(deps, stored, toCharge(payment, { status: 'failed', sequence: 4 }))
  assert.equal(await countIncidents(db, 'contradiction', payment.id), 1)
})

for (const status of ['succeeded', 'failed', 'cancelled'] satisfies Charge['status'][]) {
  test(`a webhook that reports "${status}" with a lower sequence number than an earlier webhook does not change the state, but makes the payment due for a lookup`, async () => {
    const payment = await open()
    await recordWebhook(deps, payment, toCharge(payment, { status: 'processing', sequence: 100 }))
    await recordWebhook(deps, payment, toCharge(payment, { status, sequence: 3 }))
    assert.equal((await requirePayment(db, payment.id)).state, 'processing')
    const text = 'select next_check_at <= now() as due from transactions where id = $1'
    assert.deepEqual(await rows(db, text, [payment.id]), [{ due: true }])
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { requirePayment, startPayments, recordStatements } from '../../../test/payments.ts'
import { createPaymentFixtures, newDecision, scriptUpstream, toCharge } from '../../../test/resolving.ts'
import { until } from '../../../test/until.ts'
import type { Payment } from '../payment.ts'
import { recordReport } from '../record-report.ts'
import { planResolution, resolvePayment } from './resolve.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { end, open } = createPaymentFixtures(deps, projectId)

async function openIncidentsOf(id: string): Promise<string[]> {
  const text = 'select kind from incidents where transaction_id = $1 and closed_at is null order by id'
  return (await rows<{ kind: string }>(db, text, [id])).map(({ kind }) => kind)
}

async function declineWithMismatch(): Promise<Payment> {
  const payment = await end('failed', { customId: crypto.randomUUID() })
  await recordReport(deps, payment, toCharge(payment, { status: 'failed', amount: 999n }))
  assert.deepEqual(await openIncidentsOf(payment.id), ['mismatch'])
  return payment
}

const report = async (payment: Payment, chargeId = 'late') =>
  recordReport(deps, await requirePayment(db, payment.id), toCharge(payment, { chargeId }))

test('if storing an incident fails, the next report of the same charge raises the incident, even after a decision', async () => {
  const payment = await declineWithMismatch()
  const failing = recordStatements(deps, (name, run) =>
    name === 'incidents.raise' ? Promise.reject(new Error('the table is locked')) : run(),
  )
  const charge = toCharge(payment, { chargeId: 'late' })
  await assert.rejects(recordReport(failing.deps, payment, charge), /the table is locked/)
  assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'resolved')
  await report(payment)
  assert.deepEqual(await openIncidentsOf(payment.id), ['charged_after_end'])
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
})

test('a charge that is reported during a decision raises one incident, even if the charge is reported twice', async () => {
  const payment = await declineWithMismatch()
  const waiting = db.transaction(async (tx) => {
    await tx.query({ name: 'test.lock', text: 'select from transactions where id = $1 for update' }, [
      payment.id,
    ])
    const reported = recordReport(deps, payment, toCharge(payment, { chargeId: 'late' }))
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await until(async () => (await rows(db, isWaiting)).length > 0, 'the report waits for the lock')
    const decided = `update transactions set resolution = 'unpaid', resolved_at = clock_timestamp(), resolved_by = 'ana',
      resolution_reason = 'x' where id = $1`
    await tx.query({ name: 'test.decide', text: decided }, [payment.id])
    return { reported }
  })
  await (
    await waiting
  ).reported
  assert.deepEqual(await openIncidentsOf(payment.id), ['mismatch', 'charged_after_end'])
  await report(payment)
  assert.deepEqual(await openIncidentsOf(payment.id), ['mismatch', 'charged_after_end'])
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
})

test('if a charge is reported after the operator has read the plan, the decision is refused', async () => {
  for (const decided of ['unpaid', 'paid'] as const) {
    const payment = await declineWithMismatch()
    const plan = await planResolution(deps, payment.id, { as: decided })
    await report(payment)
    const seen = plan.kind === 'resolve' ? plan.evidenceCode : assert.fail(plan.kind)
    const outcome = await resolvePayment(deps, payment.id, newDecision(decided), seen)
    assert.equal(outcome.kind === 'changed' && outcome.cause, 'reported')
    assert.deepEqual(await openIncidentsOf(payment.id), ['mismatch', 'charged_after_end'])
    const stored = await requirePayment(db, payment.id)
    assert.deepEqual([stored.needsReview, stored.resolution], [true, null])
  }
})

test('if a charge is reported while a decision looks up the payment, the decision is refused, but can be made again', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await open()
  await recordReport(deps, payment, toCharge(payment, { status: 'processing', amount: 999n }))
  const otherAmount = toCharge(payment, { amount: 1400n, chargeId: 'other' })
  upstream.backend.find = async () => {
    await recordReport(deps, payment, otherAmount)
    throw new Error('connection reset')
  }
  const outcome = await resolvePayment(deps, payment.id, newDecision('unpaid'))
  assert.equal(outcome.kind, 'changed')
  assert.equal((await requirePayment(db, payment.id)).state, 'processing')
  assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'resolved')
})

test('a second charge changes the evidence code of the plan, but a repeated report of the first charge does not', async () => {
  const payment = await declineWithMismatch()
  await report(payment)
  const firstPlan = await planResolution(deps, payment.id, { as: 'paid' })
  await report(payment)
  const planAfterRepeat = await planResolution(deps, payment.id, { as: 'paid' })
  await report(payment, 'another')
  const planAfterSecond = await planResolution(deps, payment.id, { as: 'paid' })
  const plans = [firstPlan, planAfterRepeat, planAfterSecond]
  const codes = plans.map((plan) => (plan.kind === 'resolve' ? plan.evidenceCode : plan.kind))
  assert.equal(codes[0], codes[1])
  assert.notEqual(codes[1], codes[2])
})

// What is reported around an operator's decision: nothing that they had not seen is decided with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { requireStored, startPayments, watchWork } from '../../test/payments.ts'
import { createReviews, decide, toCharge } from '../../test/resolving.ts'
import type { Payment } from './payment.ts'
import { recordReport } from './record-report.ts'
import { resolvePayment } from './resolve.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { end } = createReviews(deps, projectId)

async function openIncidentsOf(id: string): Promise<string[]> {
  const text = 'select kind from incidents where transaction_id = $1 and closed_at is null order by id'
  return (await rows<{ kind: string }>(db, text, [id])).map(({ kind }) => kind)
}

/** Declined, with an incident `mismatch` that says nothing of a charge. */
async function declinedWithMismatch(): Promise<Payment> {
  const payment = await end('failed', { customId: crypto.randomUUID() })
  await recordReport(deps, payment, toCharge(payment, { status: 'failed', amount: 999n }))
  assert.deepEqual(await openIncidentsOf(payment.id), ['mismatch'])
  return payment
}

const report = async (payment: Payment, chargeId = 'late') =>
  recordReport(deps, await requireStored(db, payment.id), toCharge(payment, { chargeId }))

test('a charge whose incident could not be written is raised by its repeat, whatever was decided meanwhile', async () => {
  const payment = await declinedWithMismatch()
  const failing = watchWork(deps, (name, run) =>
    name === 'incidents.raise' ? Promise.reject(new Error('the table is locked')) : run(),
  )
  const charge = toCharge(payment, { chargeId: 'late' })
  await assert.rejects(recordReport(failing.deps, payment, charge), /the table is locked/)
  assert.equal((await resolvePayment(deps, payment.id, decide('unpaid'))).kind, 'resolved')
  await report(payment)
  assert.deepEqual(await openIncidentsOf(payment.id), ['charged_after_end'])
  assert.equal((await requireStored(db, payment.id)).needsReview, true)
})

test('a charge that is reported while the decision is written is raised, and so is its repeat', async () => {
  const payment = await declinedWithMismatch()
  const waiting = db.transaction(async (tx) => {
    await tx.query({ name: 'test.lock', text: 'select from transactions where id = $1 for update' }, [
      payment.id,
    ])
    const reported = recordReport(deps, payment, toCharge(payment, { chargeId: 'late' }))
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    while ((await rows(db, isWaiting)).length === 0);
    const decided = `update transactions set resolution = 'unpaid', resolved_at = clock_timestamp(), resolved_by = 'ana',
      resolution_reason = 'x' where id = $1`
    await tx.query({ name: 'test.decide', text: decided }, [payment.id])
    return { reported }
  })
  await (
    await waiting
  ).reported
  assert.deepEqual(await openIncidentsOf(payment.id), ['mismatch', 'charged_after_end'])
  const [row] = await rows<{ after: boolean }>(
    db,
    `select first_at > resolved_at as after from upstream_reports r join transactions t on t.id = r.transaction_id
     where t.id = $1 and charge_id = 'late'`,
    [payment.id],
  )
  assert.equal(row!.after, true)
})

// The gate is closed while payments are stopped after a restore of the database.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createIncidents } from '../../test/incidents.ts'
import { addPayProject } from '../../test/payer.ts'
import {
  countIncidents,
  makeLookupsDue,
  newOrder,
  requirePayment,
  startPayments,
  recordStatements,
} from '../../test/payments.ts'
import { createPaymentFixtures, newDecision, toCharge } from '../../test/resolving.ts'
import { insertPayments } from '../../test/transactions.ts'
import { readRestoreGate, writeClosed, writeOpen } from '../db/gate-store.ts'
import { readInstallation } from '../db/installation-store.ts'
import { GateClosedError } from '../db/gate-view.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import { deleteUnused } from './closing/delete-project.ts'
import { confirmPayment } from './confirm.ts'
import { raiseIncident, closeIncident } from './incidents.ts'
import { requireRecordedMoney } from './money-guard.ts'
import { openPayment } from './payments-store.ts'
import { reconcileOnce } from './reconcile.ts'
import { resolvePayment } from './resolution/resolve.ts'
import { receiveWebhook } from './webhook/receive.ts'
import { createRefusalCount } from './webhook/refusals.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { makeLateCharge } = createPaymentFixtures(deps, projectId)
const { incidentOf } = createIncidents(deps)

/** Closes the gate in the database. This process does not know that yet. */
const closeGate = () => writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: null })

async function openGate(): Promise<void> {
  const { closedAt } = await readRestoreGate(db)
  if (closedAt) await writeOpen(db, closedAt)
  await deps.restoreGate.refresh()
}

afterEach(openGate)

test('while the gate is closed, no payment is opened, resolved or looked up', async () => {
  const order = newOrder(projectId)
  const inReview = await makeLateCharge()
  // The sandbox does not respond to this amount, so a lookup is needed.
  await confirmPayment(deps, newOrder(projectId, { amount: 4002n }))
  await makeLookupsDue(db)
  await closeGate()
  assert.equal(await openPayment(db, newUuidV7(deps.clock), order, 'sandbox'), null)
  await assert.rejects(confirmPayment(deps, order), GateClosedError)
  await assert.rejects(resolvePayment(deps, inReview.id, newDecision('paid')), GateClosedError)
  assert.equal((await requirePayment(db, inReview.id)).resolution, null)
  await deps.restoreGate.refresh()
  assert.equal(await reconcileOnce(deps), 0)
  await openGate()
  assert.ok(await openPayment(db, newUuidV7(deps.clock), order, 'sandbox'))
  assert.equal(await reconcileOnce(deps, { backend: 'http' }), 0)
  assert.equal(await reconcileOnce(deps, { backend: 'sandbox' }), 1)
})

test('the incident of a restore cannot be closed while the gate is closed', async () => {
  await raiseIncident(deps, { kind: 'restored', transactionId: null, subject: 'now', facts: {} })
  const { id } = await incidentOf('restored', 'now')
  await closeGate()
  await assert.rejects(closeIncident(deps, id), GateClosedError)
  assert.equal((await incidentOf('restored', 'now')).closed_at, null)
  await openGate()
  assert.ok((await closeIncident(deps, id)).closedAt)
})

test('while the gate is closed, a webhook about an unknown payment gets "unavailable"; afterwards it gets "not found"', async () => {
  const charge = toCharge({ ...(await makeLateCharge()), id: newUuidV7(deps.clock) })
  const changed = { kind: 'refunds_changed', paymentId: charge.id, chargeId: null } as const
  const called: string[] = []
  const refuseAs = (kind: string) => async () => {
    called.push(kind)
    return false
  }
  const receivers = { refund: refuseAs('refund'), dispute: refuseAs('dispute') }
  const receive = (result: Parameters<typeof receiveWebhook>[3]) =>
    receiveWebhook(deps, createRefusalCount(), deps.backends.live, result, receivers)
  await closeGate()
  await assert.rejects(receive({ kind: 'report', charge }), GateClosedError)
  await assert.rejects(receive(changed), GateClosedError)
  assert.equal(await countIncidents(db, 'unknown_payment', charge.id), 0)
  await openGate()
  await assert.rejects(receive({ kind: 'report', charge }), { code: 'not_found' })
  await assert.rejects(receive(changed), { code: 'not_found' })
  assert.equal(await countIncidents(db, 'unknown_payment', charge.id), 1)
  assert.deepEqual(called, ['refund', 'refund'])
})

test('a process that still has the old currency or scale opens no payment', async () => {
  for (const fields of [{ currency: 'USD' }, { scale: 3 }]) {
    const order = newOrder(projectId, fields)
    await assert.rejects(confirmPayment(deps, order), { code: 'unavailable' })
    const stored = await rows(db, 'select from transactions where attempt_id = $1', [order.attemptId])
    assert.deepEqual(stored, [])
  }
})

test('resolving as paid is refused if another payment of the order is stored just before the decision is written', async () => {
  const customId = randomUUID()
  const payment = await makeLateCharge({ customId })
  let otherId: string | undefined
  const { deps: raced } = recordStatements(deps, async (name, run) => {
    if (name === 'resolve.write') [otherId] = await insertPayments(deps, projectId, [{ customId }])
    return run()
  })
  const outcome = await resolvePayment(raced, payment.id, newDecision('paid'))
  assert.deepEqual(
    [outcome.kind, outcome.kind === 'order_held' && outcome.holder?.id],
    ['order_held', otherId],
  )
  const { resolution, needsReview } = await requirePayment(db, payment.id)
  assert.deepEqual([resolution, needsReview], [null, true])
})

test('only the owner can delete a project, and all test payments of the project are deleted, even those after the first batch', async () => {
  const { id } = await addPayProject(deps)
  const ownerId = (await findOwnerId(db, id))!
  await insertPayments(
    deps,
    id,
    Array.from({ length: 501 }, () => ({ mode: 'test' as const })),
  )
  const remove = (by: typeof ownerId) => deleteUnused(deps, by, id, async () => undefined)
  const count = async (table: string, column: string) =>
    (await rows(db, `select from ${table} where ${column} = $1`, [id])).length
  await assert.rejects(remove(randomUUID() as typeof ownerId), { code: 'not_found' })
  assert.equal(await count('transactions', 'project_id'), 501)
  await remove(ownerId)
  assert.deepEqual([await count('transactions', 'project_id'), await count('projects', 'id')], [0, 0])
})

test('currency and scale are replaced only while there is no payment', async () => {
  const settings = { currency: 'USD', scale: 0 }
  const recorded = await readInstallation(db, { currency: 'EUR', scale: 2 })
  await insertPayments(deps, projectId, [{ state: 'failed' }])
  await assert.rejects(requireRecordedMoney(db, recorded, settings), /USD:0.*payments in EUR:2/)
  assert.deepEqual(await requireRecordedMoney(db, recorded, { currency: 'EUR', scale: 2 }), recorded)
  await rows(db, 'truncate transactions, incidents, callbacks cascade')
  const replaced = await requireRecordedMoney(db, recorded, settings)
  const { currency, scale, scaleOfOldPayments, currencyChangedAt } = replaced
  assert.deepEqual([currency, scale, scaleOfOldPayments, currencyChangedAt], ['USD', 0, 0, null])
  assert.deepEqual(await readInstallation(db, settings), replaced)
})

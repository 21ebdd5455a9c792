import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createIncidents } from '../../test/incidents.ts'
import { addPayProject } from '../../test/payer.ts'
import { requirePayment, startPayments, recordStatements } from '../../test/payments.ts'
import { createPaymentFixtures, newDecision, toCharge } from '../../test/resolving.ts'
import type { StoredPayment } from '../../test/transactions.ts'
import { insertPayments } from '../../test/transactions.ts'
import { until } from '../../test/until.ts'
import {
  deleteTestPayments,
  hasLivePayments,
  hasOpenPayments,
  listTestPayments,
} from './closing/closing-store.ts'
import { ServiceError } from '../lib/service-error.ts'
import {
  closeAsResolved,
  closeIncidentsOf,
  findOpenIncidentId,
  hasOpenIncident,
  insertIncident,
  listOpenFacts,
  lockPayments,
  markClosed,
} from './incidents-store.ts'
import { closeIncident, closeUnresolved } from './incidents.ts'
import { recordReport } from './record-report.ts'
import { resolvePayment } from './resolution/resolve.ts'
import { findOrderState } from './reads/status-store.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const otherProjectId = (await addPayProject(deps)).id

beforeEach(async () => {
  await rows(db, 'truncate transactions, incidents, callbacks cascade')
})

const insert = async (fields: StoredPayment, paidProjectId = projectId) =>
  (await insertPayments(deps, paidProjectId, [fields]))[0]!

const { raise, incidentOf } = createIncidents(deps)

test('hasOpenPayments is true while a payment of the given projects is open or has an open incident', async () => {
  const ended = await insert({ state: 'failed', mode: 'test' })
  const ofOtherProject = await insert({ state: 'failed' }, otherProjectId)
  await raise(ended)
  await raise(ofOtherProject)
  assert.equal(await hasOpenPayments(db, [projectId]), true)
  await closeIncident(deps, (await incidentOf('mismatch', ended)).id)
  assert.equal(await hasOpenPayments(db, [projectId]), false)
  assert.equal(await hasOpenPayments(db, [projectId, otherProjectId]), true)
  assert.equal(await hasOpenPayments(db, []), false)
  for (const [mode, state] of [
    ['test', 'processing'],
    ['live', 'requires_action'],
  ] as const) {
    const id = await insert({ mode, state })
    assert.equal(await hasOpenPayments(db, [projectId]), true, `${mode} ${state}`)
    await rows(db, 'delete from transactions where id = $1', [id])
  }
})

test('only test payments of the project are listed and deleted', async () => {
  const [first, second] = await insertPayments(deps, projectId, [{ mode: 'test' }, { mode: 'test' }])
  await insert({ mode: 'test' }, otherProjectId)
  assert.equal(await hasLivePayments(db, projectId), false)
  const live = await insert({ mode: 'live', state: 'failed' })
  assert.equal(await hasLivePayments(db, projectId), true)
  assert.equal(await hasLivePayments(db, otherProjectId), false)
  await raise(first!)
  await db.transaction(async (tx) => {
    assert.deepEqual((await listTestPayments(tx, projectId, 10)).toSorted(), [first, second].toSorted())
    assert.equal((await listTestPayments(tx, projectId, 1)).length, 1)
    await deleteTestPayments(tx, [first!, live])
  })
  const remaining = await rows<{ id: string }>(db, 'select id from transactions where project_id = $1', [
    projectId,
  ])
  assert.deepEqual(remaining.map(({ id }) => id).toSorted(), [second, live].toSorted())
})

test('an open incident is found by its kind and subject, and a closed incident is not found', async () => {
  const [one, two] = [await insert({ state: 'failed' }), await insert({ state: 'failed' })]
  await raise(one)
  await raise(two, 'unresolved')
  const { id } = await incidentOf('mismatch', one)
  assert.equal(await findOpenIncidentId(db, 'mismatch', one), id)
  assert.equal(await findOpenIncidentId(db, 'unresolved', one), null)
  assert.equal(await findOpenIncidentId(db, 'mismatch', two), null)
  assert.deepEqual(await listOpenFacts(db, 'mismatch'), [{ id, facts: { a: '1' } }])
  assert.equal(await hasOpenIncident(db, one), true)
  const closed = await db.transaction((tx) => markClosed(tx, id))
  assert.equal(await findOpenIncidentId(db, 'mismatch', one), null)
  assert.deepEqual(await listOpenFacts(db, 'mismatch'), [])
  assert.deepEqual([await hasOpenIncident(db, one), await hasOpenIncident(db, two)], [false, true])
  const closedAgain = await db.transaction((tx) => markClosed(tx, id))
  assert.deepEqual(closedAgain?.closedAt, closed?.closedAt, 'the time of the first closing does not change')
})

test('incidents whose cause is over are closed with new facts; incidents that were already closed keep their facts', async () => {
  const [one, two] = [await insert({ state: 'failed' }), await insert({ state: 'failed' })]
  await raise(one, 'mismatch', true)
  await raise(two)
  const [first, second] = [await incidentOf('mismatch', one), await incidentOf('mismatch', two)]
  await closeIncident(deps, second.id)
  const closedBefore = await incidentOf('mismatch', two)
  await closeAsResolved(db, [first.id, second.id], { b: '2' })
  assert.deepEqual((await incidentOf('mismatch', one)).facts, { a: '1', b: '2' })
  assert.equal((await requirePayment(db, one)).needsReview, false)
  assert.deepEqual(await incidentOf('mismatch', two), closedBefore)
})

const untilWaiting = () =>
  until(async () => {
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    return (await rows(db, waiting)).length > 0
  }, 'a session waits for a lock')

test('if two processes raise a closed incident at the same moment, only the first process reopens the incident', async () => {
  const id = await insert({ state: 'failed' })
  await raise(id)
  await closeIncident(deps, (await incidentOf('mismatch', id)).id)
  const reopening = { kind: 'mismatch', transactionId: id, subject: id, facts: { a: '2' } } as const
  const { second } = await db.transaction(async (tx) => {
    assert.equal((await insertIncident(tx, reopening)).isNewOrReopened, true)
    const secondInsert = db.transaction((secondTx) => insertIncident(secondTx, reopening))
    await untilWaiting()
    return { second: secondInsert }
  })
  assert.equal((await second).isNewOrReopened, false)
})

test('lockPayments locks only the given payments and the payments of the given incidents', async () => {
  const [one, two] = [await insert({ state: 'failed' }), await insert({ state: 'failed' })]
  await raise(two)
  const { id } = await incidentOf('mismatch', two)
  const tryToLock = (paymentId: string) =>
    rows(db, 'select from transactions where id = $1 for no key update nowait', [paymentId])
  await db.transaction(async (tx) => {
    await lockPayments(tx, [one])
    await assert.rejects(tryToLock(one), ServiceError)
    await tryToLock(two)
  })
  await db.transaction(async (tx) => {
    await lockPayments(tx, [], [id])
    await assert.rejects(tryToLock(two), ServiceError)
    await tryToLock(one)
  })
})

test('closeUnresolved waits for the lock of the payment, and closes only the payment’s incident of the kind "unresolved"', async () => {
  const [one, two] = [await insert({ state: 'failed' }), await insert({ state: 'failed' })]
  for (const id of [one, two]) await raise(id, 'unresolved')
  await raise(one)
  const closing = await db.transaction(async (tx) => {
    await lockPayments(tx, [one])
    const started = closeUnresolved(deps, one)
    await untilWaiting()
    return { started }
  })
  await closing.started
  assert.notEqual((await incidentOf('unresolved', one)).closed_at, null)
  assert.equal((await incidentOf('unresolved', two)).closed_at, null)
  assert.equal((await incidentOf('mismatch', one)).closed_at, null)
})

test('closing the incidents of a payment changes neither incidents of other payments nor the times of earlier closings', async () => {
  const [one, two] = [await insert({ state: 'failed' }), await insert({ state: 'failed' })]
  await raise(one)
  await raise(one, 'unresolved')
  await raise(two)
  await rows(db, `update incidents set closed_at = '2026-11-16T03:00:00Z' where kind = 'unresolved'`)
  await db.transaction((tx) => closeIncidentsOf(tx, one))
  assert.notEqual((await incidentOf('mismatch', one)).closed_at, null)
  assert.deepEqual((await incidentOf('unresolved', one)).closed_at, new Date('2026-11-16T03:00:00Z'))
  assert.equal((await incidentOf('mismatch', two)).closed_at, null)
})

test('an order has the state of its paid payment, otherwise of a payment in review, otherwise of its newest payment', async () => {
  const customId = `order-${randomUUID()}`
  const stateOf = async () => (await findOrderState(db, projectId, 'live', customId))?.state ?? null
  await insert({ customId, state: 'succeeded', mode: 'test' })
  await insert({ customId, state: 'succeeded' }, otherProjectId)
  assert.equal(await stateOf(), null)
  await insert({ customId, state: 'failed', createdAt: '2026-11-16T03:00:00Z' })
  const expired = await insert({ customId, state: 'expired', createdAt: '2026-11-16T02:00:00Z' })
  assert.equal(await stateOf(), 'failed')
  await rows(db, 'update transactions set needs_review = true where id = $1', [expired])
  assert.equal(await stateOf(), 'expired')
  await insert({ customId, state: 'succeeded', createdAt: '2026-11-16T01:00:00Z' })
  assert.equal(await stateOf(), 'succeeded')
})

test('a decision that another operator makes at the same time is not overwritten', async () => {
  const { makeLateCharge } = createPaymentFixtures(deps, projectId)
  const payment = await makeLateCharge({ customId: randomUUID() })
  assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'resolved')
  await recordReport(deps, await requirePayment(db, payment.id), toCharge(payment, { chargeId: 'second' }))
  const racing = recordStatements(deps, async (name, run) => {
    if (name === 'resolve.lock_project')
      await rows(db, `update transactions set resolved_at = now() + interval '1 second' where id = $1`, [
        payment.id,
      ])
    return run()
  })
  const outcome = await resolvePayment(racing.deps, payment.id, newDecision('paid'))
  assert.ok(outcome.kind === 'changed' && outcome.cause === 'decided', outcome.kind)
  assert.equal((await requirePayment(db, payment.id)).resolution, 'unpaid')
})

test('a decision wakes the delivery, and the audit log says who decided, why, and whether the decision was forced', async () => {
  const { makeLateCharge } = createPaymentFixtures(deps, projectId)
  let woken = 0
  const waking = { ...deps, wakeDelivery: () => (woken += 1) }
  const payment = await makeLateCharge({ customId: randomUUID() })
  const decision = newDecision('paid', { by: 'ana', reason: 'It arrived', isForced: true })
  assert.equal((await resolvePayment(waking, payment.id, decision)).kind, 'resolved')
  assert.equal(woken, 1)
  assert.equal((await resolvePayment(waking, payment.id, decision)).kind, 'already')
  assert.equal(woken, 1)
  const audit = await rows(
    db,
    `select actor, project_id, changes from audit_events where action = 'payment_resolved' order by id desc limit 1`,
  )
  const changes = {
    transactionId: payment.id,
    resolution: 'paid',
    reason: 'It arrived',
    by: 'ana',
    isForced: true,
  }
  assert.deepEqual(audit, [{ actor: 'operator', project_id: projectId, changes }])
})

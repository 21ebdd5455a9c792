import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { listCallbacks, requirePayment, startPayments } from '../../../test/payments.ts'
import { createPaymentFixtures, newDecision, toCharge } from '../../../test/resolving.ts'
import { confirmPayment } from '../confirm.ts'
import { hasOpenIncident } from '../incidents-store.ts'
import { isInReview, isPaid } from '../payment.ts'
import { recordReport } from '../record-report.ts'
import { resolvePayment } from './resolve.ts'
import { findStatusFacts } from '../reads/status-store.ts'
import { changeCallbacks } from '../../../test/stored-forms.ts'

const { deps, projectId, replica } = await startPayments()
const { db } = deps
const { end, makeLateCharge, open } = createPaymentFixtures(deps, projectId)
let orders = 0
const newOrderId = () => `order-${++orders}`

async function findPaidAmount(customId: string): Promise<bigint | null> {
  return (await findStatusFacts(db, projectId, customId))!.paid.live
}

const outcomesOf = async (id: string) =>
  (await listCallbacks(db, id)).map(({ result, status }) => `${result} ${status}`).toSorted()

async function auditsOf(id: string): Promise<{ actor: string; changes: Record<string, string> }[]> {
  const text = `select actor, changes from audit_events where action = 'payment_resolved'
    and changes->>'transactionId' = $1 order by id`
  return rows(db, text, [id])
}

test('a payment in review that is resolved as paid counts as paid, and its state does not change', async () => {
  const customId = newOrderId()
  const payment = await makeLateCharge({ customId })
  assert.equal(isInReview(payment) || (await requirePayment(db, payment.id)).needsReview, true)
  const outcome = await resolvePayment(deps, payment.id, newDecision('paid'))
  assert.equal(outcome.kind, 'resolved')
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual(
    [stored.state, stored.failureCode, stored.resolution, stored.needsReview],
    ['failed', 'declined', 'paid', false],
  )
  assert.equal(isPaid(stored), true)
  assert.equal(await findPaidAmount(customId), 1500n)
  assert.equal(await hasOpenIncident(db, payment.id), false)
})

test('resolving as paid cancels the queued "fail" callback and queues a "success" with a new id', async () => {
  const payment = await makeLateCharge({ customId: newOrderId(), data: 'Kafa' })
  const [first] = await listCallbacks(db, payment.id)
  const outcome = await resolvePayment(deps, payment.id, newDecision('paid'))
  assert.deepEqual(await outcomesOf(payment.id), ['fail cancelled', 'success pending'])
  const second = (await listCallbacks(db, payment.id)).find(({ id }) => id !== first!.id)!
  assert.equal(outcome.kind === 'resolved' && outcome.callbackId, second.id)
  assert.match(second.id, /^msg_[0-9a-f]{32}$/)
  const { status: _status, failureCode: _code, ...same } = first!.payload
  assert.deepEqual(second.payload, { ...same, status: 'success', failureCode: null })
})

test('a "fail" callback that the merchant accepted stays delivered, and resolving as paid queues a "success" after it', async () => {
  const payment = await makeLateCharge()
  await changeCallbacks(
    db,
    `update callbacks set status = 'delivered', delivered_at = now() where transaction_id = $1`,
    [payment.id],
  )
  await resolvePayment(deps, payment.id, newDecision('paid'))
  assert.deepEqual(await outcomesOf(payment.id), ['fail delivered', 'success pending'])
})

test('resolving as paid also cancels the queued "fail" callbacks of other payments of the order', async () => {
  const customId = newOrderId()
  const earlier = await end('failed', { customId })
  const payment = await makeLateCharge({ customId })
  await resolvePayment(deps, payment.id, newDecision('paid'))
  assert.deepEqual(await outcomesOf(earlier.id), ['fail cancelled'])
})

test('an order resolved as paid cannot be paid again', async () => {
  const customId = newOrderId()
  const payment = await makeLateCharge({ customId })
  await resolvePayment(deps, payment.id, newDecision('paid'))
  const order = {
    attemptId: crypto.randomUUID(),
    projectId,
    mode: 'live' as const,
    amount: 1500n,
    currency: 'EUR',
    scale: 2,
    customId,
    data: null,
  }
  assert.deepEqual(await confirmPayment(deps, order), { kind: 'already_paid' })
  assert.deepEqual(await confirmPayment(deps, { ...order, amount: 5n }), { kind: 'conflict' })
})

test('an order resolved as unpaid can be paid again', async () => {
  const customId = newOrderId()
  const payment = await makeLateCharge({ customId })
  await assert.rejects(open({ customId }), /another payment blocks/)
  await resolvePayment(deps, payment.id, newDecision('unpaid'))
  assert.deepEqual(await outcomesOf(payment.id), ['fail pending'])
  const secondPayment = await end('succeeded', { customId })
  assert.equal(await findPaidAmount(customId), 1500n)
  assert.equal(secondPayment.state, 'succeeded')
  assert.deepEqual(await outcomesOf(payment.id), ['fail cancelled'])
})

test('a succeeded payment that is resolved as unpaid no longer counts as paid, and its order can be paid again', async () => {
  const customId = newOrderId()
  const payment = await end('succeeded', { customId })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'second' }))
  await resolvePayment(deps, payment.id, newDecision('unpaid'))
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.state, isPaid(stored)], ['succeeded', false])
  assert.equal(await findPaidAmount(customId), null)
  assert.deepEqual(await outcomesOf(payment.id), ['fail pending', 'success cancelled'])
  const fail = (await listCallbacks(db, payment.id)).find(({ result }) => result === 'fail')
  assert.equal(fail!.payload['failureCode'], 'resolved_unpaid')
  await end('succeeded', { customId })
  assert.equal(await findPaidAmount(customId), 1500n)
})

test('making the same decision again changes nothing and sends nothing', async () => {
  const payment = await makeLateCharge()
  await resolvePayment(deps, payment.id, newDecision('paid'))
  const outcome = await resolvePayment(deps, payment.id, newDecision('paid', { reason: 'again' }))
  assert.equal(outcome.kind, 'already')
  assert.equal((await listCallbacks(db, payment.id)).length, 2)
  assert.equal((await auditsOf(payment.id)).length, 1)
})

test('a wrong decision can be corrected: a third callback is sent, and both decisions are in the audit log', async () => {
  const payment = await makeLateCharge({ customId: newOrderId() })
  await resolvePayment(deps, payment.id, newDecision('paid'))
  assert.equal(
    (await resolvePayment(deps, payment.id, newDecision('unpaid', { by: 'iva' }))).kind,
    'resolved',
  )
  assert.deepEqual(await outcomesOf(payment.id), ['fail cancelled', 'fail pending', 'success cancelled'])
  const audits = await auditsOf(payment.id)
  assert.deepEqual(
    audits.map(({ actor, changes }) => [actor, changes['resolution'], changes['by']]),
    [
      ['operator', 'paid', 'ana'],
      ['operator', 'unpaid', 'iva'],
    ],
  )
})

test('resolving as paid is refused while another payment of the order is paid or open', async () => {
  const customId = newOrderId()
  const payment = await end('failed', { customId })
  const otherPayment = await open({ customId })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'late' }))
  const whileOpen = await resolvePayment(deps, payment.id, newDecision('paid'))
  assert.equal(whileOpen.kind === 'order_held' && whileOpen.holder?.id, otherPayment.id)
  await recordReport(deps, otherPayment, toCharge(otherPayment))
  const whilePaid = await resolvePayment(deps, payment.id, newDecision('paid'))
  assert.equal(whilePaid.kind, 'order_held')
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
  assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'resolved')
})

test('if two payments of one order are resolved as paid at the same time, the database allows only one decision', async () => {
  const second = await replica()
  for (let round = 0; round < 10; round += 1) {
    const customId = newOrderId()
    const [one, two] = [await end('failed', { customId }), await end('failed', { customId })]
    for (const each of [one, two]) await recordReport(deps, each, toCharge(each, { chargeId: 'late' }))
    const outcomes = await Promise.all([
      resolvePayment(deps, one.id, newDecision('paid')),
      resolvePayment(second, two.id, newDecision('paid')),
    ])
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['order_held', 'resolved'])
    assert.equal(await findPaidAmount(customId), 1500n)
  }
})

test('when two operators decide about the same payment at the same time, only the callback of the stored decision stays queued', async () => {
  const second = await replica()
  for (let round = 0; round < 10; round += 1) {
    const [same, other] = [await makeLateCharge(), await makeLateCharge()]
    const sameDecisions = await Promise.all([
      resolvePayment(deps, same.id, newDecision('paid')),
      resolvePayment(second, same.id, newDecision('paid')),
    ])
    assert.deepEqual(sameDecisions.map(({ kind }) => kind).toSorted(), ['already', 'resolved'])
    assert.equal((await listCallbacks(db, same.id)).length, 2)
    const oppositeDecisions = await Promise.all([
      resolvePayment(deps, other.id, newDecision('paid')),
      resolvePayment(second, other.id, newDecision('unpaid')),
    ])
    assert.equal(oppositeDecisions.filter(({ kind }) => kind === 'resolved').length >= 1, true)
    const last = (await listCallbacks(db, other.id)).filter(({ status }) => status === 'pending')
    const stored = await requirePayment(db, other.id)
    assert.deepEqual(
      last.map(({ result }) => result),
      [stored.resolution === 'paid' ? 'success' : 'fail'],
    )
  }
})

test('a payment that has no earlier decision, no review and no open incident cannot be resolved as unpaid', async () => {
  for (const payment of [await end('succeeded'), await end('failed'), await open()]) {
    assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'not_in_review')
    assert.equal((await requirePayment(db, payment.id)).resolution, null)
  }
})

test('after a decision, a report that was known before does not put the payment in review again, but a new report does', async () => {
  const payment = await makeLateCharge()
  await resolvePayment(deps, payment.id, newDecision('unpaid'))
  const report = (chargeId: string) =>
    requirePayment(db, payment.id).then((stored) =>
      recordReport(deps, stored, toCharge(stored, { chargeId })),
    )
  await report(`late_${payment.id}`)
  assert.equal((await requirePayment(db, payment.id)).needsReview, false)
  await report('yet another')
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.needsReview, stored.resolution], [true, 'unpaid'])
  const confirmed = await resolvePayment(deps, payment.id, newDecision('unpaid'))
  assert.equal(confirmed.kind === 'resolved' && confirmed.callbackId, null)
  assert.equal((await requirePayment(db, payment.id)).needsReview, false)
})

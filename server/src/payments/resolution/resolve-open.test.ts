import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../../test/accounts.ts'
import { listCallbacks, requirePayment, startPayments } from '../../../test/payments.ts'
import { createPaymentFixtures, newDecision, scriptUpstream, toCharge } from '../../../test/resolving.ts'
import { hasOpenIncident } from '../incidents-store.ts'
import { raiseIncident } from '../incidents.ts'
import { reportMissingUpstreams } from '../missing-upstreams.ts'
import type { Payment } from '../payment.ts'
import { recordReport } from '../record-report.ts'
import { resolvePayment } from './resolve.ts'
import { settle } from '../settle.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { open } = createPaymentFixtures(deps, projectId)

async function openWithIncident(needsReview = true): Promise<Payment> {
  const payment = await open({ customId: crypto.randomUUID() })
  const incident = { kind: 'mismatch', transactionId: payment.id, subject: payment.id, facts: {} } as const
  await raiseIncident(deps, incident, { needsReview })
  return requirePayment(db, payment.id)
}

const outcomesOf = async (id: string) =>
  (await listCallbacks(db, id)).map(({ result, status }) => `${result} ${status}`).toSorted()

for (const decided of ['paid', 'unpaid'] as const) {
  test(`a payment can be resolved as ${decided} although its upstream does not respond`, async () => {
    const upstream = scriptUpstream(deps)
    const payment = await openWithIncident(false)
    const outcome = await resolvePayment(deps, payment.id, newDecision(decided))
    assert.equal(outcome.kind === 'resolved' && outcome.lookup?.reported, 'no response')
    assert.deepEqual(upstream.calls, ['find'])
    const stored = await requirePayment(db, payment.id)
    assert.deepEqual(
      [stored.state, stored.failureCode, stored.resolution, stored.needsReview],
      ['failed', `resolved_${decided}`, decided, false],
    )
    assert.deepEqual(await outcomesOf(payment.id), [decided === 'paid' ? 'success pending' : 'fail pending'])
    assert.equal(await hasOpenIncident(db, payment.id), false)
  })
}

test('an open payment whose upstream is not configured can be resolved only after an incident reports the missing upstream', async () => {
  scriptUpstream(deps)
  const payment = await open()
  await rows(db, 'alter table transactions disable trigger user')
  await rows(db, `update transactions set backend = 'http' where id = $1`, [payment.id])
  await rows(db, 'alter table transactions enable trigger user')
  for (const decided of ['paid', 'unpaid'] as const) {
    const refused = await resolvePayment(deps, payment.id, newDecision(decided))
    assert.match(refused.kind === 'not_configured' ? refused.setting : refused.kind, /BACKEND_URL/)
  }
  const mismatch = { kind: 'mismatch', transactionId: payment.id, subject: payment.id, facts: {} } as const
  await raiseIncident(deps, mismatch)
  assert.equal((await resolvePayment(deps, payment.id, newDecision('paid'))).kind, 'not_configured')
  assert.equal((await requirePayment(db, payment.id)).state, 'processing')
  await reportMissingUpstreams(deps)
  const outcome = await resolvePayment(deps, payment.id, newDecision('paid'))
  assert.match(
    outcome.kind === 'resolved' ? (outcome.lookup?.noResponseReason ?? '') : '',
    /http .*is not configured/,
  )
  assert.deepEqual(await outcomesOf(payment.id), ['success pending'])
})

test('an open payment that is resolved as unpaid is cancelled upstream; the cancellation ends the payment, and no decision is stored', async () => {
  for (const [status, state, failureCode] of [
    ['processing', 'failed', 'not_charged'],
    // The payer could still pay on the bank's page.
    ['requires_action', 'expired', 'cancelled'],
  ] as const) {
    const upstream = scriptUpstream(deps)
    const payment = await openWithIncident(false)
    upstream.findResult = toCharge(payment, { status, actionUrl: 'https://bank.example/3ds' })
    upstream.cancelResult = toCharge(payment, { status: 'cancelled' })
    const outcome = await resolvePayment(deps, payment.id, newDecision('unpaid'))
    assert.deepEqual([outcome.kind, upstream.calls], ['ended', ['find', 'cancel']])
    const stored = await requirePayment(db, payment.id)
    assert.deepEqual([stored.state, stored.failureCode, stored.resolution], [state, failureCode, null])
    assert.deepEqual(await outcomesOf(payment.id), ['fail pending'])
    assert.equal(await hasOpenIncident(db, payment.id), false)
  }
})

test('the metric pazar_payments_total counts a failed payment once, whether the operator or the upstream ended the payment', async () => {
  const countFailed = async () =>
    Number(
      /pazar_payments_total\{mode="live",state="failed"\} (\d+)/.exec(await deps.metrics.text())?.[1] ?? 0,
    )
  const failedBefore = await countFailed()
  const unresponsive = scriptUpstream(deps)
  await resolvePayment(deps, (await openWithIncident()).id, newDecision('unpaid'))
  assert.deepEqual([unresponsive.calls, await countFailed()], [['find'], failedBefore + 1])
  const upstream = scriptUpstream(deps)
  const payment = await openWithIncident()
  upstream.findResult = null
  upstream.cancelResult = toCharge(payment, { status: 'cancelled' })
  await resolvePayment(deps, payment.id, newDecision('unpaid'))
  assert.equal(await countFailed(), failedBefore + 2)
})

test('a payment that is resolved as paid is looked up, but not cancelled upstream', async () => {
  for (const status of ['processing', 'requires_action', null] as const) {
    const upstream = scriptUpstream(deps)
    const payment = await openWithIncident()
    upstream.findResult = status && toCharge(payment, { status, actionUrl: 'https://bank.example/3ds' })
    upstream.cancelResult = toCharge(payment, { status: 'cancelled' })
    assert.equal((await resolvePayment(deps, payment.id, newDecision('paid'))).kind, 'resolved')
    assert.deepEqual(upstream.calls, ['find'])
    assert.deepEqual(await outcomesOf(payment.id), ['success pending'])
  }
})

test('resolving as paid is refused when the upstream denies the charge; a forced decision is accepted and recorded as forced', async () => {
  for (const status of ['cancelled', 'failed'] as const) {
    for (const needsReview of [true, false]) {
      const upstream = scriptUpstream(deps)
      const payment = await openWithIncident(needsReview)
      upstream.findResult = toCharge(payment, { status })
      const refused = await resolvePayment(deps, payment.id, newDecision('paid'))
      assert.deepEqual([refused.kind, upstream.calls], ['denied', ['find']])
      assert.equal((await requirePayment(db, payment.id)).resolution, null)
      assert.deepEqual(await outcomesOf(payment.id), ['fail pending'])
      const forced = await resolvePayment(deps, payment.id, newDecision('paid', { isForced: true }))
      assert.equal(forced.kind, 'resolved')
      assert.deepEqual(await outcomesOf(payment.id), ['fail cancelled', 'success pending'])
      const text = `select changes->>'isForced' as forced from audit_events where changes->>'transactionId' = $1`
      assert.deepEqual(await rows(db, text, [payment.id]), [{ forced: 'true' }])
    }
  }
})

test('resolving as paid is also refused when a webhook denies the charge while the operator decides', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await openWithIncident()
  upstream.backend.find = async () => {
    await recordReport(deps, payment, toCharge(payment, { status: 'failed' }))
    throw new Error('connection reset')
  }
  assert.equal((await resolvePayment(deps, payment.id, newDecision('paid'))).kind, 'denied')
})

test('resolving as unpaid is refused when the upstream reports the charge, and the payment becomes succeeded', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await openWithIncident(false)
  upstream.findResult = toCharge(payment)
  const outcome = await resolvePayment(deps, payment.id, newDecision('unpaid'))
  assert.equal(outcome.kind, 'charged')
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.state, stored.resolution], ['succeeded', null])
})

test('as long as the upstream reports the charge, every attempt to resolve the payment as unpaid is refused, even if the payment has two incidents', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await openWithIncident()
  const incident = { kind: 'unresolved', transactionId: payment.id, subject: payment.id, facts: {} } as const
  await raiseIncident(deps, incident, { needsReview: true })
  upstream.findResult = toCharge(payment, { chargeId: 'ch_1' })
  for (let round = 0; round < 2; round += 1)
    assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'charged')
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual([stored.state, stored.resolution], ['succeeded', null])
  assert.deepEqual(await outcomesOf(payment.id), ['success pending'])
})

test('resolving as unpaid is refused once the payment has succeeded, even while its review is still open', async () => {
  scriptUpstream(deps)
  const payment = await openWithIncident()
  const end = { state: 'succeeded', failureCode: null, upstreamRef: 'ch_1' } as const
  assert.equal((await settle(deps, payment, end))?.needsReview, true)
  assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'charged')
})

test('resolving as unpaid is refused even if the report of the charge has a lower sequence number than an earlier report', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await openWithIncident()
  await recordReport(deps, payment, toCharge(payment, { status: 'processing', sequence: 100 }))
  upstream.findResult = toCharge(payment, { sequence: 3 })
  assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'charged')
})

test('resolving as paid stores no decision if the lookup reports the charge', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await openWithIncident(false)
  upstream.findResult = toCharge(payment)
  assert.equal((await resolvePayment(deps, payment.id, newDecision('paid'))).kind, 'ended')
  assert.deepEqual(await outcomesOf(payment.id), ['success pending'])
})

test('after the operator decided about a charge with another amount, a repeated report of this charge starts no new review', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await openWithIncident()
  const charge = toCharge(payment, { amount: 1400n, chargeId: 'ch_other' })
  await recordReport(deps, payment, charge)
  upstream.findResult = charge
  const outcome = await resolvePayment(
    deps,
    payment.id,
    newDecision('paid', { reason: 'The rest came in cash' }),
  )
  assert.equal(outcome.kind, 'resolved')
  assert.deepEqual(await outcomesOf(payment.id), ['success pending'])
  const recorded = await recordReport(deps, await requirePayment(db, payment.id), charge)
  assert.equal(recorded.needsReview, false)
  assert.equal((await requirePayment(db, payment.id)).needsReview, false)
  assert.equal(await hasOpenIncident(db, payment.id), false)
})

test('if a webhook ends the payment while the operator decides, the result of the webhook stays and the decision is refused', async () => {
  const upstream = scriptUpstream(deps)
  const payment = await openWithIncident(false)
  upstream.backend.find = async () => {
    await recordReport(deps, payment, toCharge(payment))
    throw new Error('connection reset')
  }
  assert.equal((await resolvePayment(deps, payment.id, newDecision('unpaid'))).kind, 'charged')
  assert.deepEqual(await outcomesOf(payment.id), ['success pending'])
})

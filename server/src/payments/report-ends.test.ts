import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  listCallbacks,
  countIncidents,
  recordStatements,
  requirePayment,
  startPayments,
} from '../../test/payments.ts'
import { createPaymentFixtures, scriptUpstream, toCharge } from '../../test/resolving.ts'
import { raiseIncident } from './incidents.ts'
import type { Payment } from './payment.ts'
import { isInReview, isUnpaid } from './payment.ts'
import { abandonBankStep } from './reconcile.ts'
import { recordReport, recordWebhook } from './record-report.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { open } = createPaymentFixtures(deps, projectId)
const BANK = 'https://bank.example/3ds'

async function openAtBank(): Promise<Payment> {
  const payment = await open()
  return recordReport(deps, payment, toCharge(payment, { status: 'requires_action', actionUrl: BANK }))
}

for (const [caseName, upstreamCode, cancelledAs, code] of [
  ['cancelled by the payer', null, 'cancelled', 'cancelled'],
  ['closed because its time is over', null, 'expired', 'expired'],
  ['expired at the upstream', 'expired', 'cancelled', 'expired'],
  ['cancelled for another reason', 'abandoned', 'cancelled', 'cancelled'],
] as const) {
  test(`a bank step that was ${caseName} ends with the failure code "${code}"`, async () => {
    const payment = await openAtBank()
    const report = toCharge(payment, { status: 'cancelled', failureCode: upstreamCode })
    const ended = await recordReport(deps, payment, report, { cancelledAs })
    assert.deepEqual([ended.state, ended.failureCode], ['expired', code])
    const [callback] = await listCallbacks(db, payment.id)
    assert.equal(callback!.payload['failureCode'], code)
  })
}

test('if a payment is cancelled before its bank step, its failure code is "not_charged", even if the upstream says that the payment expired', async () => {
  const payment = await open()
  const report = toCharge(payment, { status: 'cancelled', failureCode: 'expired' })
  const ended = await recordReport(deps, payment, report, { cancelledAs: 'expired' })
  assert.deepEqual([ended.state, ended.failureCode], ['failed', 'not_charged'])
})

test('a payment that was never sent has the failure code "upstream_unavailable", and a refusal without a code has "declined"', async () => {
  const unsent = await open()
  assert.equal((await recordReport(deps, unsent, 'never_sent')).failureCode, 'upstream_unavailable')
  const refused = await open()
  const ended = await recordReport(deps, refused, toCharge(refused, { status: 'failed' }))
  assert.equal(ended.failureCode, 'declined')
})

test('after the end of a payment, a webhook with a lower sequence number counts only if it reports a charge', async () => {
  for (const status of ['succeeded', 'cancelled'] as const) {
    const payment = await open()
    const failed = await recordReport(deps, payment, toCharge(payment, { status: 'failed', sequence: 5 }))
    await recordWebhook(deps, failed, toCharge(payment, { status, sequence: 4 }))
    const counts = status === 'succeeded'
    assert.equal(await countIncidents(db, 'charged_after_end', payment.id), counts ? 1 : 0)
    assert.equal((await requirePayment(db, payment.id)).needsReview, counts)
  }
})

test('a report that ends a payment closes the payment’s incident of the kind "unresolved" and ends the review', async () => {
  const payment = await open()
  const incident = { kind: 'unresolved' as const, transactionId: payment.id, subject: payment.id, facts: {} }
  await raiseIncident(deps, incident, { needsReview: true })
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
  const ended = await recordReport(deps, payment, toCharge(payment))
  assert.deepEqual([ended.state, ended.needsReview], ['succeeded', false])
  const openOnes = 'select from incidents where transaction_id = $1 and closed_at is null'
  assert.equal((await rows(db, openOnes, [payment.id])).length, 0)
})

test('if a process is killed while it ends a payment in review, the next report ends the payment and its review', async () => {
  for (const killedAt of ['incidents.close', 'payments.settle']) {
    const payment = await open()
    const incident = {
      kind: 'unresolved' as const,
      transactionId: payment.id,
      subject: payment.id,
      facts: {},
    }
    await raiseIncident(deps, incident, { needsReview: true })
    const killed = recordStatements(deps, async (name, run) => {
      if (name.startsWith(killedAt)) throw new Error('killed')
      return run()
    })
    const record = async (usedDeps: typeof deps) =>
      recordReport(usedDeps, await requirePayment(db, payment.id), toCharge(payment))
    await assert.rejects(record(killed.deps), /killed/)
    const ended = await record(deps)
    assert.deepEqual([ended.state, ended.needsReview], ['succeeded', false], killedAt)
  }
})

test('a webhook that would send the payer back to the bank needs a sequence number; other webhooks are recorded without one', async () => {
  const neverAtBank = await open()
  const toBank = { status: 'requires_action', actionUrl: BANK } as const
  await recordWebhook(deps, neverAtBank, toCharge(neverAtBank, toBank))
  assert.equal((await requirePayment(db, neverAtBank.id)).actionUrl, BANK)

  const openAfterBank = async () => {
    const payment = await openAtBank()
    return recordReport(deps, payment, toCharge(payment, { status: 'processing' }))
  }
  const afterBank = await openAfterBank()
  await recordWebhook(deps, afterBank, toCharge(afterBank, toBank))
  assert.equal((await requirePayment(db, afterBank.id)).actionUrl, null)
  await recordWebhook(deps, afterBank, toCharge(afterBank, { ...toBank, sequence: 1 }))
  assert.equal((await requirePayment(db, afterBank.id)).actionUrl, BANK)

  const paid = await openAfterBank()
  await recordWebhook(deps, paid, toCharge(paid))
  assert.equal((await requirePayment(db, paid.id)).state, 'succeeded')
})

test('if a webhook ends a payment as failed before the response reports the charge, the payment is in review', async () => {
  const payment = await open()
  await recordWebhook(deps, payment, toCharge(payment, { status: 'failed' }))
  const recorded = await recordReport(deps, payment, toCharge(payment))
  assert.deepEqual([recorded.state, isUnpaid(recorded), isInReview(recorded)], ['failed', false, true])
})

test('a payer cannot start over if the bank step was reported as cancelled and the upstream now reports a charge', async () => {
  const payment = await openAtBank()
  await recordWebhook(deps, payment, toCharge(payment, { status: 'cancelled' }))
  const upstream = scriptUpstream(deps)
  upstream.findResult = toCharge(payment)
  assert.equal((await abandonBankStep(deps, payment)).mayStartOver, false)
})

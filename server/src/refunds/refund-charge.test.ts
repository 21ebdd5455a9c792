import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { requirePayment, startPayments } from '../../test/payments.ts'
import { readSums, reserveRefund } from '../../test/refunds.ts'
import { createPaymentFixtures, toCharge } from '../../test/resolving.ts'
import type { NewRefund } from '../backends/backend.ts'
import { recordDispute } from '../disputes/record-dispute.ts'
import { recordReport } from '../payments/record-report.ts'
import { receiveListedRefund } from './receive.ts'
import { refundCharge } from './refund-charge.ts'
import type { Refund } from './refund.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const { open, end, makeLateCharge } = createPaymentFixtures(deps, projectId)

const sent: NewRefund[] = []
let status: 'succeeded' | 'failed' = 'succeeded'
const sandbox = deps.backends.live
deps.backends.live = {
  ...sandbox,
  refunds: {
    ...sandbox.refunds!,
    async refund(refund) {
      sent.push(refund)
      const { id, paymentId, chargeId, amount, currency } = refund
      const rest = { upstreamRef: `rf_${id}`, pendingReason: null, failureCode: null }
      return { id, paymentId, chargeId, status, amount, currency, ...rest }
    },
  },
}
const decision = { reason: 'charged twice', by: 'ana' }

test('the second of two charges is refunded once, and the sums and the review of the payment do not change', async () => {
  const payment = await end('succeeded', { customId: 'twice' })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_second', amount: 1500n }))
  const stored = await requirePayment(db, payment.id)
  const refund = (await refundCharge(deps, stored, { ...decision, chargeId: 'ch_second' })) as Refund
  assert.deepEqual([refund.state, refund.amount, refund.chargeRef], ['succeeded', 1500n, 'ch_second'])
  const { chargeId, isOtherCharge } = sent.at(-1)!
  assert.deepEqual([chargeId, isOtherCharge], ['ch_second', true])
  const repeated = (await refundCharge(deps, stored, { ...decision, chargeId: 'ch_second' })) as Refund
  assert.deepEqual([repeated.id, sent.length], [refund.id, 1])
  assert.deepEqual(await readSums(db, payment.id), { refunded: 0n, processing: 0n, disputed: 0n })
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
  const [entry] = await rows<{ actor: string; changes: Record<string, unknown> }>(
    db,
    "select actor, changes from audit_events where action = 'refund_requested' order by id desc limit 1",
  )
  assert.deepEqual(
    [entry!.actor, entry!.changes['charge'], entry!.changes['by']],
    ['operator', 'ch_second', 'ana'],
  )
})

test('charges whose long ids differ only at the end are different charges, and each can be refunded', async () => {
  const payment = await end('succeeded', { customId: 'long-ids' })
  const ids = ['1', '2'].map((last) => `urn:${'x'.repeat(120)}${last}`)
  for (const chargeId of ids)
    await recordReport(deps, payment, toCharge(payment, { chargeId, amount: 1500n }))
  const stored = await requirePayment(db, payment.id)
  for (const chargeId of ids) {
    const refund = (await refundCharge(deps, stored, { ...decision, chargeId })) as Refund
    assert.deepEqual(
      [refund.state, refund.chargeRef, sent.at(-1)!.chargeId],
      ['succeeded', chargeId, chargeId],
    )
  }
})

test("a refund of the payment's own charge counts in the payment's sums, so that the charge cannot be refunded again", async () => {
  const payment = await end('succeeded', { customId: 'own' })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_other', amount: 1500n }))
  const stored = await requirePayment(db, payment.id)
  const refund = (await refundCharge(deps, stored, { ...decision, chargeId: `ch_${payment.id}` })) as Refund
  assert.deepEqual([refund.state, refund.chargeRef], ['succeeded', null])
  assert.deepEqual(await readSums(db, payment.id), { refunded: 1500n, processing: 0n, disputed: 0n })
})

test("a refund of the payment's own charge is limited to the amount that is left, and refused if nothing is left", async () => {
  const payment = await end('succeeded', { customId: 'partly' })
  const named = { ...decision, chargeId: `ch_${payment.id}` }
  await reserveRefund(deps, payment, 400n)
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_other', amount: 1500n }))
  const stored = await requirePayment(db, payment.id)
  const refund = (await refundCharge(deps, stored, named)) as Refund
  assert.deepEqual([refund.state, refund.amount, sent.at(-1)!.amount], ['succeeded', 1100n, 1100n])
  const whole = await end('succeeded', { customId: 'whole' })
  await reserveRefund(deps, whole, 1500n)
  await recordReport(deps, whole, toCharge(whole, { chargeId: 'ch_other', amount: 1500n }))
  const inReview = await requirePayment(db, whole.id)
  assert.equal(
    await refundCharge(deps, inReview, { ...decision, chargeId: `ch_${whole.id}` }),
    'nothing_left',
  )
})

test('a charge is refunded with its true amount if another amount was reported first', async () => {
  const payment = await open({ customId: 'corrected' })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_corrected', amount: 15n }))
  const paid = await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_corrected' }))
  for (const amount of [16n, 1500n])
    await recordReport(deps, paid, toCharge(paid, { chargeId: 'ch_corrected_second', amount }))
  const stored = await requirePayment(db, payment.id)
  assert.deepEqual(
    [stored.state, stored.upstreamRef, stored.needsReview],
    ['succeeded', 'ch_corrected', true],
  )
  for (const chargeId of ['ch_corrected', 'ch_corrected_second']) {
    const refund = (await refundCharge(deps, stored, { ...decision, chargeId })) as Refund
    assert.deepEqual([refund.state, refund.amount], ['succeeded', 1500n], chargeId)
  }
  assert.equal((await readSums(db, payment.id)).refunded, 1500n)
})

test('a refund that failed can be requested again', async () => {
  const payment = await makeLateCharge({ customId: 'late' })
  const chargeId = `late_${payment.id}`
  const stored = await requirePayment(db, payment.id)
  status = 'failed'
  assert.equal(((await refundCharge(deps, stored, { ...decision, chargeId })) as Refund).state, 'failed')
  status = 'succeeded'
  assert.equal(((await refundCharge(deps, stored, { ...decision, chargeId })) as Refund).state, 'succeeded')
})

test('a refund whose money returned to the merchant can be requested again', async () => {
  const payment = await end('succeeded', { customId: 'came-back' })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_came_back', amount: 1500n }))
  const stored = await requirePayment(db, payment.id)
  for (const chargeId of ['ch_came_back', `ch_${payment.id}`]) {
    const named = { ...decision, chargeId }
    const first = (await refundCharge(deps, stored, named)) as Refund
    const facts = { id: first.id, paymentId: payment.id, chargeId, amount: 1500n, currency: 'EUR' }
    const rest = { upstreamRef: `rf_${first.id}`, pendingReason: null, failureCode: 'account_closed' }
    await receiveListedRefund(deps, deps.backends.live, { ...facts, ...rest, status: 'failed' })
    const second = (await refundCharge(deps, stored, named)) as Refund
    assert.notEqual(second.id, first.id, chargeId)
    assert.deepEqual([second.state, second.amount], ['succeeded', 1500n], chargeId)
    assert.equal(((await refundCharge(deps, stored, named)) as Refund).id, second.id, chargeId)
  }
})

test('a repeated command refunds a charge only once, even if the refund of another charge failed in between', async () => {
  const payment = await end('succeeded', { customId: 'both' })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_both', amount: 1500n }))
  const stored = await requirePayment(db, payment.id)
  const refund = async (chargeId: string) =>
    (await refundCharge(deps, stored, { ...decision, chargeId })) as Refund
  const first = await refund('ch_both')
  status = 'failed'
  assert.equal((await refund(`ch_${payment.id}`)).state, 'failed')
  status = 'succeeded'
  const sentBefore = sent.length
  assert.deepEqual([(await refund('ch_both')).id, sent.length], [first.id, sentBefore])
})

test('a refund is refused if its charge is unknown or failed, or if the payment is not in review and has no open incident', async () => {
  const inReview = await requirePayment(db, (await makeLateCharge()).id)
  assert.equal(await refundCharge(deps, inReview, { ...decision, chargeId: 'ch_unknown' }), 'unknown_charge')
  const failed = await makeLateCharge()
  await recordReport(deps, failed, toCharge(failed, { status: 'failed', amount: 9n, chargeId: 'ch_failed' }))
  assert.equal(await refundCharge(deps, failed, { ...decision, chargeId: 'ch_failed' }), 'unknown_charge')
  const paid = await end('succeeded')
  assert.equal(await refundCharge(deps, paid, { ...decision, chargeId: `ch_${paid.id}` }), 'not_in_review')
})

test('the history names the currency of the refunded charge, even if the payment has another currency', async () => {
  const payment = await end('failed')
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_usd', currency: 'USD' }))
  const stored = await requirePayment(db, payment.id)
  const refund = (await refundCharge(deps, stored, { ...decision, chargeId: 'ch_usd' })) as Refund
  assert.deepEqual([refund.state, refund.currency, sent.at(-1)!.currency], ['succeeded', 'USD', 'USD'])
  const text = `select changes from audit_events where changes->>'transactionId' = $1 and action = 'refund_requested'`
  const [entry] = await rows<{ changes: object }>(db, text, [payment.id])
  assert.partialDeepStrictEqual(entry?.changes, { amount: '1500', currency: 'USD', scale: 2 })
})

test('a charge that was reported with the id of another payment cannot be refunded', async () => {
  const payment = await requirePayment(db, (await makeLateCharge()).id)
  const other = await end('succeeded')
  await recordReport(deps, payment, toCharge(other, { chargeId: 'ch_of_other' }))
  assert.equal(await refundCharge(deps, payment, { ...decision, chargeId: 'ch_of_other' }), 'unknown_charge')
})

test('if a part of a second charge was refunded at the upstream, the payment’s sums do not change, and the rest can be refunded', async () => {
  const payment = await end('succeeded', { customId: 'returned' })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_returned', amount: 1500n }))
  const returnAtUpstream = (upstreamRef: string, amount: bigint, chargeId: string | null) =>
    receiveListedRefund(deps, deps.backends.live, {
      ...{ id: null, paymentId: payment.id, chargeId, status: 'succeeded', amount, currency: 'EUR' },
      ...{ upstreamRef, pendingReason: null, failureCode: null },
    })
  for (const times of [1, 2]) {
    await returnAtUpstream('rf_a', 400n, 'ch_returned')
    await returnAtUpstream('rf_b', 300n, 'ch_returned')
    const sums = { refunded: 0n, processing: 0n, disputed: 0n }
    assert.deepEqual(await readSums(db, payment.id), sums, `reported ${times} times`)
  }
  const stored = await requirePayment(db, payment.id)
  const named = { ...decision, chargeId: 'ch_returned' }
  const rest = (await refundCharge(deps, stored, named)) as Refund
  assert.deepEqual([rest.amount, sent.at(-1)!.amount, rest.chargeRef], [800n, 800n, 'ch_returned'])
  await returnAtUpstream('rf_c', 100n, `ch_${payment.id}`)
  await returnAtUpstream('rf_d', 50n, null)
  assert.equal((await readSums(db, payment.id)).refunded, 150n, "refunds of the payment's own charge count")

  const whole = await end('succeeded', { customId: 'returned-whole' })
  await recordReport(deps, whole, toCharge(whole, { chargeId: 'ch_whole', amount: 1500n }))
  await receiveListedRefund(deps, deps.backends.live, {
    ...{ id: null, paymentId: whole.id, chargeId: 'ch_whole', status: 'succeeded', amount: 1500n },
    ...{ currency: 'EUR', upstreamRef: 'rf_e', pendingReason: null, failureCode: null },
  })
  const inReview = await requirePayment(db, whole.id)
  assert.equal(await refundCharge(deps, inReview, { ...decision, chargeId: 'ch_whole' }), 'nothing_left')
})

test('a refund of a second charge does not change the sums of the payment, even if the refund failed first and succeeded later', async () => {
  const payment = await end('succeeded', { customId: 'after-all' })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_after_all', amount: 1500n }))
  const stored = await requirePayment(db, payment.id)
  status = 'failed'
  const failed = (await refundCharge(deps, stored, { ...decision, chargeId: 'ch_after_all' })) as Refund
  status = 'succeeded'
  const { id, amount, currency } = failed
  await receiveListedRefund(deps, deps.backends.live, {
    ...{ id, paymentId: payment.id, chargeId: null, status, amount, currency },
    ...{ upstreamRef: 'rf_after_all', pendingReason: null, failureCode: null },
  })
  assert.deepEqual(await readSums(db, payment.id), { refunded: 0n, processing: 0n, disputed: 0n })
})

test('if a bank has taken a part of a second charge in a dispute, only the rest of the charge is refunded', async () => {
  const payment = await end('succeeded', { customId: 'disputed-second' })
  await recordReport(deps, payment, toCharge(payment, { chargeId: 'ch_disputed', amount: 1500n }))
  const stored = await requirePayment(db, payment.id)
  const disputed = {
    ...{ paymentId: payment.id, chargeId: 'ch_disputed', amount: 900n, currency: 'EUR' },
    ...{ upstreamRef: 'du_1', reason: null, respondBy: null },
  }
  await recordDispute(deps, stored, { ...disputed, status: 'open' })
  assert.ok(
    (await deps.listMoneyBack(db, stored)).some((text) => text.endsWith(' of 900 EUR (ch_disputed): open')),
  )
  const rest = (await refundCharge(deps, stored, { ...decision, chargeId: 'ch_disputed' })) as Refund
  assert.deepEqual([rest.state, rest.amount], ['succeeded', 600n])
  assert.deepEqual(await readSums(db, payment.id), { refunded: 0n, processing: 0n, disputed: 0n })
})

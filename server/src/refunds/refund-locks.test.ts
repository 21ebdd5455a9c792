import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { countIncidents, requirePayment, startPayments, recordStatements } from '../../test/payments.ts'
import { payFor, reserveRefund, readSums } from '../../test/refunds.ts'
import { createPaymentFixtures } from '../../test/resolving.ts'
import { isLocked } from '../../test/row-locks.ts'
import type { RefundReport } from '../backends/backend.ts'
import { readRestoreGate, writeClosed, writeOpen } from '../db/gate-store.ts'
import { GateClosedError } from '../db/gate-view.ts'
import { toDate } from '../lib/clock.ts'
import type { Deps } from '../wire.ts'
import { adoptRefund } from './adopt.ts'
import { claimDueRefunds } from './due-store.ts'
import { endRefund } from './end-refund.ts'
import { findNewestRefundAt, findRefundsById } from './period-store.ts'
import { receiveListedRefund } from './receive.ts'
import { refundCharge } from './refund-charge.ts'

const { deps, projectId, databaseUrl } = await startPayments()
const { db } = deps
const END = { state: 'failed', failureCode: 'declined', upstreamRef: null, changesInMs: null } as const

const toReport = (paymentId: string, fields: Partial<RefundReport> = {}) => ({
  ...{ id: null, paymentId, chargeId: null, status: 'succeeded' as const, amount: 100n, currency: 'EUR' },
  ...{ upstreamRef: 'rf_1', pendingReason: null, failureCode: null, ...fields },
})

async function isLockedAt(statement: string, id: string, run: (watched: Deps) => Promise<unknown>) {
  let found: boolean | null = null
  const { deps: watched } = recordStatements(deps, async (name, send) => {
    if (name === statement)
      found ??= await isLocked(databaseUrl, 'select from transactions where id = $1', [id])
    return send()
  })
  await run(watched)
  return found
}

test('before the first refund, there is no newest refund', async () => {
  assert.equal(await findNewestRefundAt(db), null)
})

test('a payment is locked before its refund is stored or ends', async () => {
  const payment = await payFor(deps, projectId)
  const { id } = payment
  const refund = await reserveRefund(deps, payment, 200n)
  const report = { ...toReport(id), upstreamRef: 'rf_locked' }
  assert.equal(await isLockedAt('refunds.insert', id, (own) => adoptRefund(own, payment, report)), true)
  assert.equal(await isLockedAt('refunds.end', id, (own) => endRefund(own, refund, END)), true)
})

test('a due refund is claimed by only one process, and not at all while another process has locked it', async () => {
  const refund = await reserveRefund(deps, await payFor(deps, projectId), 100n)
  await rows(db, 'update refunds set next_check_at = null')
  await rows(db, `update refunds set next_check_at = now() - interval '1 minute' where id = $1`, [refund.id])
  const claim = async () =>
    (await claimDueRefunds(db, { limit: 50, toPauseMs: () => 60_000 })).map((one) => one.refund.id)
  await db.transaction(async (tx) => {
    await rows(tx, 'select from refunds where id = $1 for update', [refund.id])
    assert.deepEqual(await claim(), [])
  })
  assert.deepEqual([await claim(), await claim()], [[refund.id], []])
})

test('refunds are found by their ids', async () => {
  const payment = await payFor(deps, projectId)
  const [first, second] = [
    await reserveRefund(deps, payment, 100n),
    await reserveRefund(deps, payment, 200n),
    await reserveRefund(deps, payment, 300n),
  ]
  const found = await findRefundsById(db, [second.id, first.id, randomUUID()])
  assert.deepEqual(found.map(({ id }) => id).toSorted(), [first.id, second.id])
  assert.deepEqual(await findRefundsById(db, []), [])
})

test('a listed refund without any id is not stored, and puts its payment in review', async () => {
  const payment = await payFor(deps, projectId)
  const report = toReport(payment.id, { upstreamRef: null })
  assert.equal(await receiveListedRefund(deps, deps.backends.live, report), true)
  assert.equal((await readSums(db, payment.id)).refunded, 0n)
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
  assert.equal(await countIncidents(db, 'refund_mismatch', payment.id), 1)
})

test('receiveListedRefund returns false for a refund that names an unknown payment, and true for a refund that names only an unknown charge', async () => {
  const receive = (report: RefundReport) => receiveListedRefund(deps, deps.backends.live, report)
  assert.equal(await receive(toReport(randomUUID())), false)
  assert.equal(await receive({ ...toReport(''), paymentId: null, chargeId: 'ch_of_other_business' }), true)
})

test('an operator’s refund of a charge is refused if the upstream does not offer refunds', async () => {
  const { makeLateCharge } = createPaymentFixtures(deps, projectId)
  const { id } = await makeLateCharge()
  const inReview = await requirePayment(db, id)
  const { live } = deps.backends
  const refunds = { ...live.refunds!, isOffered: async () => false }
  const named = { chargeId: `late_${id}`, reason: 'late', by: 'ana' }
  const withoutRefunds = { ...deps, backends: { ...deps.backends, live: { ...live, refunds } } }
  assert.equal(await refundCharge(withoutRefunds, inReview, named), 'not_offered')
  assert.equal(await refundCharge(deps, inReview, { ...named, chargeId: 'ch_other' }), 'unknown_charge')
  assert.deepEqual(await rows(db, 'select from refunds where transaction_id = $1', [id]), [])
})

test('an operator’s refund of a charge is refused with "unavailable" if the upstream does not say whether it offers refunds', async () => {
  const { makeLateCharge } = createPaymentFixtures(deps, projectId)
  const { id } = await makeLateCharge()
  const { live } = deps.backends
  const isOffered = () => Promise.reject(new Error('no response'))
  const unresponsive = { ...live, refunds: { ...live.refunds!, isOffered } }
  const own = { ...deps, backends: { ...deps.backends, live: unresponsive } }
  const refusal = refundCharge(own, await requirePayment(db, id), {
    ...{ chargeId: `late_${id}`, reason: 'late', by: 'ana' },
  })
  await assert.rejects(refusal, { code: 'unavailable' })
})

test('while the restore gate is closed, no charge is refunded, even by a process that has not noticed the closing yet', async () => {
  const { makeLateCharge } = createPaymentFixtures(deps, projectId)
  const { id } = await makeLateCharge()
  const inReview = await requirePayment(db, id)
  const named = { chargeId: `late_${id}`, reason: 'late', by: 'ana' }
  await writeClosed(db, { reason: 'restored', since: toDate(0), restoredFrom: null })
  await assert.rejects(refundCharge(deps, inReview, named), GateClosedError)
  assert.deepEqual(await rows(db, 'select from refunds where transaction_id = $1', [id]), [])
  await writeOpen(db, (await readRestoreGate(db)).closedAt!)
})

test('an operator who repeats the refund of a charge gets the first refund, even if a refund that was made at the upstream has failed', async () => {
  const { makeLateCharge } = createPaymentFixtures(deps, projectId)
  const { id } = await makeLateCharge()
  const inReview = await requirePayment(db, id)
  const { live } = deps.backends
  const sent: string[] = []
  const refund: NonNullable<typeof live.refunds>['refund'] = async ({ id: refundId, amount, currency }) => {
    sent.push(refundId)
    return { ...toReport(id), id: refundId, amount, currency, status: 'pending', upstreamRef: refundId }
  }
  const refunds = { ...live.refunds!, refund }
  const own = { ...deps, backends: { ...deps.backends, live: { ...live, refunds } } }
  const named = { chargeId: `late_${id}`, reason: 'late', by: 'ana' }
  const first = await refundCharge(own, inReview, named)
  const made = { origin: 'upstream', requestedAmount: null, idempotencyKey: null } as const
  const atUpstream = await reserveRefund(deps, inReview, 1n, {
    ...made,
    upstreamRef: 'rf_made',
    chargeRef: 'x',
  })
  await endRefund(deps, atUpstream, END)
  const repeated = await refundCharge(own, inReview, named)
  assert.ok(typeof first !== 'string' && typeof repeated !== 'string')
  assert.deepEqual([repeated.id, sent], [first.id, [first.id]])
})

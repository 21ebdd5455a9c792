// The command `resolve-refund` for a refund whose report from the upstream differs from the request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { refillQuotas, requirePayment, startPayments } from '../../test/payments.ts'
import { payFor, readSums, reserveRefund } from '../../test/refunds.ts'
import type { RefundReport } from '../backends/backend.ts'
import { UnknownOutcomeError } from '../backends/backend.ts'
import { toRefundId } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import { reconcileRefundsOnce } from '../refunds/reconcile.ts'
import { receiveListedRefund } from '../refunds/receive.ts'
import type { Refund } from '../refunds/refund.ts'
import { findRefund, listRefunds } from '../refunds/refunds-store.ts'
import { RefusedError, toPrinted } from './command.ts'
import { incidents } from './incidents.ts'
import { payments } from './payments.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

/** What a lookup of the refund returns. Null: there is no response. */
let report: RefundReport | null = null
const findReport = async () => report ?? Promise.reject(new UnknownOutcomeError('no response'))
const sandbox = deps.backends.live
const live = { ...sandbox, refunds: { ...sandbox.refunds!, findRefund: findReport } }
deps.backends = { ...deps.backends, live, test: live }

const runFor = async ({ id }: Refund, as: string, ...more: string[]) =>
  toPrinted(
    await payments.run(deps, [
      'resolve-refund',
      toRefundId(id),
      '--as',
      as,
      '--reason',
      'Statement',
      ...more,
    ]),
  ).text

async function readCode(refund: Refund): Promise<string> {
  return /--seen (\w+)$/.exec(await runFor(refund, 'failed', '--dry-run'))![1]!
}

async function resolve(refund: Refund): Promise<string> {
  return runFor(refund, 'failed', '--yes', '--seen', await readCode(refund))
}

const isRefused = (part: RegExp) => (error: unknown) =>
  error instanceof RefusedError && part.test(error.message)

async function lookUp(refund: Refund): Promise<void> {
  await rows(db, 'update refunds set next_check_at = now() where id = $1', [refund.id])
  await refillQuotas(db)
  await reconcileRefundsOnce(deps)
}

async function mismatch(fields: Partial<RefundReport>): Promise<{ payment: Payment; refund: Refund }> {
  const payment = await payFor(deps, projectId)
  const refund = await reserveRefund(deps, payment, 500n)
  const { id, currency } = refund
  report = {
    ...{ id, paymentId: payment.id, chargeId: null, status: 'succeeded', amount: 300n, currency },
    ...{ upstreamRef: `rf_${id}`, pendingReason: null, failureCode: null },
    ...fields,
  }
  await lookUp(refund)
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
  return { payment, refund: (await findRefund(db, id))! }
}

test('if the upstream refunded another amount, an operator can resolve the refund only as failed, and the other amount counts once as refunded', async () => {
  for (const upstreamRef of ['rf_other', null]) {
    const { payment, refund } = await mismatch({ upstreamRef })
    const listed = toPrinted(await incidents.run(deps, ['list'])).text
    assert.ok(listed.includes(`payments resolve-refund ${toRefundId(refund.id)} --as failed`), listed)
    await assert.rejects(
      runFor(refund, 'succeeded', '--dry-run'),
      isRefused(
        /as succeeded with 300 EUR .* but the request was to refund 500 EUR of the payment .*: resolve it as failed/,
      ),
    )
    const preview = await runFor(refund, 'failed', '--dry-run')
    assert.match(preview, /has reported it as succeeded with 300 EUR/)
    assert.match(preview, /300 EUR are recorded as a refund that was made at the upstream/)
    assert.match(await resolve(refund), /has ended as failed\. The 300 EUR .* are recorded as refund re_/)
    const sums = { refunded: 300n, processing: 0n, disputed: 0n }
    assert.deepEqual(await readSums(db, payment.id), sums)
    const [own, adopted, ...others] = await listRefunds(db, projectId, payment.id)
    assert.deepEqual([own!.state, own!.failureCode], ['failed', 'resolved_failed'])
    assert.deepEqual([adopted!.state, adopted!.amount, adopted!.origin], ['succeeded', 300n, 'upstream'])
    assert.deepEqual(others, [])
    assert.equal((await requirePayment(db, payment.id)).needsReview, false, 'the review is over')
    for (let times = 0; times < 2; times += 1) await receiveListedRefund(deps, live, report!)
    assert.deepEqual(await readSums(db, payment.id), sums)
    assert.equal((await requirePayment(db, payment.id)).needsReview, false)
    await receiveListedRefund(deps, live, { ...report!, status: 'failed' })
    assert.equal((await readSums(db, payment.id)).refunded, 0n, 'the money came back')
    assert.match(await runFor(refund, 'failed'), /is already failed/)
  }
})

test('if the upstream refunded more than was paid, that amount is recorded, and the payment stays in review', async () => {
  const { payment, refund } = await mismatch({ amount: 9_000n })
  await resolve(refund)
  assert.equal((await readSums(db, payment.id)).refunded, 9_000n)
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
})

test('if the upstream reports a failed refund of another amount, the refund ends as failed, and no other refund is recorded', async () => {
  const { payment, refund } = await mismatch({ status: 'failed' })
  assert.match(await resolve(refund), /has ended as failed\. If/)
  assert.deepEqual(await readSums(db, payment.id), { refunded: 0n, processing: 0n, disputed: 0n })
  assert.equal((await listRefunds(db, projectId, payment.id)).length, 1)
  await receiveListedRefund(deps, live, report!)
  assert.equal((await requirePayment(db, payment.id)).needsReview, false, 'the same report changes nothing')
  await receiveListedRefund(deps, live, { ...report!, status: 'succeeded' })
  assert.equal((await readSums(db, payment.id)).refunded, 300n, 'the later success is recorded')
  assert.equal((await requirePayment(db, payment.id)).needsReview, false)
})

test('an operator cannot end a refund that the upstream reports as pending, in another currency or for another payment', async () => {
  const other = await payFor(deps, projectId)
  for (const [fields, text] of [
    [{ status: 'pending' }, /as pending with 300 EUR .*only the upstream can end it/],
    [{ currency: 'USD' }, /as succeeded with 300 USD .*cannot be recorded for this payment/],
    [{ paymentId: other.id }, new RegExp(`for the payment ${other.id} .*cannot be recorded`)],
  ] as const) {
    const { refund } = await mismatch(fields)
    await assert.rejects(runFor(refund, 'failed', '--dry-run'), isRefused(text))
    assert.equal((await findRefund(db, refund.id))!.state, 'processing')
  }
})

test('a decision is refused if the report has changed since the dry run, and also if the upstream does not respond and the refund is less than a day old', async () => {
  const { payment, refund } = await mismatch({})
  const seen = await readCode(refund)
  report = { ...report!, amount: 400n }
  await assert.rejects(
    runFor(refund, 'failed', '--yes', '--seen', seen),
    isRefused(/^Since you looked at Refund/),
  )
  assert.match(await runFor(refund, 'failed', '--dry-run'), /succeeded with 400 EUR/)
  const current = await readCode(refund)
  report = null
  await assert.rejects(
    runFor(refund, 'failed', '--yes', '--seen', current),
    isRefused(/is still looked up automatically/),
  )
  assert.deepEqual(await readSums(db, payment.id), { refunded: 0n, processing: 500n, disputed: 0n })
  // After a day without a response, the decision records what the upstream last reported.
  await rows(db, `update refunds set created_at = now() - interval '2 days' where id = $1`, [refund.id])
  await lookUp(refund)
  const condition = 'your decision counts only if the upstream gives no usable response\n'
  assert.ok((await runFor(refund, 'succeeded', '--dry-run')).includes(condition))
  assert.ok(
    !(await runFor(refund, 'failed', '--dry-run')).includes(condition),
    'the decision also counts if the report is the same',
  )
  await resolve(refund)
  assert.deepEqual(await readSums(db, payment.id), { refunded: 400n, processing: 0n, disputed: 0n })
})

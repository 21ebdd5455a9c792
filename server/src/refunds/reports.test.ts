// Why this is long: all tests share the helpers that read the rows of a refund.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { countIncidents, refillQuotas, requirePayment, startPayments } from '../../test/payments.ts'
import { payFor, reserveRefund, readSums } from '../../test/refunds.ts'
import { insertApiToken } from '../accounts/api-tokens-store.ts'
import { toTokenHash } from '../accounts/token-hash.ts'
import type { RefundReport } from '../backends/backend.ts'
import { toRefundId } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import { adoptRefund } from './adopt.ts'
import { claimDueRefunds, deferChecks } from './due-store.ts'
import { endRefund } from './end-refund.ts'
import { reconcileRefundsOnce } from './reconcile.ts'
import { recordResponse } from './record-report.ts'
import type { Refund } from './refund.ts'
import { toRefundView } from './refund.ts'
import type { End, NewRow } from './refunds-store.ts'
import { findRefund, storePendingReason, readSpentToday } from './refunds-store.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

/** Returns the upstream's report for a lookup. Null: the upstream has no such refund. */
let lookup: () => RefundReport | null = () => assert.fail('no lookup is expected')
const sandbox = deps.backends.live
const live = { ...sandbox, refunds: { ...sandbox.refunds!, findRefund: async () => lookup() } }
deps.backends = { ...deps.backends, live, test: live }

const subscribe = (events: string) =>
  rows(db, 'update projects set events = $2::text[] where id = $1', [projectId, events])

const reserve = (payment: Payment, amount: bigint, fields: Partial<NewRow> = {}) =>
  reserveRefund(deps, payment, amount, fields)

function toReport(
  payment: Payment,
  fields: Partial<RefundReport> = {},
): RefundReport & { upstreamRef: string } {
  return {
    id: null,
    paymentId: payment.id,
    chargeId: null,
    status: 'succeeded',
    amount: 500n,
    currency: 'EUR',
    pendingReason: null,
    failureCode: null,
    ...fields,
    upstreamRef: fields.upstreamRef ?? 'rf_1',
  }
}

const SUCCEEDED: End = { state: 'succeeded', failureCode: null, upstreamRef: null, changesInMs: null }
const RETURNED: End = { ...SUCCEEDED, state: 'returned', failureCode: 'expired_card' }
const FAILED: End = { ...SUCCEEDED, state: 'failed', failureCode: 'declined' }

const callbacksOf = ({ id }: Refund) =>
  rows<{ mode: string; result: string; payload: Record<string, unknown> }>(
    db,
    'select mode, result, payload from callback_states where refund_id = $1 order by id',
    [id],
  )

async function dueIn({ id }: Refund): Promise<number> {
  const text = 'select extract(epoch from next_check_at - now())::float8 as sec from refunds where id = $1'
  return (await rows<{ sec: number }>(db, text, [id]))[0]!.sec
}

for (const mode of ['live', 'test'] as const) {
  test(`the callback of a ${mode} refund has every field and the refunded total, after its success and after its return`, async () => {
    await subscribe('{payment.result,refund.result}')
    const payment = await payFor(deps, projectId, { mode, customId: `order-${mode}`, data: 'Kafa' })
    const first = await reserve(payment, 200n)
    await endRefund(deps, first, SUCCEEDED)
    const second = await reserve(payment, 300n)
    const ended = await endRefund(deps, second, SUCCEEDED)
    await endRefund(deps, ended!, RETURNED)
    const common = {
      projectId,
      transactionId: payment.id,
      refundId: toRefundId(second.id),
      amount: '300',
      currency: 'EUR',
      amountScale: 2,
      customId: `order-${mode}`,
      data: 'Kafa',
      mode,
      createdAt: second.createdAt.toISOString(),
    }
    assert.deepEqual(
      (await callbacksOf(second)).map(({ payload, ...columns }) => ({ ...payload, ...columns })),
      [
        { ...common, result: 'success', refundStatus: 'succeeded', refundedTotal: '500', failureCode: null },
        {
          ...common,
          result: 'fail',
          refundStatus: 'returned',
          refundedTotal: '200',
          failureCode: 'expired_card',
        },
      ],
    )
  })
}

test('a failed refund is reported as "fail", and the refunded total does not change', async () => {
  const payment = await payFor(deps, projectId)
  const refund = await reserve(payment, 300n)
  await endRefund(deps, refund, FAILED)
  const [sent] = await callbacksOf(refund)
  assert.deepEqual([sent!.result, sent!.payload['refundedTotal']], ['fail', '0'])
})

test('if a project has not subscribed to "refund.result", its refunds end without a callback', async () => {
  await subscribe('{payment.result}')
  const refund = await reserve(await payFor(deps, projectId), 300n)
  assert.equal((await endRefund(deps, refund, SUCCEEDED))?.state, 'succeeded')
  assert.deepEqual(await callbacksOf(refund), [])
})

test('a refund made at the upstream has the mode of its payment and the status that was reported', async () => {
  for (const mode of ['live', 'test'] as const)
    for (const [status, state] of [
      ['pending', 'processing'],
      ['succeeded', 'succeeded'],
      ['failed', 'failed'],
    ] as const) {
      const payment = await payFor(deps, projectId, { mode })
      const adopted = await adoptRefund(deps, payment, toReport(payment, { status }))
      assert.deepEqual([adopted.mode, adopted.state, adopted.origin], [mode, state, 'upstream'])
      assert.equal((await readSums(db, payment.id)).refunded, status === 'succeeded' ? 500n : 0n)
    }
})

test('a refund that the upstream reports puts its payment in review if the sum of the refunds exceeds the payment', async () => {
  const payment = await payFor(deps, projectId)
  await adoptRefund(deps, payment, toReport(payment, { amount: 1_500n }))
  assert.equal(await countIncidents(db, 'refund_exceeds', payment.id), 0)
  await adoptRefund(deps, payment, toReport(payment, { amount: 1n, upstreamRef: 'rf_2' }))
  assert.equal(await countIncidents(db, 'refund_exceeds', payment.id), 1)
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
})

test('a new refund is looked up within 20 seconds, and within one second if its request got no response', async () => {
  const payment = await payFor(deps, projectId)
  const refund = await reserve(payment, 100n)
  const firstSec = await dueIn(refund)
  assert.ok(firstSec > 0 && firstSec <= 20, String(firstSec))
  await rows(db, `update refunds set next_check_at = now() + interval '1 day' where id = $1`, [refund.id])
  const recorded = await recordResponse(deps, payment, refund, 'no_response')
  assert.deepEqual([recorded.state, recorded.pendingReason], ['processing', 'no_response'])
  assert.ok((await dueIn(refund)) <= 1)
})

test('a claim counts one lookup of a due refund and postpones the next; a deferred lookup is not counted and is due in five seconds', async () => {
  const refund = await reserve(await payFor(deps, projectId), 100n)
  await rows(db, `update refunds set next_check_at = case when id = $1 then now() end, checks = 7`, [
    refund.id,
  ])
  const claim = () => claimDueRefunds(db, { limit: 16, toPauseMs: () => 60_000 })
  const claimed = await claim()
  assert.deepEqual(
    claimed.map(({ refund: one, checks }) => [one.id, checks]),
    [[refund.id, 7]],
  )
  assert.deepEqual(await claim(), [])
  const read = async () =>
    (await rows<{ checks: number }>(db, 'select checks from refunds where id = $1', [refund.id]))[0]!.checks
  assert.equal(await read(), 8)
  await deferChecks(db, [refund.id])
  assert.equal(await read(), 7)
  const due = await dueIn(refund)
  assert.ok(due > 0 && due <= 5, String(due))
})

test('the amount that a token has refunded today excludes failed refunds, refunds of yesterday and refunds of another token', async () => {
  const accountId = (await findOwnerId(db, projectId))!
  const addToken = async () => {
    const id = randomUUID()
    await db.transaction((tx) =>
      insertApiToken(tx, {
        id,
        accountId,
        tokenHash: toTokenHash(id),
        name: 'refunds',
        scope: 'refund',
        expiresInDays: 1,
        projectId,
        dailyCap: 9n,
      }),
    )
    return id
  }
  const [tokenId, otherId] = [await addToken(), await addToken()]
  const payment = await payFor(deps, projectId)
  await reserve(payment, 1n, { tokenId })
  await endRefund(deps, await reserve(payment, 20n, { tokenId }), SUCCEEDED)
  await endRefund(deps, await reserve(payment, 300n, { tokenId }), FAILED)
  await reserve(payment, 400n, { tokenId: otherId })
  const ofToday = await reserve(payment, 50n, { tokenId })
  const ofYesterday = await reserve(payment, 60n, { tokenId })
  const midnight = `date_trunc('day', now(), 'UTC')`
  await rows(db, `update refunds set created_at = ${midnight} where id = $1`, [ofToday.id])
  await rows(db, `update refunds set created_at = ${midnight} - interval '1 ms' where id = $1`, [
    ofYesterday.id,
  ])
  // The first of these refunds is 3 with no decimals. The second is 0.001 with three decimals, rounded up to 0.01.
  await reserve(payment, 3n, { tokenId, scale: 0 })
  await reserve(payment, 1n, { tokenId, scale: 3 })
  const scales = { scale: 2, scaleOfOldPayments: 2 }
  const spent = await db.transaction((tx) => readSpentToday(tx, tokenId, { mode: 'live', ...scales }))
  // 1 + 20 + 50 + 300 + 1. The last two refunds count as 300 and 1. The failed refund counts only as a use of the token.
  assert.deepEqual(spent, { spent: 372n, times: 6 })
  const inTest = await db.transaction((tx) => readSpentToday(tx, tokenId, { mode: 'test', ...scales }))
  assert.deepEqual(
    inTest,
    { spent: 372n, times: 0 },
    'the limit covers both modes, but uses are counted per mode',
  )
})

/** Looks the refund up once, as if it had been requested this many hours ago. */
async function lookUpAtAge({ id }: Refund, ageHours: number): Promise<Refund> {
  await rows(
    db,
    `update refunds set next_check_at = case when id = $1 then now() end,
       created_at = case when id = $1 then now() - $2::float8 * interval '1 hour' else created_at end`,
    [id, ageHours],
  )
  await refillQuotas(db)
  await reconcileRefundsOnce(deps)
  return (await findRefund(db, id))!
}

test('a refund that stays open at a bank for two weeks raises an incident with its age', async () => {
  const payment = await payFor(deps, projectId)
  const refund = await reserve(payment, 100n)
  lookup = () => toReport(payment, { amount: 100n, status: 'pending', pendingReason: 'bank' })
  const waiting = await lookUpAtAge(refund, 14 * 24 - 1)
  assert.deepEqual([waiting.state, waiting.pendingReason], ['processing', 'bank'])
  assert.equal(await countIncidents(db, 'refund_unresolved', refund.id), 0)
  await lookUpAtAge(refund, 14 * 24 + 1)
  const facts = `select facts from incidents where kind = 'refund_unresolved' and subject = $1`
  const [incident] = await rows<{ facts: Record<string, string> }>(db, facts, [refund.id])
  assert.deepEqual(incident?.facts, {
    refund: refund.id,
    amount: '100',
    currency: 'EUR',
    openForDays: '14',
  })
})

test('a refund made at the upstream never fails because a lookup does not find it', async () => {
  const payment = await payFor(deps, projectId)
  const adopted = await adoptRefund(deps, payment, toReport(payment, { status: 'pending' }))
  lookup = () => null
  assert.equal((await lookUpAtAge(adopted, 1_000)).state, 'processing')
})

test('the reason why a refund waits is shown only while it waits', async () => {
  const refund = await reserve(await payFor(deps, projectId), 100n)
  const waiting = (await storePendingReason(db, refund.id, 'bank', null))!
  assert.equal(toRefundView(waiting, deps.installation).pendingReason, 'bank')
  assert.equal(toRefundView({ ...waiting, state: 'succeeded' }, deps.installation).pendingReason, null)
})

// Why this is long: the tests share one setup with two projects.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addPayProject } from '../../test/payer.ts'
import { countIncidents, refillQuotas, requirePayment, startPayments } from '../../test/payments.ts'
import { payFor, reserveRefund, readSums } from '../../test/refunds.ts'
import type { Backend, NewRefund, RefundReport } from '../backends/backend.ts'
import { listTakenDisputes } from '../disputes/disputes-store.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7, toFirstUuidV7 } from '../lib/id.ts'
import { lockBudget, saveBudget } from '../payments/lookup-budget-store.ts'
import { findNewestPaymentAt, listPaidPayments } from '../payments/reads/period-store.ts'
import { findRefundedPayment, lockRefundedPayment } from '../payments/refund-sums-store.ts'
import { claimDueRefunds, checkSoon, deferChecks, planCheckOfEnded } from './due-store.ts'
import { endRefund } from './end-refund.ts'
import { findNewestRefundAt, listSucceededRefunds } from './period-store.ts'
import { createRefundAndDisputeReceivers, receiveListedRefund } from './receive.ts'
import { reconcileRefundsOnce } from './reconcile.ts'
import { recordRefundReport } from './record-report.ts'
import type { End } from './refunds-store.ts'
import {
  findRefund,
  findRefundByKey,
  findReportedRefund,
  listRefunds,
  storePendingReason,
  writeEnd,
} from './refunds-store.ts'

const { deps, projectId } = await startPayments()
const { db } = deps
const otherProjectId = (await addPayProject(deps)).id
const sandbox = deps.backends.live

const SUCCEEDED: End = { state: 'succeeded', failureCode: null, upstreamRef: 'rf_end', changesInMs: null }
const DAY_MS = 24 * 3_600_000
const MADE_AT_UPSTREAM = { origin: 'upstream', requestedAmount: null, idempotencyKey: null } as const

async function columnsOf(id: string) {
  const text = `select state, upstream_ref, pending_reason, completed_at, returned_at, checks,
      round(extract(epoch from next_check_at - now()))::int as due from refunds where id = $1`
  return (await rows(db, text, [id]))[0]!
}

test('an idempotency key belongs to one project and mode', async () => {
  const [live, inTest, ofOtherProject] = [
    await payFor(deps, projectId),
    await payFor(deps, projectId, { mode: 'test' }),
    await payFor(deps, otherProjectId),
  ]
  const idempotencyKey = randomUUID()
  const find = async (project: string, mode: string) =>
    (await findRefundByKey(db, project, mode, idempotencyKey))?.id ?? null
  const first = await reserveRefund(deps, live, 100n, { idempotencyKey })
  assert.deepEqual([await find(otherProjectId, 'live'), await find(projectId, 'test')], [null, null])
  const second = await reserveRefund(deps, inTest, 100n, { idempotencyKey })
  const third = await reserveRefund(deps, ofOtherProject, 100n, { idempotencyKey })
  const found = [
    await find(projectId, 'live'),
    await find(projectId, 'test'),
    await find(otherProjectId, 'live'),
    await find(otherProjectId, 'test'),
  ]
  assert.deepEqual(found, [first.id, second.id, third.id, null])
})

test('a refund is found by its id at the upstream, but only for its own payment; if a failed refund has the same id, the refund that did not fail is found', async () => {
  const [payment, second] = [await payFor(deps, projectId), await payFor(deps, projectId)]
  const upstreamRef = 'rf_1'
  const find = (id: string) => findReportedRefund(db, id, { id: null, upstreamRef })
  const ofSecond = await reserveRefund(deps, second, 100n, { ...MADE_AT_UPSTREAM, upstreamRef })
  assert.equal(await find(payment.id), null)
  const adopted = await reserveRefund(deps, payment, 100n, { ...MADE_AT_UPSTREAM, upstreamRef })
  const failed = await reserveRefund(deps, payment, 100n)
  await rows(db, `update refunds set created_at = now() + interval '1 hour' where id = $1`, [failed.id])
  await endRefund(deps, failed, { ...SUCCEEDED, state: 'failed', failureCode: 'declined', upstreamRef })
  assert.equal((await find(payment.id))?.id, adopted.id)
  assert.equal((await find(second.id))?.id, ofSecond.id)
})

test('refunds and sums of a payment are found only with the id of its own project', async () => {
  const payment = await payFor(deps, projectId)
  const refund = await reserveRefund(deps, payment, 100n)
  assert.deepEqual(await listRefunds(db, otherProjectId, payment.id), [])
  assert.deepEqual(
    (await listRefunds(db, projectId, payment.id)).map(({ id }) => id),
    [refund.id],
  )
  assert.equal(await findRefundedPayment(db, otherProjectId, payment.id), null)
  assert.equal((await findRefundedPayment(db, projectId, payment.id))?.sums.processing, 100n)
  assert.equal(await db.transaction((tx) => lockRefundedPayment(tx, otherProjectId, payment.id)), null)
})

test('a refund ends only if its state is still the one that was read, and keeps its reference and the time of its end', async () => {
  const refund = await reserveRefund(deps, await payFor(deps, projectId), 100n)
  await storePendingReason(db, refund.id, 'bank', 'rf_first')
  const ended = await db.transaction((tx) => writeEnd(tx, refund, SUCCEEDED))
  assert.equal(ended?.upstreamRef, 'rf_first')
  const columnsBefore = await columnsOf(refund.id)
  assert.deepEqual([columnsBefore['pending_reason'], columnsBefore['due']], [null, null])
  assert.equal(await db.transaction((tx) => writeEnd(tx, refund, { ...SUCCEEDED, state: 'failed' })), null)
  assert.equal(await storePendingReason(db, refund.id, 'late', 'rf_late'), null)
  assert.deepEqual(await columnsOf(refund.id), columnsBefore)
  const end = { ...SUCCEEDED, state: 'returned', failureCode: 'returned' } as const
  const returned = await db.transaction((tx) => writeEnd(tx, ended, end))
  assert.deepEqual([returned?.completedAt, returned?.returnedAt === null], [ended?.completedAt, false])
})

test('an ended refund is looked up again only if the upstream expects a change; an open refund is always looked up', async () => {
  const payment = await payFor(deps, projectId)
  const open = await reserveRefund(deps, payment, 100n)
  await planCheckOfEnded(db, open.id, null)
  assert.notEqual((await columnsOf(open.id))['due'], null)
  const ended = await reserveRefund(deps, payment, 200n)
  await endRefund(deps, ended, { ...SUCCEEDED, changesInMs: 500_000 })
  assert.equal((await columnsOf(ended.id))['due'], 500)
  await planCheckOfEnded(db, ended.id, 900_000)
  assert.equal((await columnsOf(ended.id))['due'], 900)
  await checkSoon(db, ended.id)
  assert.equal((await columnsOf(ended.id))['due'], 900)
  await planCheckOfEnded(db, ended.id, null)
  for (const change of [
    () => planCheckOfEnded(db, ended.id, 900_000),
    () => deferChecks(db, [ended.id]),
    () => checkSoon(db, ended.id),
  ]) {
    await change()
    const { due, checks } = await columnsOf(ended.id)
    assert.deepEqual([due, checks], [null, 0])
  }
})

test('the lists of a period have only payments, refunds and disputes that moved money; the newest row is the row with the highest id', async () => {
  const { id: project } = await addPayProject(deps)
  const daysAhead = (days: number) => ({
    ...deps,
    clock: { ...deps.clock, nowMs: () => deps.clock.nowMs() + days * DAY_MS },
  })
  const paid = await payFor(daysAhead(100), project)
  await payFor(daysAhead(102), project)
  const [first, unpaid] = await rows<{ id: string }>(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, failure_code, completed_at)
     select id, $1, 'live', gen_random_uuid(), 100, 'EUR', state, case state when 'failed' then 'declined' end, now()
     from unnest($2::uuid[], array['succeeded', 'failed']) as given(id, state) returning id`,
    [project, [newUuidV7(daysAhead(100).clock), newUuidV7(daysAhead(100).clock)]],
  )
  const bounds = [99, 101].map((days) => toFirstUuidV7(deps.clock.nowMs() + days * DAY_MS)) as [
    string,
    string,
  ]
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).toSorted()
  assert.deepEqual(ids(await listPaidPayments(db, ...bounds)), [paid.id, first!.id].toSorted())
  assert.ok(unpaid)
  // Only the time in the ids counts. `created_at` has other times to prove that.
  const newestId = newUuidV7(daysAhead(200).clock)
  await rows(
    db,
    `insert into transactions (id, project_id, mode, attempt_id, amount, currency, created_at) values ($1, $2, 'live', gen_random_uuid(), 1, 'EUR', $3)`,
    [newestId, project, toDate(0)],
  )
  assert.deepEqual(await findNewestPaymentAt(db), toDate(0))

  const refunds = []
  for (const [days, state] of [
    [100, 'succeeded'],
    [100, 'failed'],
    [102, 'succeeded'],
  ] as const) {
    const refund = await reserveRefund(daysAhead(days), paid, 100n)
    await rows(db, 'update refunds set created_at = $2 where id = $1', [refund.id, toDate(days)])
    await endRefund(deps, refund, { ...SUCCEEDED, state, upstreamRef: null })
    refunds.push(refund)
  }
  assert.deepEqual(ids(await listSucceededRefunds(db, ...bounds)), [refunds[0]!.id])
  assert.deepEqual(await findNewestRefundAt(db), toDate(102))

  const dispute = async (days: number, state: string) => {
    const id = newUuidV7(daysAhead(days).clock)
    await rows(
      db,
      `insert into disputes (id, project_id, transaction_id, mode, amount, currency, state, upstream_ref, closed_at)
       values ($1, $2, $3, 'live', 1, 'EUR', $4, $5, case when $4 in ('won', 'lost') then now() end)`,
      [id, project, paid.id, state, `du_${id}`],
    )
    return id
  }
  const taken = [await dispute(100, 'open'), await dispute(100, 'lost')]
  for (const state of ['won', 'inquiry']) await dispute(100, state)
  await dispute(102, 'open')
  assert.deepEqual(ids(await listTakenDisputes(db, ...bounds)), taken.toSorted())
})

const toReport = (fields: Partial<RefundReport>): RefundReport => ({
  ...{ id: null, paymentId: null, chargeId: null, status: 'succeeded', amount: 100n, currency: 'EUR' },
  ...{ upstreamRef: 'rf_list', pendingReason: null, failureCode: null, ...fields },
})

test('a refund that the upstream lists is not stored if it is of another installation or its amount is 0; a refund of ours that we lack is adopted', async () => {
  const payment = await payFor(deps, projectId)
  const origin = {
    ...{ installationId: 'another', requestedBy: 'api' as const, idempotencyKey: 'k', requestedAmount: 100n },
    ...{ reason: null, createdAt: toDate(0) },
  }
  const receive = (fields: Partial<RefundReport>) =>
    receiveListedRefund(deps, sandbox, toReport({ paymentId: payment.id, ...fields }))
  assert.equal(await receive({ id: newUuidV7(deps.clock), origin }), true)
  assert.deepEqual(await listRefunds(db, projectId, payment.id), [])
  assert.equal(await receive({ amount: 0n, upstreamRef: 'rf_zero' }), true)
  assert.deepEqual(await listRefunds(db, projectId, payment.id), [])
  assert.equal(await countIncidents(db, 'refund_mismatch', payment.id), 1)
  assert.equal((await requirePayment(db, payment.id)).needsReview, true)
  const id = newUuidV7(deps.clock)
  const ownOrigin = { ...origin, installationId: deps.installation.id }
  assert.equal(await receive({ id, origin: ownOrigin }), true)
  const [adopted] = await listRefunds(db, projectId, payment.id)
  assert.deepEqual([adopted?.id, adopted?.origin, adopted?.idempotencyKey], [id, 'api', 'k'])
  const tooMuch = { ...ownOrigin, idempotencyKey: 'k2', requestedAmount: 9_000n }
  const exceeding = { id: newUuidV7(deps.clock), amount: 9_000n, upstreamRef: 'rf_more', origin: tooMuch }
  assert.equal(await receive(exceeding), true)
  assert.equal(
    (await readSums(db, payment.id)).refunded,
    9_100n,
    'a refund that exceeds the payment counts, because it has happened',
  )
  assert.equal((await findRefund(db, exceeding.id))?.origin, 'upstream')
})

test('if a webhook says that refunds have changed, every refund that the upstream lists for the charge is recorded', async () => {
  const payment = await payFor(deps, projectId)
  const requested: unknown[] = []
  const backend: Backend = {
    ...sandbox,
    refunds: {
      ...sandbox.refunds!,
      listRefunds: async (charge) => {
        requested.push(charge)
        return ['rf_a', 'rf_b'].map((upstreamRef) => toReport({ paymentId: payment.id, upstreamRef }))
      },
    },
  }
  await rows(db, `update transactions set upstream_ref = 'pi_1' where id = $1`, [payment.id])
  const { refund } = createRefundAndDisputeReceivers(deps)
  const webhook = { kind: 'refunds_changed', paymentId: payment.id, chargeId: null } as const
  assert.equal(await refund(backend, webhook), true)
  assert.deepEqual(requested, [{ id: payment.id, chargeId: 'pi_1' }])
  assert.equal((await readSums(db, payment.id)).refunded, 200n)
})

test('a refund of a second charge of the payment is sent with the id of that charge; a refund made at the upstream is looked up by its id there', async () => {
  const sent: NewRefund[] = []
  const refunds = {
    ...sandbox.refunds!,
    refund: async (refund: NewRefund) => {
      sent.push(refund)
      throw new Error('no response')
    },
    findRefund: async (refund: NewRefund) => {
      sent.push(refund)
      return null
    },
  }
  const watching = { ...deps, backends: { ...deps.backends, live: { ...sandbox, refunds } } }
  const payment = await payFor(deps, projectId)
  await rows(db, `update transactions set upstream_ref = 'pi_own' where id = $1`, [payment.id])
  const stored = await requirePayment(db, payment.id)
  const second = await reserveRefund(deps, stored, 100n, { chargeRef: 'pi_second' })
  const own = await reserveRefund(deps, stored, 100n)
  const madeAtUpstream = await reserveRefund(deps, stored, 100n, {
    ...MADE_AT_UPSTREAM,
    upstreamRef: 'rf_made',
  })
  for (const refund of [second, own, madeAtUpstream]) {
    await rows(db, 'update refunds set next_check_at = case when id = $1 then now() end', [refund.id])
    await refillQuotas(db)
    await reconcileRefundsOnce(watching)
  }
  assert.deepEqual(
    sent.map(({ id, chargeId, isOtherCharge, isOwn, upstreamRef }) => [
      id,
      chargeId,
      isOtherCharge,
      isOwn,
      upstreamRef,
    ]),
    [
      [second.id, 'pi_second', true, true, null],
      [second.id, 'pi_second', true, true, null],
      [own.id, 'pi_own', false, true, null],
      [own.id, 'pi_own', false, true, null],
      [madeAtUpstream.id, 'pi_own', false, false, 'rf_made'],
    ],
  )
})

test('refunds above the quota of their upstream wait a few seconds, and do not count as looked up', async () => {
  const quota = { perSec: 0, burst: 1, waitingPerSec: 0, waitingBurst: 1 }
  const live: Backend = { ...sandbox, quota }
  const limited = { ...deps, backends: { live, test: live, previous: [] } }
  const payment = await payFor(deps, projectId)
  const refunds = [await reserveRefund(deps, payment, 100n), await reserveRefund(deps, payment, 100n)]
  await rows(
    db,
    `update refunds set next_check_at = case when id = any($1::uuid[]) then now() - interval '1 minute' end`,
    [refunds.map(({ id }) => id)],
  )
  await db.transaction(async (tx) => {
    const { nowMs } = await lockBudget(tx, 'sandbox', null)
    await saveBudget(tx, 'sandbox', { tokens: 1, waitingTokens: 1 }, nowMs)
  })
  assert.equal(await reconcileRefundsOnce(limited), 1)
  const notLookedUp = (await Promise.all(refunds.map(({ id }) => columnsOf(id)))).filter(
    ({ state }) => state === 'processing',
  )
  assert.deepEqual(
    notLookedUp.map(({ checks, due }) => [checks, due]),
    [[0, 5]],
  )
  assert.deepEqual(await claimDueRefunds(db, { limit: 5, toPauseMs: () => 1 }), [])
})

test('a webhook that contradicts the end of a refund is refused and changes nothing if the refund cannot be looked up', async () => {
  const refunds = { ...sandbox.refunds!, findRefund: async () => Promise.reject(new Error('no response')) }
  const unresponsive = { ...deps, backends: { ...deps.backends, live: { ...sandbox, refunds } } }
  const payment = await payFor(deps, projectId)
  const refund = (await endRefund(deps, await reserveRefund(deps, payment, 100n), SUCCEEDED))!
  const report = toReport({ id: refund.id, paymentId: payment.id, status: 'failed', failureCode: 'returned' })
  const recording = recordRefundReport(unresponsive, payment, refund, report, { isWebhook: true })
  await assert.rejects(recording, { code: 'unavailable' })
  assert.equal((await findRefund(db, refund.id))?.state, 'succeeded')
})

test('a refund that waits at the upstream keeps its reference when a later report has no reference', async () => {
  const refund = await reserveRefund(deps, await payFor(deps, projectId), 100n)
  await storePendingReason(db, refund.id, 'bank', 'rf_wait')
  await storePendingReason(db, refund.id, 'funds', null)
  assert.partialDeepStrictEqual(await columnsOf(refund.id), {
    upstream_ref: 'rf_wait',
    pending_reason: 'funds',
  })
})

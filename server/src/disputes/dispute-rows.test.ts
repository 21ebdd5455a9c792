import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DisputeState } from '@pazar/contract'
import { addPayProject } from '../../test/payer.ts'
import { startPayments, recordStatements } from '../../test/payments.ts'
import { payFor } from '../../test/refunds.ts'
import { isLocked } from '../../test/row-locks.ts'
import type { DisputeReport } from '../backends/backend.ts'
import { toDate } from '../lib/clock.ts'
import { newUuidV7 } from '../lib/id.ts'
import type { Payment } from '../payments/payment.ts'
import {
  findDispute,
  insertDispute,
  listDisputes,
  listTakenDisputes,
  moveDispute,
  setDeadline,
} from './disputes-store.ts'
import { recordDispute } from './record-dispute.ts'

const { deps, projectId, databaseUrl } = await startPayments()
const { db } = deps
const otherProjectId = (await addPayProject(deps)).id
const payment = await payFor(deps, projectId)
const DAY_MS = 24 * 3_600_000
const [FIRST, LATER] = [toDate(Date.UTC(2026, 11, 1)), toDate(Date.UTC(2026, 11, 9))]

const insert = (
  disputedPayment: Payment,
  upstreamRef: string,
  state: DisputeState = 'open',
  id = newUuidV7(deps.clock),
) =>
  db.transaction((tx) =>
    insertDispute(tx, {
      ...{ id, projectId: disputedPayment.projectId, transactionId: disputedPayment.id, mode: 'live' },
      ...{
        amount: 1n,
        currency: 'EUR',
        scale: 2,
        state,
        reason: 'fraudulent',
        respondBy: FIRST,
        chargeRef: null,
        upstreamRef,
      },
    }),
  )

const toReport = (upstreamRef: string, fields: Partial<DisputeReport> = {}): DisputeReport => ({
  ...{ paymentId: payment.id, chargeId: null, status: 'open', amount: 1n, currency: 'EUR', upstreamRef },
  ...{ reason: null, respondBy: null, ...fields },
})

const deadlineOf = async (upstreamRef: string) => (await findDispute(db, payment.id, upstreamRef))?.respondBy

test('a dispute is listed and changed only for its own project, and no other dispute changes', async () => {
  const dispute = await insert(payment, 'du_scope')
  await insert(payment, 'du_neighbour')
  assert.deepEqual(await listDisputes(db, otherProjectId, payment.id), [])
  assert.ok((await listDisputes(db, projectId, payment.id)).some(({ id }) => id === dispute.id))
  const ofOther = { ...dispute, projectId: otherProjectId }
  await db.transaction((tx) => setDeadline(tx, ofOther, LATER))
  assert.deepEqual(await deadlineOf('du_scope'), FIRST)
  await db.transaction((tx) => setDeadline(tx, dispute, LATER))
  assert.deepEqual([await deadlineOf('du_scope'), await deadlineOf('du_neighbour')], [LATER, FIRST])
  const lostState = { state: 'lost', respondBy: null, reason: null } as const
  assert.equal(await db.transaction((tx) => moveDispute(tx, ofOther, lostState)), undefined)
  const moved = await db.transaction((tx) => moveDispute(tx, dispute, lostState))
  assert.deepEqual([moved.state, moved.respondBy, moved.reason], ['lost', LATER, 'fraudulent'])
  assert.equal((await findDispute(db, payment.id, 'du_neighbour'))?.state, 'open')
})

test('a repeated report changes the deadline of an open dispute, but not of a closed one', async () => {
  for (const [upstreamRef, state, expected] of [
    ['du_open', 'open', LATER],
    ['du_won', 'won', FIRST],
  ] as const) {
    await insert(payment, upstreamRef, state)
    await recordDispute(deps, payment, toReport(upstreamRef))
    assert.deepEqual(
      await deadlineOf(upstreamRef),
      FIRST,
      'a report without a deadline keeps the stored deadline',
    )
    await recordDispute(deps, payment, toReport(upstreamRef, { respondBy: LATER }))
    assert.deepEqual(await deadlineOf(upstreamRef), expected)
  }
  await recordDispute(deps, payment, toReport('du_open', { status: 'inquiry', respondBy: FIRST }))
  assert.deepEqual(
    await deadlineOf('du_open'),
    LATER,
    'the deadline in a late report of the inquiry is ignored',
  )
})

test('an inquiry that becomes a dispute keeps its deadline and reason if the report has none', async () => {
  await insert(payment, 'du_inquiry', 'inquiry')
  await recordDispute(deps, payment, toReport('du_inquiry'))
  const { state, respondBy, reason, closedAt } = (await findDispute(db, payment.id, 'du_inquiry'))!
  assert.deepEqual([state, respondBy, reason, closedAt], ['open', FIRST, 'fraudulent', null])
})

test('the payment is locked before its dispute is stored', async () => {
  let isPaymentLocked: boolean | null = null
  const { deps: watched } = recordStatements(deps, async (name, run) => {
    if (name === 'disputes.find')
      isPaymentLocked = await isLocked(databaseUrl, 'select from transactions where id = $1', [payment.id])
    return run()
  })
  await recordDispute(watched, payment, toReport('du_locked'))
  assert.equal(isPaymentLocked, true)
})

test('the open and lost disputes of a period are listed in the order of their ids', async () => {
  const startMs = deps.clock.nowMs() + 100 * DAY_MS
  const put = async (days: number, state: DisputeState) => {
    const id = newUuidV7({ nowMs: () => startMs + days * DAY_MS })
    return (await insert(payment, `du_${days}_${state}`, state, id)).id
  }
  const [startId, second, first] = [await put(0, 'open'), await put(2, 'lost'), await put(1, 'open')]
  for (const state of ['won', 'inquiry'] as const) await put(1, state)
  const endId = await put(3, 'lost')
  assert.deepEqual(
    (await listTakenDisputes(db, startId, endId)).map(({ id }) => id),
    [first, second],
  )
})

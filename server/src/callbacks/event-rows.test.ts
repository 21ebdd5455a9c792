import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Mode } from '@pazar/contract'
import type { DisputeFacts, RefundFacts } from '@pazar/sdk'
import { rows } from '../../test/accounts.ts'
import { addAttemptTo } from '../../test/attempts.ts'
import { readCallbackRow, claimAll, queueCallbacks } from '../../test/deliveries.ts'
import { startTwoProjects } from '../../test/queued-results.ts'
import type { FetchOutcome } from '../egress/fetch-outcome.ts'
import type { OutgoingCallback } from './outgoing-callback.ts'
import { deliver, LISTENERS } from './deliver.ts'
import { insertEvent } from './outbox-store.ts'
import { recordReport } from './report-store.ts'
import { addResponses, readResponses } from './response-times-store.ts'
import { countSteps } from './response-times.ts'
import { insertClaimedCallback } from './send-test-store.ts'

const { deps, db, projectId, otherId, add, newId } = await startTwoProjects()

const toCommon = (transactionId: string, mode: Mode = 'live') => ({
  projectId,
  transactionId,
  amount: '500',
  currency: 'EUR',
  customId: 'order-1',
  mode,
  createdAt: '2026-11-16T03:00:00.000Z',
})

const toRefund = (transactionId: string, refundId: string, mode?: Mode): RefundFacts => ({
  ...toCommon(transactionId, mode),
  refundStatus: 'succeeded',
  refundId: `re_${refundId.replaceAll('-', '')}`,
  refundedTotal: '500',
})

const toDispute = (transactionId: string, disputeId: string, mode?: Mode): DisputeFacts => ({
  ...toCommon(transactionId, mode),
  event: 'dispute.opened',
  disputeStatus: 'open',
  disputeId: `dp_${disputeId.replaceAll('-', '')}`,
})

test('the callbacks of each refund and each dispute have revisions of their own', async () => {
  const [{ payment }, other] = [await add(), await add()]
  const [refund, second, dispute] = [randomUUID(), randomUUID(), randomUUID()]
  const queue = async (transactionId: string, refundId: string | null, disputeId: string | null) => {
    const id = newId()
    const event = refundId === null ? 'dispute.opened' : 'refund.result'
    const facts = refundId === null ? toDispute(transactionId, disputeId!) : toRefund(transactionId, refundId)
    const common = { projectId, mode: 'live', customId: 'order-1' } as const
    const result = refundId === null ? null : 'success'
    await db.transaction((tx) =>
      insertEvent(tx, { id, event, transactionId, refundId, disputeId, result, facts, ...common }),
    )
    type Row = { revision: number; event: string; result: string | null; payload: { mode: string } }
    const [row] = await rows<Row>(
      db,
      'select revision, event, result, payload from callback_states where id = $1',
      [id],
    )
    return [row!.event, row!.revision, row!.result, row!.payload.mode]
  }
  // No secret has the mode `other_event`, so an earlier release cannot sign these callbacks as payments.
  assert.deepEqual(await queue(payment, refund, null), ['refund.result', 0, 'success', 'other_event'])
  assert.deepEqual(await queue(payment, refund, null), ['refund.result', 1, 'success', 'other_event'])
  assert.deepEqual(await queue(payment, second, null), ['refund.result', 0, 'success', 'other_event'])
  assert.deepEqual(await queue(other.payment, randomUUID(), null), [
    'refund.result',
    0,
    'success',
    'other_event',
  ])
  assert.deepEqual(await queue(payment, null, dispute), ['dispute.opened', 0, null, 'other_event'])
  assert.deepEqual(await queue(payment, null, dispute), ['dispute.opened', 1, null, 'other_event'])
})

test('a test callback about a refund or a dispute is stored as `sending` from the start, with its event and ids', async () => {
  const [refund, dispute] = [randomUUID(), randomUUID()]
  const send = (facts: RefundFacts | DisputeFacts) =>
    insertClaimedCallback(db, { id: newId(), facts, trigger: 'test' })
  const readStored = async ({ id, event, facts }: OutgoingCallback) => {
    const text = 'select status, mode, result, refund_id, dispute_id from callback_states where id = $1'
    return [event, facts.mode, ...Object.values((await rows(db, text, [id]))[0]!)]
  }
  const transactionId = randomUUID()
  const failed = { ...toRefund(transactionId, refund, 'test'), refundStatus: 'failed' } as const
  assert.deepEqual(await readStored(await send(toRefund(transactionId, refund, 'test'))), [
    ...['refund.result', 'test', 'sending', 'test', 'success', refund, null],
  ])
  assert.deepEqual((await readStored(await send(failed)))[4], 'fail')
  assert.deepEqual(await readStored(await send(toDispute(transactionId, dispute, 'test'))), [
    ...['dispute.opened', 'test', 'sending', 'test', null, null, dispute],
  ])
})

test('only results of payments and accepted probes count for the health of a lane', async () => {
  await queueCallbacks(db, projectId)
  const [claimed] = await claimAll(db)
  const outcome: FetchOutcome = {
    outcome: 'delivered',
    statusCode: 200,
    error: null,
    responseBody: Buffer.alloc(0),
    bodyEnd: 'whole',
    remoteIp: null,
    durationMs: 5,
    retryAfter: null,
    location: null,
    isEgressFault: false,
  }
  const facts = { ...toRefund(randomUUID(), randomUUID()), mode: 'live' } as const
  const ofRefund = { ...claimed!, event: 'refund.result', facts } as const
  const doesCount = async (fields: Partial<OutgoingCallback>, response: Partial<FetchOutcome> = {}) => {
    const publicFetch = { ...deps.publicFetch, post: async () => ({ ...outcome, ...response }) }
    return (await deliver({ ...deps, publicFetch }, { ...ofRefund, ...fields })).counts
  }
  const failed = { outcome: 'http_error', statusCode: 500 } as const
  assert.equal(await doesCount(claimed!), true)
  assert.equal(await doesCount(claimed!, failed), true)
  assert.equal(await doesCount({ ...claimed!, trigger: 'test' }), false)
  assert.equal(await doesCount({ isProbe: false }), false)
  assert.equal(await doesCount({ isProbe: true }), true)
  assert.equal(await doesCount({ isProbe: true }, failed), false)
})

test('a callback that is claimed without a URL is recorded as delivered to the listeners, and no request is sent', async () => {
  await queueCallbacks(db, projectId, 1, { mode: 'test' })
  const [claimed] = await claimAll(db)
  const post = () => Promise.reject(new Error('sent'))
  const depsThatCannotSend = { ...deps, publicFetch: { ...deps.publicFetch, post } }
  const record = await deliver(depsThatCannotSend, { ...claimed!, url: null })
  assert.deepEqual(
    [record.outcome, record.url, record.statusCode, record.counts],
    ['delivered', LISTENERS, null, true],
  )
})

test('a report of a listener is recorded once, for the last forwarded attempt of a test callback of the same project', async () => {
  const [[id = ''], [liveId = '']] = [
    await queueCallbacks(db, projectId, 1, { mode: 'test' }),
    await queueCallbacks(db, projectId),
  ]
  const addAttempt = (callbackId: string, attempt: number, outcome = 'delivered', url = LISTENERS) =>
    addAttemptTo(db, { projectId, url }, callbackId, { attempt, outcome, statusCode: null })
  const report = (callbackId: string, reportedIn = projectId) =>
    recordReport(db, reportedIn, { callbackId, statusCode: 500, durationMs: 20 })
  await addAttempt(liveId, 1)
  await addAttempt(id, 1, 'delivered', 'https://shop.example.com/callback')
  await addAttempt(id, 2, 'connect')
  assert.deepEqual([await report(id), await report(liveId)], ['not_forwarded', 'not_forwarded'])
  for (const attempt of [3, 4]) await addAttempt(id, attempt)
  assert.equal(await report(id, otherId), 'not_forwarded')
  assert.equal(await report(newId()), 'not_forwarded')
  assert.deepEqual([await report(id), await report(id)], ['recorded', 'already_reported'])
  const text = `select callback_id, attempt, reported_status, reported_ms from callback_attempts where reported_at is not null`
  assert.deepEqual(await rows(db, text), [
    { callback_id: id, attempt: 4, reported_status: 500, reported_ms: 20 },
  ])
  assert.equal((await readCallbackRow(db, id)).status, 'pending', 'a report changes no state')
})

test('response times are read by project, mode and interval, including the whole hour in which the range starts', async () => {
  const toHourMs = (hour: number) => Date.parse(`2026-11-16T${String(hour).padStart(2, '0')}:00:00Z`)
  const newHour = (hourMs: number, durationMs: number, laneProjectId = projectId, mode: Mode = 'live') => ({
    projectId: laneProjectId,
    mode,
    hourMs,
    counts: countSteps([durationMs]),
  })
  await addResponses(db, [
    ...[
      newHour(toHourMs(1), 1),
      newHour(toHourMs(2), 2),
      newHour(toHourMs(3), 3),
      newHour(toHourMs(4), 4),
      newHour(toHourMs(5), 5),
    ],
    ...[newHour(toHourMs(3), 9, otherId), newHour(toHourMs(3), 9, projectId, 'test')],
  ])
  await addResponses(db, [newHour(toHourMs(3), 3)])
  const read = async (fromMs: number, toMs: number, startMs: number[]) => {
    const range = { from: new Date(fromMs), to: new Date(toMs), starts: startMs.map((ms) => new Date(ms)) }
    const counts = await readResponses(db, { projectId, mode: 'live' }, range)
    return counts.map((steps) => steps.flatMap((count, step) => (count > 0 ? [`${step}x${count}`] : [])))
  }
  assert.deepEqual(await read(toHourMs(2), toHourMs(5), [toHourMs(2), toHourMs(4)]), [
    ['2x1', '3x2'],
    ['4x1'],
  ])
  assert.deepEqual(await read(toHourMs(2) + 60_000, toHourMs(3), [toHourMs(2) + 60_000]), [['2x1']])
  assert.deepEqual(await read(toHourMs(10), toHourMs(12), [toHourMs(10), toHourMs(11)]), [[], []])
})

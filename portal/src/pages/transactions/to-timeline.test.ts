import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  AttemptView,
  CallbackView,
  DisputeView,
  RefundView,
  TransactionDetails,
  TransactionView,
} from '@pazar/contract'
import { toTimeline } from './to-timeline.ts'

const at = (minute: number) => `2026-11-16T10:${String(minute).padStart(2, '0')}:00.000Z`

const payment = { createdAt: at(0), completedAt: at(2), resolvedAt: null } as TransactionView
const bare: TransactionDetails = { transaction: payment, refunds: [], disputes: [] }
const callback = { id: 'msg_1', createdAt: at(2), nextAt: null, status: 'delivered' } as CallbackView
const attempt = (minute: number) => ({ attempt: minute, startedAt: at(minute) }) as AttemptView
const kinds = (...given: Parameters<typeof toTimeline>) => toTimeline(...given).map(({ kind }) => kind)

test('the order is started, at the bank, ended, callback sent, even if all have the same time', () => {
  const timeline = { atBankAt: at(2), callbacks: [{ callback, attempts: [attempt(2), attempt(3)] }] }
  assert.deepEqual(kinds(bare, timeline), ['created', 'atBank', 'ended', 'attempt', 'attempt'])
})

test('a payment in progress has no end, and the other events are shown even without the callbacks', () => {
  const open = { ...bare, transaction: { ...payment, completedAt: null } }
  assert.deepEqual(kinds(open, { atBankAt: null, callbacks: [] }), ['created'])
  assert.deepEqual(kinds(bare, null), ['created', 'ended'])
})

test('a callback without attempts is shown as such, and the next attempt comes last', () => {
  const waiting = { ...callback, nextAt: at(59), status: 'pending' } as CallbackView
  const callbacks = [
    { callback: waiting, attempts: [attempt(3)] },
    { callback, attempts: [] },
  ]
  const events = toTimeline(bare, { atBankAt: null, callbacks })
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['created', 'ended', 'callback', 'attempt', 'nextAttempt'],
  )
})

test('a refund is one event, at its last change, and a dispute is one when it opens and one when it closes', () => {
  const refund = (change: Partial<RefundView>) =>
    ({ createdAt: at(5), completedAt: null, returnedAt: null, ...change }) as RefundView
  const dispute = { openedAt: at(7), closedAt: at(9) } as DisputeView
  const details = {
    ...bare,
    refunds: [refund({}), refund({ completedAt: at(6) }), refund({ completedAt: at(6), returnedAt: at(8) })],
    disputes: [dispute, { ...dispute, closedAt: null }],
  }
  const events = toTimeline(details, null).map((event) => `${event.kind} ${event.at.slice(14, 16)}`)
  assert.deepEqual(events, [
    'created 00',
    'ended 02',
    'refund 05',
    'refund 06',
    'disputeOpened 07',
    'disputeOpened 07',
    'refund 08',
    'disputeClosed 09',
  ])
})

test('a decision of the operator has its own time', () => {
  const decided = { ...bare, transaction: { ...payment, resolvedAt: at(30) } }
  assert.deepEqual(kinds(decided, null), ['created', 'ended', 'decided'])
})

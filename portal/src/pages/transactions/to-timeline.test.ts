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

const isoAt = (minute: number) => `2026-11-16T10:${String(minute).padStart(2, '0')}:00.000Z`

const payment = { createdAt: isoAt(0), completedAt: isoAt(2), resolvedAt: null } as TransactionView
const paymentOnly: TransactionDetails = { transaction: payment, refunds: [], disputes: [] }
const callback = { id: 'msg_1', createdAt: isoAt(2), nextAt: null, status: 'delivered' } as CallbackView
const toAttempt = (minute: number, outcome: AttemptView['outcome'] = 'delivered') =>
  ({ attempt: minute, startedAt: isoAt(minute), outcome }) as AttemptView
const listKinds = (...input: Parameters<typeof toTimeline>) => toTimeline(...input).map(({ kind }) => kind)

test('events of the same time are in the order of cause and effect', () => {
  const timeline = { atBankAt: isoAt(2), callbacks: [{ callback, attempts: [toAttempt(2), toAttempt(3)] }] }
  assert.deepEqual(listKinds(paymentOnly, timeline), ['created', 'atBank', 'ended', 'attempt', 'attempt'])
})

test('several failed attempts of a callback are one event at the time of the last one', () => {
  const attempts = [toAttempt(3, 'timeout'), toAttempt(4, 'http_error'), toAttempt(9)]
  const events = toTimeline(paymentOnly, { atBankAt: null, callbacks: [{ callback, attempts }] })
  assert.deepEqual(
    events.map((event) => `${event.kind} ${event.at.slice(14, 16)}`),
    ['created 00', 'ended 02', 'failedAttempts 04', 'attempt 09'],
  )
})

test('a payment in progress has no end, and callbacks that are not loaded are left out', () => {
  const openPayment = { ...paymentOnly, transaction: { ...payment, completedAt: null } }
  assert.deepEqual(listKinds(openPayment, { atBankAt: null, callbacks: [] }), ['created'])
  assert.deepEqual(listKinds(paymentOnly, null), ['created', 'ended'])
})

test('a decision that ended the payment is "decided" instead of "ended"; if it was changed, it is "firstDecision"', () => {
  const toDecided = (failureCode: string, resolvedAt: string) => ({
    ...paymentOnly,
    transaction: { ...payment, failureCode, resolvedAt } as TransactionView,
  })
  assert.deepEqual(listKinds(toDecided('resolved_paid', isoAt(2)), null), ['created', 'decided'])
  assert.deepEqual(listKinds(toDecided('resolved_unpaid', isoAt(5)), null), [
    'created',
    'firstDecision',
    'decided',
  ])
  assert.deepEqual(listKinds(toDecided('declined', isoAt(5)), null), ['created', 'ended', 'decided'])
})

test('a callback without attempts is an event, and the next attempt comes last', () => {
  const waitingCallback = { ...callback, nextAt: isoAt(59), status: 'pending' } as CallbackView
  const callbacks = [
    { callback: waitingCallback, attempts: [toAttempt(3)] },
    { callback, attempts: [] },
  ]
  const events = toTimeline(paymentOnly, { atBankAt: null, callbacks })
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['created', 'ended', 'callback', 'attempt', 'nextAttempt'],
  )
})

test('a refund is one event at its last change, and a dispute is an event when it opens and when it closes', () => {
  const toRefund = (change: Partial<RefundView>) =>
    ({ createdAt: isoAt(5), completedAt: null, returnedAt: null, ...change }) as RefundView
  const dispute = { openedAt: isoAt(7), closedAt: isoAt(9) } as DisputeView
  const details = {
    ...paymentOnly,
    refunds: [
      toRefund({}),
      toRefund({ completedAt: isoAt(6) }),
      toRefund({ completedAt: isoAt(6), returnedAt: isoAt(8) }),
    ],
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

test('a decision of the operator after the end of the payment is a separate event', () => {
  const decidedPayment = { ...paymentOnly, transaction: { ...payment, resolvedAt: isoAt(30) } }
  assert.deepEqual(listKinds(decidedPayment, null), ['created', 'ended', 'decided'])
})

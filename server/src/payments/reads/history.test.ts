import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { History } from './history.ts'
import { toEvents } from './history.ts'
import type { Payment } from '../payment.ts'

const dateAt = (minute: number) => new Date(Date.UTC(2026, 10, 16, 3, minute))

const payment = {
  id: 'p1',
  state: 'failed',
  failureCode: 'declined',
  createdAt: dateAt(0),
  resolution: 'paid',
  resolvedAt: dateAt(9),
} as Payment

const record: History['record'] = {
  payment,
  attemptId: 'a1',
  actionAt: dateAt(1),
  completedAt: dateAt(2),
  resolvedBy: 'ana',
  resolutionReason: 'The money arrived',
  checks: 3,
  nextCheckAt: null,
}

const report = (
  facts: Record<string, string | null> | null,
  times: number,
  firstMinute: number,
  lastMinute: number,
) => ({
  fingerprint: String(firstMinute),
  facts,
  times,
  firstAt: dateAt(firstMinute),
  lastAt: dateAt(lastMinute),
})

const listTexts = (history: History) =>
  toEvents(history).map((event) => `${event.at.toISOString().slice(14, 16)} ${event.text}`)

// Why this is long: the test has one history with an entry of each kind.
test('states, reports, incidents and callbacks are listed in the order of their times', () => {
  const attempt = {
    callbackId: 'msg_1',
    trigger: 'auto',
    url: '',
    durationMs: 5,
    responseExcerpt: null,
    reported: null,
    nextAt: null,
  } as const
  const history: History = {
    record,
    reports: [
      report(
        { said: 'succeeded', saidAmount: '1500', saidCurrency: 'EUR', saidCharge: 'ch_1', saidId: 'p1' },
        2,
        5,
        6,
      ),
      report({ said: 'failed', saidProject: 'other', saidId: 'p2' }, 1, 7, 7),
      report(null, 4, 8, 9),
    ],
    incidents: [
      {
        id: 7,
        kind: 'charged_after_end',
        transactionId: 'p1',
        subject: 'p1',
        facts: {},
        times: 3,
        createdAt: dateAt(5),
        lastAt: dateAt(6),
        closedAt: dateAt(9),
      },
      {
        id: 8,
        kind: 'mismatch',
        transactionId: 'p1',
        subject: 'p1',
        facts: {},
        times: 1,
        createdAt: dateAt(10),
        lastAt: dateAt(10),
        closedAt: null,
      },
    ],
    callbacks: [
      {
        delivery: {
          id: 'msg_1',
          event: 'payment.result',
          result: 'fail',
          status: 'delivered',
          createdAt: dateAt(2),
          deliveredAt: dateAt(4),
        } as never,
        attempts: [
          {
            ...attempt,
            attempt: 1,
            startedAt: dateAt(3),
            outcome: 'timeout',
            statusCode: null,
            error: 'no response',
          },
          {
            ...attempt,
            attempt: 2,
            startedAt: dateAt(4),
            outcome: 'delivered',
            statusCode: 200,
            error: null,
          },
        ],
      },
      {
        delivery: {
          id: 'msg_2',
          event: 'refund.result',
          result: 'success',
          status: 'pending',
          createdAt: dateAt(9),
          deliveredAt: null,
        } as never,
        attempts: [],
      },
    ],
  }
  assert.deepEqual(listTexts(history), [
    '00 state: processing',
    '01 state: requires_action',
    '02 state: failed (declined)',
    '02 callback msg_1: fail',
    '03 callback msg_1 attempt 1: timeout (no response)',
    '04 callback msg_1 attempt 2: delivered 200',
    '04 callback msg_1 delivered',
    '05 upstream reported: succeeded 1500 EUR, charge ch_1, 2 times, last 2026-11-16T03:06:00.000Z',
    '05 incident 7 raised: charged_after_end, 3 times, last 2026-11-16T03:06:00.000Z',
    '07 upstream reported: failed, project other, payment p2',
    '08 upstream sent 4 more reports, the last at 2026-11-16T03:09:00.000Z; only the first 50 are stored',
    '09 resolved as paid by ana: The money arrived',
    '09 incident 7 closed',
    '09 callback msg_2: refund.result success, pending',
    '10 incident 8 raised: mismatch',
  ])
})

test('a payment that has just been opened has only its first state', () => {
  const opened = {
    ...payment,
    state: 'processing',
    failureCode: null,
    resolution: null,
    resolvedAt: null,
  } as Payment
  const openedRecord = { ...record, payment: opened, actionAt: null, completedAt: null }
  assert.deepEqual(listTexts({ record: openedRecord, reports: [], incidents: [], callbacks: [] }), [
    '00 state: processing',
  ])
})

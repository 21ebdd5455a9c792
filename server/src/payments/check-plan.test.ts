import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenPayment } from './check-plan.ts'
import { needsOperator, phaseOf, PHASES, SLOWEST_CHECK_MS, toClosing, toNextCheckMs } from './check-plan.ts'
import { isFinal, PAYMENT_STATES } from './payment.ts'
import type { UpstreamEvent } from './reactions.ts'
import { REACTIONS, UPSTREAM_EVENTS } from './reactions.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const TIMEOUT_MIN = 30
const START_MS = Date.UTC(2026, 0, 1)

const AGES_MS = [
  ...[0, 1, 30, 59].map((sec) => sec * 1000),
  ...[1, 9, 10, 29, 30, 31, 59].map((min) => min * MINUTE_MS),
  ...[1, 6, 7, 23, 24, 25].map((hours) => hours * HOUR_MS),
  ...[2, 7, 13, 14, 15, 16, 30, 400].map((days) => days * DAY_MS),
]

function listOpen(): OpenPayment[] {
  const open = PAYMENT_STATES.filter((state) => !isFinal(state))
  return open.flatMap((state) =>
    [null, 'https://bank.example/3ds'].flatMap((actionUrl) =>
      [false, true].flatMap((needsReview) =>
        [0, 3, 51, 100_000].map((checks) => ({
          state,
          actionUrl: state === 'processing' ? null : actionUrl,
          needsReview,
          createdMs: START_MS,
          actionMs: state === 'processing' ? null : START_MS + 1000,
          checks,
        })),
      ),
    ),
  )
}

/** Returns null if the event ends the payment. */
function applyEvent(payment: OpenPayment, event: UpstreamEvent, nowMs: number): OpenPayment | null {
  const reaction = REACTIONS[payment.state][event]
  switch (reaction.act) {
    case 'end':
      return null
    case 'send_to_bank':
      return {
        ...payment,
        state: 'requires_action',
        actionUrl: payment.actionUrl ?? 'https://bank.example/3ds',
        actionMs: payment.actionUrl === null ? nowMs : payment.actionMs,
      }
    case 'leave_bank':
      return { ...payment, actionUrl: null }
    case 'review':
      return { ...payment, needsReview: true }
    case 'keep':
    case 'store_charge_id':
    case 'raise':
      return payment
  }
}

test('an open payment is always looked up within an hour, and needs an operator after 16 days', () => {
  let seen = 0
  for (const payment of listOpen()) {
    for (const ageMs of AGES_MS) {
      for (const event of UPSTREAM_EVENTS) {
        const nowMs = START_MS + ageMs
        const changed = applyEvent(payment, event, nowMs)
        if (changed === null) continue
        const caseName = JSON.stringify({ ...changed, ageMs, event })
        const nextMs = toNextCheckMs(changed, nowMs, TIMEOUT_MIN)
        assert.ok(nextMs > nowMs && nextMs <= nowMs + SLOWEST_CHECK_MS, caseName)
        // A payment becomes overdue or overlong within 14 days, even if the payer is sent to further pages of the bank.
        // At most one day later, an operator is needed.
        const isListed = changed.needsReview || needsOperator(changed, event, nowMs, TIMEOUT_MIN)
        if (ageMs >= 16 * DAY_MS) assert.ok(isListed, caseName)
        if (ageMs < 30 * MINUTE_MS && !changed.needsReview) assert.ok(!isListed, caseName)
        seen += 1
      }
    }
  }
  assert.ok(seen > 5_000)
})

test('if every lookup leaves the payment open, an operator is needed within 16 days', () => {
  for (const payment of listOpen()) {
    for (const event of ['no_response', 'garbled', 'mismatched', 'pending', 'action_required'] as const) {
      let current = payment
      let nowMs = START_MS + MINUTE_MS
      let steps = 0
      while (!(current.needsReview || needsOperator(current, event, nowMs, TIMEOUT_MIN))) {
        nowMs = toNextCheckMs(current, nowMs, TIMEOUT_MIN)
        current = {
          ...(applyEvent(current, event, nowMs) ?? assert.fail('the payment has ended')),
          checks: current.checks + 1,
        }
        steps += 1
        assert.ok(nowMs <= START_MS + 16 * DAY_MS, JSON.stringify({ ...payment, event }))
      }
      assert.ok(steps < 3_000, `${steps} lookups`)
    }
  }
})

test('a payment is overdue only while the payer has something to do', () => {
  const atBank: OpenPayment = {
    state: 'requires_action',
    actionUrl: 'https://bank.example/3ds',
    needsReview: false,
    createdMs: START_MS,
    actionMs: START_MS,
    checks: 0,
  }
  const phaseAt = (payment: OpenPayment, ageMs: number) => phaseOf(payment, START_MS + ageMs, TIMEOUT_MIN)
  assert.deepEqual(
    [29, 30].map((min) => phaseAt(atBank, min * MINUTE_MS)),
    ['at_bank', 'overdue'],
  )
  const atSecondPage = { ...atBank, actionMs: START_MS + 40 * MINUTE_MS }
  assert.deepEqual(
    [69, 70].map((min) => phaseAt(atSecondPage, min * MINUTE_MS)),
    ['at_bank', 'overdue'],
  )
  const atLatePage = { ...atBank, actionMs: START_MS + 14 * DAY_MS - MINUTE_MS }
  assert.deepEqual(
    [0, 1].map((min) => phaseAt(atLatePage, 14 * DAY_MS + (min - 1) * MINUTE_MS)),
    ['at_bank', 'overdue'],
  )
  const finishedAtBank = { ...atBank, actionUrl: null }
  assert.deepEqual(
    [29 * MINUTE_MS, DAY_MS, 14 * DAY_MS].map((ms) => phaseAt(finishedAtBank, ms)),
    ['settling', 'settling', 'overlong'],
  )
  const processing: OpenPayment = { ...finishedAtBank, state: 'processing', actionMs: null }
  assert.deepEqual(
    [29 * MINUTE_MS, DAY_MS, 14 * DAY_MS].map((ms) => phaseAt(processing, ms)),
    ['unknown', 'unknown', 'overlong'],
  )
})

test('a payment that the upstream does not know is cancelled in every phase; a payment that is open at the upstream is cancelled only if it is overdue, overlong or unconfirmed', () => {
  for (const phase of PHASES) {
    const mayCloseUnderway = phase === 'overlong' || phase === 'unconfirmed'
    assert.equal(toClosing(phase, null), 'waiting_for_payer')
    assert.equal(
      toClosing(phase, 'requires_action'),
      phase === 'overdue' ? 'waiting_for_payer' : mayCloseUnderway ? 'underway' : 'none',
    )
    assert.equal(toClosing(phase, 'processing'), mayCloseUnderway ? 'underway' : 'none')
    for (const ended of ['succeeded', 'failed', 'cancelled'] as const)
      assert.equal(toClosing(phase, ended), 'none')
  }
})

test('a payment abandoned at the bank’s page is looked up seven times in half an hour', () => {
  const payment: OpenPayment = {
    state: 'requires_action',
    actionUrl: 'https://bank.example/3ds',
    needsReview: false,
    createdMs: START_MS,
    actionMs: START_MS,
    checks: 0,
  }
  const minutes: number[] = []
  let nowMs = START_MS
  while (phaseOf(payment, nowMs, TIMEOUT_MIN) === 'at_bank') {
    nowMs = toNextCheckMs(payment, nowMs, TIMEOUT_MIN)
    minutes.push((nowMs - START_MS) / MINUTE_MS)
  }
  assert.deepEqual(minutes, [1, 2, 4, 8, 16, 26, 30])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAYMENT } from '../../test/payment-values.ts'
import type { Charge } from '../backends/backend.ts'
import { isFinal, MOVES, PAYMENT_STATES } from './payment.ts'
import type { Payment, PaymentState } from './payment.ts'
import { REACTIONS, toEvent, toReaction, UPSTREAM_EVENTS } from './reactions.ts'
import type { Reaction } from './reactions.ts'

const table = PAYMENT_STATES.flatMap((state) =>
  UPSTREAM_EVENTS.map((event) => ({ state, event, reaction: REACTIONS[state][event] })),
)

function toTarget(reaction: Reaction): PaymentState | null {
  if (reaction.act === 'end') return reaction.state
  return reaction.act === 'send_to_bank' ? 'requires_action' : null
}

test('the table has a reaction for every state and event, and nothing else', () => {
  assert.deepEqual(Object.keys(REACTIONS).sort(), PAYMENT_STATES.toSorted())
  for (const state of PAYMENT_STATES)
    assert.deepEqual(Object.keys(REACTIONS[state]).sort(), UPSTREAM_EVENTS.toSorted(), state)
})

test('events cause only allowed transitions', () => {
  for (const { state, event, reaction } of table) {
    const target = toTarget(reaction)
    if (target !== null && target !== state)
      assert.ok(MOVES[state].includes(target), `${state} + ${event} → ${target}`)
  }
})

test('every allowed transition is caused by some event', () => {
  const caused = new Set(table.map(({ state, reaction }) => `${state} → ${toTarget(reaction)}`))
  for (const state of PAYMENT_STATES)
    for (const target of MOVES[state]) assert.ok(caused.has(`${state} → ${target}`), `${state} → ${target}`)
})

test('only a matching charge changes the state of a payment to "succeeded"', () => {
  for (const { state, event, reaction } of table) {
    const succeeds = toTarget(reaction) === 'succeeded'
    assert.equal(
      succeeds,
      !isFinal(state) && ['charged', 'charged_again'].includes(event),
      `${state} + ${event}`,
    )
  }
})

test('an event that leaves the outcome open never changes the state', () => {
  for (const state of PAYMENT_STATES)
    for (const event of ['no_response', 'garbled', 'pending', 'mismatched'] as const)
      assert.equal(toTarget(REACTIONS[state][event]), null, `${state} + ${event}`)
})

test('a charge of a payment that ended unpaid always requires a review, even if the amount of the charge differs', () => {
  for (const state of ['failed', 'expired'] as const)
    for (const event of ['charged', 'charged_again', 'charged_differently'] as const)
      assert.deepEqual(REACTIONS[state][event], { act: 'review', kind: 'charged_after_end' })
})

test('a charge of another amount requires a review in every state', () => {
  for (const state of PAYMENT_STATES) assert.equal(REACTIONS[state].charged_differently.act, 'review', state)
})

const ENDED = PAYMENT_STATES.filter(isFinal)

test('without an operator’s decision, only the state and the event decide the reaction', () => {
  for (const { state, event, reaction } of table)
    assert.equal(toReaction({ state, resolution: null }, event), reaction, `${state} + ${event}`)
})

test('"declined" or "cancelled" contradicts an operator’s decision "paid" and agrees with the decision "unpaid"', () => {
  for (const state of ENDED)
    for (const event of ['declined', 'cancelled'] as const) {
      const contradiction = { act: 'raise', kind: 'contradiction' }
      assert.deepEqual(toReaction({ state, resolution: 'paid' }, event), contradiction, state)
      assert.deepEqual(toReaction({ state, resolution: 'unpaid' }, event), { act: 'keep' }, state)
    }
})

test('a charge of a payment resolved as unpaid requires a review, even if the upstream had reported a success before', () => {
  for (const state of ENDED)
    for (const event of ['charged', 'charged_again', 'charged_differently'] as const) {
      const review = { act: 'review', kind: 'charged_after_end' }
      assert.deepEqual(toReaction({ state, resolution: 'unpaid' }, event), review, `${state} + ${event}`)
    }
})

test('no report changes the state of a payment that an operator has resolved', () => {
  for (const state of ENDED)
    for (const event of UPSTREAM_EVENTS)
      for (const resolution of ['paid', 'unpaid'] as const)
        assert.equal(toTarget(toReaction({ state, resolution }, event)), null, `${state} + ${event}`)
})

const CHARGE: Charge = {
  id: PAYMENT.id,
  status: 'succeeded',
  amount: 1500n,
  currency: 'EUR',
  projectId: PAYMENT.projectId,
  chargeId: 'ch_1',
  failureCode: null,
  actionUrl: null,
}

for (const [caseName, fields, charged, failed] of [
  ['everything matches', {}, 'charged', 'declined'],
  ['the upstream names no project', { projectId: null }, 'charged', 'declined'],
  ['another id', { id: '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e914' }, 'mismatched', 'mismatched'],
  ['one cent less', { amount: 1499n }, 'charged_differently', 'mismatched'],
  ['another currency', { currency: 'RSD' }, 'charged_differently', 'mismatched'],
  ['the currency in lower case', { currency: 'eur' }, 'charged_differently', 'mismatched'],
  ["another merchant's project", { projectId: 'other' }, 'charged_differently', 'mismatched'],
] as const) {
  test(`a report is compared with the payment: ${caseName}`, () => {
    assert.equal(toEvent(PAYMENT, { ...CHARGE, ...fields }), charged)
    assert.equal(toEvent(PAYMENT, { ...CHARGE, ...fields, status: 'failed' }), failed)
  })
}

test('a report that a charge was cancelled needs the right id, but no amount', () => {
  const cancelled: Charge = {
    ...CHARGE,
    status: 'cancelled',
    amount: 0n,
    currency: '',
    projectId: null,
    chargeId: null,
  }
  assert.equal(toEvent(PAYMENT, cancelled), 'cancelled')
  assert.equal(toEvent(PAYMENT, { ...cancelled, id: 'other' }), 'mismatched')
})

test('a second charge is recognized by the upstream’s charge id', () => {
  const paid: Payment = { ...PAYMENT, state: 'succeeded', upstreamRef: 'ch_1' }
  assert.equal(toEvent(paid, CHARGE), 'charged')
  assert.equal(toEvent(paid, { ...CHARGE, chargeId: 'ch_2' }), 'charged_again')
  assert.equal(toEvent(paid, { ...CHARGE, chargeId: null }), 'charged')
  assert.equal(toEvent({ ...paid, upstreamRef: null }, { ...CHARGE, chargeId: 'ch_2' }), 'charged')
})

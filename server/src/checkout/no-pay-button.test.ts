import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestPayer, FIRST_ATTEMPT, toCheckedLink, toShownPayment } from '../../test/pay-outcomes.ts'
import { startPayments } from '../../test/payments.ts'
import { newUuidV7 } from '../lib/id.ts'
import { findInsteadOfPayButton } from './no-pay-button.ts'
import type { PayOutcome } from './pay-outcome.ts'

const { deps } = await startPayments()
const attempt = { id: FIRST_ATTEMPT, checkoutId: FIRST_ATTEMPT }
const failed = toShownPayment({ state: 'failed' })
const [holderId, reviewedId] = [newUuidV7(deps.clock), newUuidV7(deps.clock)]

const order = { amount: '1500', data: null, isErased: false }
const atBank = { ...order, id: holderId, state: 'requires_action', isPaid: false } as const
const processing = { ...atBank, state: 'processing' } as const
const paid = { ...order, id: holderId, state: 'succeeded', isPaid: true } as const
const inReview = toShownPayment({ id: reviewedId, state: 'failed', needsReview: true })

type Target = Parameters<typeof toCheckedLink>[1]
const find = (target: Target, isSigned = false): Promise<PayOutcome | null> =>
  findInsteadOfPayButton(deps, createTestPayer(), toCheckedLink({ isSigned }, target), attempt)

test('with an unsigned link, a browser without a failed attempt sees the Pay button', async () => {
  for (const holder of [atBank, processing, paid]) assert.equal(await find({ holder }), null)
  assert.equal(await find({ inReviewElsewhere: inReview }), null)
  const open = toShownPayment({ state: 'processing' })
  assert.equal(await find({ holder: paid, attempts: [open] }), null, 'its own attempt has not failed')
})

test('with a signed link every browser sees that the order is in review', async () => {
  const outcome = await find({ inReviewElsewhere: inReview }, true)
  assert.ok(outcome?.kind === 'order_in_review')
  assert.equal(outcome.reviewedId, reviewedId)
  assert.equal(await find({ holder: paid }, true), null)
})

test('after a declined attempt the Pay button is shown only if no payment of the order is open, in review or paid', async () => {
  const attempts = [failed]
  assert.equal(await find({ attempts }), null)
  assert.equal((await find({ attempts, holder: paid }))?.kind, 'already_paid')
  for (const target of [{ holder: processing }, { inReviewElsewhere: inReview }, { holder: atBank }]) {
    const outcome = await find({ attempts, ...target })
    assert.ok(outcome?.kind === 'in_flight', JSON.stringify(outcome?.kind))
    assert.equal(outcome.startOver, null, 'an unsigned link cannot cancel another browser’s payment')
  }
})

test('if the order is paid with another amount or other data, a browser with a declined attempt sees the Pay button', async () => {
  const attempts = [failed]
  const otherOrders = [
    { ...paid, amount: '1600' },
    { ...paid, data: 'another order' },
  ]
  for (const holder of otherOrders)
    for (const isSigned of [false, true]) assert.equal(await find({ attempts, holder }, isSigned), null)
  const inFlight = await find({ attempts, holder: otherOrders[0]!, inReviewElsewhere: inReview })
  assert.equal(inFlight?.kind, 'in_flight', 'a payment of the order is in review')
})

test('after a declined attempt, a signed link offers to start over only while another payment of the order is at the bank', async () => {
  const attempts = [failed]
  const offered = await find({ attempts, holder: atBank }, true)
  assert.ok(offered?.kind === 'in_flight')
  assert.deepEqual(offered.startOver, { attempt, replaces: holderId })
  const refused = await find({ attempts, holder: processing }, true)
  assert.ok(refused?.kind === 'in_flight')
  assert.equal(refused.startOver, null)
})

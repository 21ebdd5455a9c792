// The checkout's rules without HTTP: the outcome of pressing Pay and of opening a link.
// Sandbox amounts: 4000 is declined; 4004 waits for the payer at the bank page.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { catalogue } from '@pazar/words'
import { createTestPayer, FIRST_ATTEMPT, toCheckedLink, toShownPayment } from '../../test/pay-outcomes.ts'
import { addPayProject, toLink } from '../../test/payer.ts'
import { startPayments } from '../../test/payments.ts'
import { parseQuery } from '../http/query.ts'
import { ServiceError } from '../lib/service-error.ts'
import { parsePayLink } from '../paylinks/pay-link.ts'
import { nextAttemptId, sealAttempt } from './attempt-token.ts'
import { confirmLink, mayHavePaid } from './confirm-link.ts'
import { toCurrentCurrency } from './deps.ts'
import { OutcomeUnknownError, toPressOutcome } from './pay-outcome.ts'
import type { Payer } from './payer.ts'
import { chooseNotice } from './refusal-page.ts'
import { showLink, toNextAttempt } from './show-link.ts'
import { findDecisiveAttempt } from './shown-payment.ts'
import { toNotReplacedOutcome } from './replace-bank-step.ts'

const checkedLink = toCheckedLink()
const signed = toCheckedLink({ isSigned: true })
const attempt = { id: FIRST_ATTEMPT, checkoutId: FIRST_ATTEMPT }
const secondId = nextAttemptId(FIRST_ATTEMPT)

const processing = toShownPayment()
const atBank = toShownPayment({ state: 'requires_action', actionUrl: 'https://bank.example.com' })
const paid = toShownPayment({ state: 'succeeded' })
const failed = toShownPayment({ state: 'failed' })
const inReview = toShownPayment({ state: 'failed', needsReview: true })
const resolvedPaid = toShownPayment({ state: 'failed', resolution: 'paid' })
const resolvedUnpaid = toShownPayment({ state: 'succeeded', resolution: 'unpaid' })

test('the outcome of pressing Pay depends on the state, the review and the resolution of the payment', () => {
  const kindOf = (payment: typeof paid) => toPressOutcome(checkedLink, attempt, payment).kind
  assert.equal(kindOf(processing), 'processing')
  assert.equal(kindOf(atBank), 'at_bank')
  assert.equal(kindOf({ ...atBank, needsReview: true }), 'in_review')
  assert.equal(kindOf(paid), 'paid')
  assert.equal(
    kindOf({ ...paid, needsReview: true }),
    'paid',
    'a second charge is in review, but the payment is paid',
  )
  assert.equal(kindOf(resolvedPaid), 'paid')
  assert.equal(kindOf(failed), 'declined')
  assert.equal(kindOf({ ...failed, state: 'expired' }), 'declined')
  assert.equal(kindOf(resolvedUnpaid), 'declined')
  assert.equal(kindOf(inReview), 'in_review')
})

test('a payment at the bank is not continued while another payment of its order is in review', () => {
  const linkWithOtherInReview = toCheckedLink({}, { inReviewElsewhere: inReview })
  assert.equal(toPressOutcome(linkWithOtherInReview, attempt, atBank).kind, 'in_review')
  assert.equal(toPressOutcome(linkWithOtherInReview, attempt, paid).kind, 'paid')
  assert.equal(toNotReplacedOutcome(linkWithOtherInReview, attempt, atBank, true).kind, 'in_review')
})

test('after a decline the next attempt of the same checkout is offered', () => {
  const outcome = toPressOutcome(checkedLink, attempt, failed)
  assert.ok(outcome.kind === 'declined')
  assert.deepEqual(outcome.attempt, { id: secondId, checkoutId: FIRST_ATTEMPT })
})

test('if a payer starts over and the first payment was not cancelled, the outcome is about the first payment', () => {
  const kindOf = (link: typeof checkedLink, payment: typeof paid, isOwn: boolean) =>
    toNotReplacedOutcome(link, attempt, payment, isOwn).kind
  assert.equal(kindOf(checkedLink, atBank, true), 'bank_step_kept')
  assert.equal(kindOf(checkedLink, paid, true), 'paid')
  assert.equal(kindOf(checkedLink, paid, false), 'already_paid')
  assert.equal(kindOf(checkedLink, { ...paid, amount: 1600n }, false), 'conflict')
  assert.equal(kindOf(checkedLink, processing, false), 'in_flight')
  const reviewed = { ...atBank, needsReview: true }
  assert.equal(kindOf(checkedLink, reviewed, true), 'in_review')
  assert.equal(kindOf(signed, reviewed, false), 'order_in_review')
  assert.equal(
    kindOf(checkedLink, reviewed, false),
    'in_flight',
    'an unsigned link does not reveal the review',
  )
})

test('the decisive attempt is the latest if it is paid, else one in review, else a paid one, else an open one, else the latest', () => {
  const second = { attemptId: secondId, id: '01890000-0000-7000-8000-000000000002' }
  const laterFailed = { ...failed, ...second }
  assert.equal(findDecisiveAttempt([]), null)
  assert.equal(findDecisiveAttempt([laterFailed, inReview]), inReview)
  assert.equal(findDecisiveAttempt([laterFailed, failed]), laterFailed)
  assert.equal(findDecisiveAttempt([laterFailed, resolvedPaid]), resolvedPaid)
  assert.equal(findDecisiveAttempt([laterFailed, atBank]), atBank)
  assert.equal(findDecisiveAttempt([{ ...atBank, ...second }, resolvedPaid]), resolvedPaid)
  assert.equal(findDecisiveAttempt([{ ...atBank, ...second }, inReview]), inReview)
  const paidLater = { ...paid, ...second }
  assert.equal(findDecisiveAttempt([paidLater, inReview]), paidLater)
  const otherCheckout = { ...inReview, checkoutId: randomUUID() }
  assert.equal(findDecisiveAttempt([laterFailed, otherCheckout]), laterFailed)
})

test('the next attempt belongs to the same checkout until that checkout is paid', () => {
  assert.deepEqual(toNextAttempt([failed], null), { id: secondId, checkoutId: FIRST_ATTEMPT })
  assert.deepEqual(toNextAttempt([paid], null), { id: secondId, checkoutId: secondId })
  const firstAttempt = toNextAttempt([], null)
  assert.equal(firstAttempt.id, firstAttempt.checkoutId)
})

test('if an attempt replaces a payment or repeats an earlier press, an earlier charge is possible', () => {
  const memory = {
    attemptId: FIRST_ATTEMPT,
    checkoutId: FIRST_ATTEMPT,
    isPressed: true,
    link: checkedLink.link,
  }
  assert.equal(mayHavePaid({ id: FIRST_ATTEMPT, replaces: null }, null), false)
  assert.equal(mayHavePaid({ id: FIRST_ATTEMPT, replaces: null }, memory), true)
  assert.equal(mayHavePaid({ id: secondId, replaces: null }, memory), false, 'this attempt follows a decline')
  assert.equal(mayHavePaid({ id: secondId, replaces: atBank.id }, memory), true)
  assert.equal(mayHavePaid({ id: FIRST_ATTEMPT, replaces: null }, { ...memory, isPressed: false }), false)
})

test('an error page has the heading that fits what is known about a charge', () => {
  const { checkout: words } = catalogue('en')
  const lost = new ServiceError('unavailable')
  const headingOf = (at: 'link' | 'press' | 'state', error = lost, hasPressed = false) =>
    chooseNotice(words, { error, at, hasPressed }).heading
  assert.equal(headingOf('link'), words.notices.busy.heading)
  assert.equal(headingOf('link', lost, true), words.notices.stateUnavailable.heading)
  assert.equal(headingOf('state'), words.notices.stateUnavailable.heading)
  assert.equal(headingOf('press'), words.notices.pressRefused.heading)
  assert.equal(headingOf('press', new OutcomeUnknownError(lost)), words.outcomeUnknown.heading)
  assert.equal(headingOf('press', new ServiceError('internal_error')), words.outcomeUnknown.heading)
})

const { deps } = await startPayments()
const shop = await addPayProject(deps)

const toQuery = (link: string) => parseQuery(link.slice(link.indexOf('?') + 1))

async function press(payer: Payer, link: string): Promise<string> {
  const query = toQuery(link)
  const opened = await showLink(deps, payer, query)
  assert.ok(opened.kind === 'ready', opened.kind)
  const { id, checkoutId } = opened.attempt
  const sealed = { id, checkoutId, link: parsePayLink(query), replaces: null, shown: toCurrentCurrency(deps) }
  const token = sealAttempt(deps.attemptTokens, sealed, deps.clock.nowMs())
  return (await confirmLink(deps, payer, { token, query })).kind
}

for (const [amount, pressed, reopened] of [
  ['1500', 'paid', 'payment_state'],
  ['4004', 'at_bank', 'payment_state'],
  ['4000', 'declined', 'ready'],
] as const) {
  test(`the outcome for a link with the amount ${amount} is "ready" at first, "${pressed}" after Pay, and "${reopened}" when opened again`, async () => {
    const payer = createTestPayer()
    const link = toLink(shop, { amount, data: randomUUID() })
    assert.equal(await press(payer, link), pressed)
    assert.equal((await showLink(deps, payer, toQuery(link))).kind, reopened)
  })
}

test('another browser that presses Pay sees that the order is paid or in progress', async () => {
  for (const [amount, pressed] of [
    ['1500', 'already_paid'],
    ['4004', 'in_flight'],
  ] as const) {
    const link = toLink(shop, { amount, customId: `order-${randomUUID()}` })
    await press(createTestPayer(), link)
    assert.equal(await press(createTestPayer(), link), pressed)
  }
})

test('for an unreadable token, a browser is offered the link again and a JSON client gets an error', async () => {
  const query = toQuery(toLink(shop))
  const outcome = await confirmLink(deps, createTestPayer(), { token: 'AAAA', query })
  assert.ok(outcome.kind === 'form_refused')
  assert.equal(outcome.reason, 'formInvalid')
  const asJsonClient = confirmLink(deps, createTestPayer(true), { token: 'AAAA', query })
  await assert.rejects(asJsonClient, { code: 'invalid_request' })
})

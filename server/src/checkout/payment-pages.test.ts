// Rules of the payer's pages that need neither a database nor HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_CONTEXT, toCheckedLink, toShownPayment } from '../../test/pay-outcomes.ts'
import { toReference } from '../payments/payment.ts'
import { nextAttemptId } from './attempt-token.ts'
import { findReviewElsewhere } from './check-link.ts'
import type { MoneyBack } from './money-back.ts'
import { toNextSteps } from './pay-forms.ts'
import { paymentPage } from './payment-page.ts'
import { toGiveUpFacts } from './return-link.ts'
import { toReturnUrl } from './return-url.ts'
import { toModeBar } from './send-page.ts'
import type { OtherPayment, ShownPayment } from './shown-payment.ts'

const { target, link } = toCheckedLink()
const payment = toShownPayment()
const OTHER_ID = '01890000-0000-7000-8000-0000000000aa'

function textOf(
  fields: Partial<ShownPayment>,
  other: OtherPayment | null = null,
  own = false,
  moneyBack: MoneyBack | null = null,
): string {
  const shown = toShownPayment(fields)
  return paymentPage(PAGE_CONTEXT, {
    kind: 'payment_state',
    payment: shown,
    merchant: target,
    link: own ? link : null,
    other,
    isReturn: false,
    moneyBack,
  }).body.text
}

const otherOf = (standing: OtherPayment['standing'], attemptId: string): OtherPayment => ({
  standing,
  id: OTHER_ID,
  attemptId,
})

test('an amount has the currency and decimals of its payment; for a payment without a scale, scaleOfOldPayments is used', () => {
  assert.match(textOf({ state: 'succeeded', currency: 'JPY', scale: 0 }), /¥1,500(?!\.)/)
  assert.match(textOf({ state: 'succeeded', scale: null }), /€15\.00/)
  const withoutScale = paymentPage(
    { ...PAGE_CONTEXT, scale: 3, scaleOfOldPayments: 0 },
    {
      kind: 'payment_state',
      payment: toShownPayment({ state: 'succeeded', scale: null }),
      merchant: target,
      link: null,
      other: null,
      isReturn: false,
      moneyBack: null,
    },
  )
  assert.match(withoutScale.body.text, /€1,500(?!\.)/)
})

test('the receipt shows when the payment was charged or, if it was only resolved as paid, when it was resolved', () => {
  const completedAt = new Date('2026-11-15T03:00:00Z')
  const resolvedAt = new Date('2026-11-16T05:30:00Z')
  assert.match(textOf({ state: 'succeeded', completedAt }), /04:00 CET/)
  const resolved = textOf({ state: 'failed', resolution: 'paid', completedAt, resolvedAt })
  assert.match(resolved, /06:30 CET/)
  assert.doesNotMatch(resolved, /04:00/)
  const charged = textOf({ state: 'succeeded', resolution: 'paid', completedAt, resolvedAt })
  assert.match(charged, /04:00 CET/)
  assert.doesNotMatch(charged, /06:30/)
})

test('while another payment of the order is open, the page of a declined payment has no form and a different text about money', () => {
  const failed = { state: 'failed', failureCode: 'declined' } as const
  const { words } = PAGE_CONTEXT
  const withoutOther = textOf(failed, null, true)
  assert.match(withoutOther, /<form /)
  assert.ok(withoutOther.includes(words.declined.money))
  const withOpenPayment = textOf(failed, otherOf('open', nextAttemptId(payment.attemptId)), true)
  assert.doesNotMatch(withOpenPayment, /<form /)
  assert.ok(!withOpenPayment.includes(words.declined.money))
  assert.ok(withOpenPayment.includes(words.otherAttempt.money))
})

test('the receipt of a refunded payment says how long the money takes, or would take if the payment were real', () => {
  const moneyBack = { refunded: 500n, refundedAt: null, refunding: 0n, byBank: 0n, byBankAt: null }
  const { wait, simulated } = PAGE_CONTEXT.words.refunded
  for (const [mode, backend, sentence] of [
    ['live', 'http', wait],
    ['live', 'sandbox', simulated],
    ['test', 'http', simulated],
  ] as const) {
    const text = textOf({ state: 'succeeded', mode, backend }, null, false, moneyBack)
    const shown = [wait, simulated].filter((one) => text.includes(one))
    assert.deepEqual(shown, [sentence], `${mode} ${backend}`)
  }
})

test('the page of a payment resolved as unpaid does not say that the attempt was not charged', () => {
  const { words } = PAGE_CONTEXT
  const resolved = { state: 'failed', resolution: 'unpaid' } as const
  for (const other of [null, otherOf('open', payment.attemptId)]) {
    const text = textOf(resolved, other, true)
    assert.ok(text.includes(words.resolvedUnpaid.simulated))
    for (const money of [words.declined.money, words.otherAttempt.money]) assert.ok(!text.includes(money))
  }
})

test('after a payment resolved as unpaid, the filled button leads to the merchant', () => {
  const buttonsOf = (fields: Partial<ShownPayment>) =>
    [...textOf(fields, null, true).matchAll(/<(a|button)[^>]* class="((?:button|plain)[^"]*)"/g)].map(
      ([, tag, style]) => `${tag} ${style}`,
    )
  assert.deepEqual(buttonsOf({ state: 'failed', resolution: 'unpaid' }), ['a button', 'button button second'])
  assert.deepEqual(buttonsOf({ state: 'failed' }), ['button button', 'a plain'])
})

test('while another payment is in review, its reference is shown only to the browser that made that payment', () => {
  const atBank = { state: 'requires_action', actionUrl: 'https://bank.example.com' } as const
  const ofSameBrowser = textOf(atBank, otherOf('in_review', nextAttemptId(payment.attemptId)))
  assert.ok(ofSameBrowser.includes(toReference(OTHER_ID)))
  const ofOtherBrowser = textOf(atBank, otherOf('in_review', '00000000-0000-4000-8000-0000000000ff'))
  assert.ok(!ofOtherBrowser.includes(toReference(OTHER_ID)))
  assert.ok(ofOtherBrowser.includes(toReference(payment.id)))
})

test('a new attempt is offered for a payment that is at the bank, failed, or paid without a customId, but not in review', () => {
  const waysOf = (fields: Partial<ShownPayment>) => {
    const { form, payAgain } = toNextSteps(PAGE_CONTEXT, toShownPayment(fields), link)
    return [form?.token ?? null, payAgain !== null]
  }
  const next = nextAttemptId(payment.attemptId)
  assert.deepEqual(waysOf({ state: 'requires_action' }), [`${next}/${payment.id}`, false])
  assert.deepEqual(waysOf({ state: 'failed' }), [`${next}/null`, false])
  assert.deepEqual(waysOf({ state: 'processing' }), [null, false])
  assert.deepEqual(waysOf({ state: 'succeeded' }), [null, true])
  assert.deepEqual(waysOf({ state: 'succeeded', customId: 'order-1' }), [null, false])
  for (const state of ['requires_action', 'failed'] as const)
    assert.deepEqual(waysOf({ state, needsReview: true }), [null, false])
})

test('a payment that succeeded does not count as in review, even if `needs_review` is set', () => {
  const reviewed = toShownPayment({ state: 'failed', needsReview: true })
  const find = (inReviewElsewhere: ShownPayment | null) =>
    findReviewElsewhere(toCheckedLink({}, { inReviewElsewhere }).target)
  assert.equal(find(null), null)
  assert.equal(find(reviewed)?.id, reviewed.id)
  assert.equal(find({ ...reviewed, state: 'succeeded' }), null)
})

test('a payer who gives up returns with status=fail if the attempt failed and is not in review, else with status=cancel', () => {
  const url = (last: ShownPayment | null) =>
    new URL(toReturnUrl(target.resultUrl, toGiveUpFacts(link, last))).search
  assert.equal(url(null), '?status=cancel')
  assert.equal(url(payment), '?status=cancel')
  assert.equal(url(toShownPayment({ state: 'failed' })), `?status=fail&transactionId=${payment.id}`)
  assert.equal(url(toShownPayment({ state: 'failed', needsReview: true })), '?status=cancel')
})

test('in test mode, in the sandbox and with a test key of Stripe, the page says that no money moves', () => {
  const stripe = (livemode: boolean) => ({ backend: 'stripe', stripe: { livemode } }) as never
  assert.equal(toModeBar(stripe(true), 'live'), null)
  assert.equal(toModeBar(stripe(false), 'live'), 'sandbox')
  assert.equal(toModeBar(stripe(false), null), 'sandbox')
  assert.equal(toModeBar(stripe(true), 'test'), 'test')
  assert.equal(toModeBar({ backend: 'sandbox', stripe: null } as never, 'live'), 'sandbox')
  assert.equal(toModeBar({ backend: 'sandbox', stripe: null } as never, null), 'sandbox')
  assert.equal(toModeBar({ backend: 'http', stripe: null } as never, 'live'), null)
  // The bar of an earlier payment depends on the upstream that the payment was made with.
  assert.equal(toModeBar({ backend: 'http', stripe: null } as never, 'live', 'sandbox'), 'sandbox')
  assert.equal(toModeBar({ backend: 'sandbox', stripe: null } as never, 'live', 'http'), null)
})

test('the receipt, the waiting page and the failed page say what the payment is for, if the link was signed', () => {
  const order = { data: 'Kafa i kolač', customId: 'order-7' }
  for (const state of ['succeeded', 'processing', 'requires_action', 'failed', 'expired'] as const) {
    const signed = textOf({ ...order, state, isLinkSigned: true })
    assert.match(signed, /<dt>Description<\/dt><dd><bdi>Kafa i kolač</, state)
    assert.match(signed, /<dt>Order ID<\/dt><dd><bdi>order-7</, state)
    assert.doesNotMatch(textOf({ ...order, state }), /Kafa i kolač|<bdi>order-7/, state)
  }
})

test('the failure code decides whether and where the button "Try again" is shown', () => {
  assert.match(textOf({ state: 'failed', failureCode: 'declined' }, null, true), />Try again: pay €15\.00</)
  const refused = textOf({ state: 'failed', failureCode: 'kyc_required' }, null, true)
  assert.match(refused, /Contact your bank.*Return to the merchant.*<form.*>Try again: pay €15\.00</s)
  assert.doesNotMatch(textOf({ state: 'failed', failureCode: 'amount_too_small' }, null, true), /<form/)
})

test('the page of a payment that was not charged does not say "cancelled"', () => {
  const text = textOf({ state: 'failed', failureCode: 'not_charged' }, null, true)
  assert.match(text, /The payment was not made\./)
  assert.doesNotMatch(text, /cancelled/i)
})

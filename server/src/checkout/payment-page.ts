// The page of one payment: in progress, waiting at the bank, in review, paid, or not paid. Forms are offered only to
// the browser that made the payment.
import type { Notice } from '@pazar/words'
import { html } from '../lib/html.ts'
import type { Html } from '../lib/html.ts'
import { isInReview, isPaid } from '../payments/payment.ts'
import { isLaterAttempt } from './attempt-token.ts'
import { noticePage } from './notice-page.ts'
import type { CheckoutWords, Page, PageContext } from './page-parts.ts'
import {
  withCurrencyOf,
  toButton,
  toBigIcon,
  toPayForm,
  toRows,
  toScriptNotes,
  toParagraphs,
} from './page-parts.ts'
import { toNextSteps } from './pay-forms.ts'
import type { RequestedReceipt } from './pay-outcome.ts'
import type { PaymentFacts, StateOutcome } from './payment-facts.ts'
import { isSimulated, toFactRows, toPaymentReturnLink } from './payment-facts.ts'
import { receiptPage } from './receipt-page.ts'
import { toReturnLink } from './return-link.ts'
import type { OtherPayment, ShownPayment } from './shown-payment.ts'
import { mustNotContinueAtBank } from './shown-payment.ts'

/** If a payment is older than this, its waiting page does not reload by itself. */
const AUTO_RELOAD_MAX_MS = 2 * 60_000
/** Long enough to press one of the buttons before the page reloads. */
const RETURN_REFRESH_SEC = 5

/** A failure code of an upstream can be any text. For an unknown code, the page shows the generic sentence. */
export function toReason({ declined }: CheckoutWords, failureCode: string | null): string {
  const reasons: Readonly<Record<string, string>> = declined.reasons
  const isKnown = failureCode !== null && Object.hasOwn(reasons, failureCode)
  return (isKnown && reasons[failureCode]) || declined.reasons.generic
}

function isAboutAmount(failureCode: string | null): boolean {
  return failureCode === 'amount_too_small' || failureCode === 'amount_too_large'
}

/** What the payer can do instead of trying again, if the same payment would be refused again. Null: trying again may succeed. */
function findAdvice({ declined }: CheckoutWords, failureCode: string | null): string | null {
  if (failureCode === 'kyc_required') return declined.identity
  return isAboutAmount(failureCode) ? declined.contact : null
}

/** After these failures the bank certainly took no money. */
const REPORTED_FAILURES = new Set(['declined', 'insufficient_funds', 'cancelled', 'not_charged'])

/** What the payer should know before they try again. Null: the buttons say enough. */
function findRetryAdvice({ declined }: CheckoutWords, failureCode: string | null): string | null {
  if (failureCode === 'insufficient_funds') return declined.funds
  if (failureCode === 'declined') return declined.ask
  return failureCode !== null && REPORTED_FAILURES.has(failureCode) ? null : declined.unsure
}

/** Whether another attempt may succeed immediately. */
export function canTryAgain(words: CheckoutWords, failureCode: string | null): boolean {
  return findAdvice(words, failureCode) === null
}

/** Whether a later attempt may succeed. An amount that is too small or too large is refused again. */
export function canTryLater(failureCode: string | null): boolean {
  return !isAboutAmount(failureCode)
}

export function declinedNotice(words: CheckoutWords, failureCode: string | null): Notice {
  const { heading, money, next, nextHere } = words.declined
  const advice = findAdvice(words, failureCode) ?? findRetryAdvice(words, failureCode)
  const whatToDo = advice === null ? { next, nextHere } : { next: advice }
  return { heading, detail: toReason(words, failureCode), money, ...whatToDo }
}

export function unpaidNotice(
  words: CheckoutWords,
  payment: Pick<ShownPayment, 'resolution' | 'failureCode'>,
  isSimulated: boolean,
): Notice {
  if (payment.resolution === null) return declinedNotice(words, payment.failureCode)
  const { resolvedUnpaid } = words
  return isSimulated ? { ...resolvedUnpaid, money: resolvedUnpaid.simulated } : resolvedUnpaid
}

/** Attributes for the script, which polls `url` and opens `next` when the state has changed. */
function toPollAttributes({ payment, stateUrl }: PaymentFacts): Html {
  return html` data-url="/pay/${payment.id}" data-state="${payment.state}" data-next="${stateUrl}"`
}

function toRefreshSec(ageMs: number): number {
  return ageMs < 10_000 ? 2 : ageMs < 20_000 ? 3 : ageMs < 40_000 ? 5 : 8
}

function toWaiting(words: CheckoutWords, facts: PaymentFacts, isSlow: boolean): Html {
  const { money, simulated, next, slow } = words.pending
  return html`<p><strong>${isSimulated(facts.payment) ? simulated : money}</strong></p>
${isSlow ? html`<p>${slow}</p>` : html`<p id="waiting" role="status"${toPollAttributes(facts)}>${next}</p>`}`
}

/** The button "Check again". While the page reloads by itself, the button is hidden. It appears if the payment takes long. */
function toCheckAgain(words: CheckoutWords, { stateUrl }: PaymentFacts, isSlow: boolean): Html {
  const button = toButton({ href: stateUrl, label: words.actions.checkAgain })
  if (isSlow) return button
  return html`<div id="slow" hidden><p>${words.pending.slow}</p><div class="stack">${button}</div></div>`
}

function pendingPage(context: PageContext, facts: PaymentFacts): Page {
  const { words } = context
  const ageMs = context.nowMs - facts.payment.createdAt.getTime()
  const isSlow = ageMs > AUTO_RELOAD_MAX_MS
  const returnLink = toPaymentReturnLink(context, facts, 'pending')
  const body = html`${toBigIcon('info', 'info', !isSlow)}<h1>${words.pending.heading}</h1>
${toWaiting(words, facts, isSlow)}
${toRows(toFactRows(context, facts))}
<div class="stack">${toCheckAgain(words, facts, isSlow)}${returnLink && toButton(returnLink, 'plain')}</div>`
  if (isSlow) return { title: words.pending.heading, body }
  const refresh = { afterSec: toRefreshSec(ageMs), url: facts.stateUrl }
  return { title: words.pending.heading, body, refresh, usesScript: true }
}

/** A payer who returns from the bank may have paid already. Only the browser that made the payment can start over. */
function toBankStepText({ bankStepOpen }: CheckoutWords, { own, isReturn }: PaymentFacts): Html {
  const { returned } = bankStepOpen
  if (own?.form) return toParagraphs(isReturn ? returned : bankStepOpen)
  if (isReturn) return toParagraphs({ money: returned.money, next: returned.onlyContinue })
  return html`<p><strong>${bankStepOpen.onlyContinue}</strong></p>`
}

function bankStepPage(context: PageContext, facts: PaymentFacts): Page {
  const { words } = context
  const { payment, own, isReturn } = facts
  const { heading } = isReturn ? words.bankStepOpen.returned : words.bankStepOpen
  const returnLink = toPaymentReturnLink(context, facts, 'pending')
  const toBank = payment.actionUrl && { href: payment.actionUrl, label: words.actions.continueAtBank }
  return {
    title: heading,
    usesScript: true,
    // A payer who returns from the bank has usually finished there, so the result arrives in a moment.
    ...(isReturn ? { refresh: { afterSec: RETURN_REFRESH_SEC, url: facts.stateUrl } } : {}),
    body: html`${toBigIcon('info')}<h1${toPollAttributes(facts)}>${heading}</h1>
${toBankStepText(words, facts)}
${toRows(toFactRows(context, facts))}
<div class="stack">${toBank && toButton(toBank)}
${own?.form ? html`${toPayForm(words, own.form, 'second')}${toScriptNotes(words)}` : null}
${returnLink && toButton(returnLink, 'plain')}</div>`,
  }
}

export function toReviewNotice({ inReview }: CheckoutWords, isSimulated: boolean): Notice {
  return isSimulated ? { ...inReview, next: inReview.simulated } : inReview
}

/**
 * For a payment in review, and for a payment at the bank while another payment of its order is in review. It is not certain
 * which money moved, so the page promises nothing and has no form.
 */
function reviewPage(context: PageContext, facts: PaymentFacts): Page {
  const { words } = context
  const links = [{ href: facts.stateUrl, label: words.actions.checkAgain }]
  const returnLink = toPaymentReturnLink(context, facts, 'pending')
  const rows = toFactRows(context, facts, toReviewedId(facts))
  return noticePage(context, toReviewNotice(words, isSimulated(facts.payment)), {
    tone: 'warn',
    rows,
    links,
    returnLink,
  })
}

/** The id of the payment that the payer names to the merchant. It is the id of `other` only if this browser made `other`. */
function toReviewedId({ payment, other }: PaymentFacts): string {
  if (isInReview(payment) || !other) return payment.id
  const [a, b] = [payment.attemptId, other.attemptId]
  return isLaterAttempt(a, b) || isLaterAttempt(b, a) ? other.id : payment.id
}

/**
 * For a payment at the bank while another payment of the order was charged, or may have been. There is no link to the bank.
 */
function heldAtBankPage(context: PageContext, facts: PaymentFacts, other: OtherPayment): Page {
  if (other.standing === 'in_review') return reviewPage(context, facts)
  const { words } = context
  const { customId, mode } = facts.payment
  const returnLink = toReturnLink(context, facts.merchant, { status: 'success', customId, mode })
  return noticePage(context, words.notices.alreadyPaid, { tone: 'ok', returnLink })
}

function unpaidPage(context: PageContext, facts: PaymentFacts): Page {
  const { words } = context
  const { payment, own, other } = facts
  const unpaid = unpaidNotice(words, payment, isSimulated(payment))
  const { money, next, nextHere } = words.otherAttempt
  // `money` says that this attempt was not charged. After an operator's decision that is not certain, so `unpaid.money` stays.
  const unpaidWithOther = { ...unpaid, ...(payment.resolution === null ? { money } : {}), next, nextHere }
  return noticePage(context, other ? unpaidWithOther : unpaid, {
    tone: 'error',
    rows: toFactRows(context, facts),
    returnLink: toPaymentReturnLink(context, facts, 'fail'),
    ...(own?.form && !other && canTryLater(payment.failureCode) ? { form: own.form } : {}),
    isFormSecond: payment.resolution !== null || !canTryAgain(words, payment.failureCode),
  })
}

export function paymentPage(
  currentContext: PageContext,
  outcome: Omit<StateOutcome, 'kind'> & { kind?: string },
  requested: RequestedReceipt | null = null,
): Page {
  const { payment, link } = outcome
  const context = withCurrencyOf(currentContext, payment)
  const lang = currentContext.chosenLocale
  const facts = {
    ...outcome,
    stateUrl: `/pay/${payment.id}?return=1${lang ? `&lang=${lang}` : ''}`,
    own: link && toNextSteps(currentContext, payment, link),
  }
  if (isPaid(payment)) return receiptPage(context, facts, requested)
  if (isInReview(payment)) return reviewPage(context, facts)
  if (mustNotContinueAtBank(payment, outcome.other)) return heldAtBankPage(context, facts, outcome.other)
  switch (payment.state) {
    case 'requires_action':
      // Without a URL the payer has nothing left to do at the bank.
      return payment.actionUrl === null ? pendingPage(context, facts) : bankStepPage(context, facts)
    case 'processing':
      return pendingPage(context, facts)
    case 'succeeded':
    case 'failed':
    case 'expired':
      return unpaidPage(context, facts)
  }
}

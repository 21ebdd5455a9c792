// A payment as its payer sees it: under way, waiting at the bank, paid, or not. What this browser may still do with it
// is offered only to the browser that made it.
import type { Notice } from '@pazar/words'
import { formatExactDateTime } from '@pazar/words'
import { html } from '../lib/html.ts'
import type { Html } from '../lib/html.ts'
import { isInReview, isPaid, toReference } from '../payments/payment.ts'
import type { NoticeFacts } from './notice-page.ts'
import { noticePage } from './notice-page.ts'
import type { Page, PageContext, PayForm, Way } from './page-parts.ts'
import {
  toButton,
  toMark,
  toMoney,
  toPayForm,
  toReferenceRow,
  toRows,
  toScriptNotes,
  toSentences,
} from './page-parts.ts'
import type { ReturnFacts } from './return-url.ts'
import { toReturnUrl } from './return-url.ts'
import type { Shop, ShownPayment } from './shown-payment.ts'
import type { CheckoutWords } from './visit.ts'

/** A receipt has to name a clock; the service's payers live by this one. */
const RECEIPT_TIME_ZONE = 'Europe/Podgorica'
/** After this a payer stops believing that the page moves by itself, and may rather close it. */
const WATCH_MAX_MS = 2 * 60_000
/** Long enough to press one of the buttons before the page is loaded anew. */
const RETURN_REFRESH_SEC = 5

export interface PaymentFacts {
  payment: ShownPayment
  shop: Shop
  nowMs: number
  /** The page of this payment, in the language of the present one. */
  stateUrl: string
  /** The payer comes from the bank's page. */
  isReturn: boolean
  /** This browser's own ways on; null for whoever else has the address. */
  own: OwnWays | null
  /** Another payment of the same order is open, in review or paid: what this one says is said of itself alone. */
  isOrderHeld: boolean
}

export interface OwnWays {
  /** Another try after a failure, or a new start while the bank's page is open. */
  form: PayForm | null
  payOnceMore: Way | null
}

export function declinedNotice(words: CheckoutWords, failureCode: string | null): Notice {
  const reasons: Readonly<Record<string, string>> = words.declined.reasons
  // The code comes from the upstream, whatever it says.
  const isKnown = failureCode !== null && Object.hasOwn(reasons, failureCode)
  return {
    heading: words.declined.heading,
    detail: (isKnown && reasons[failureCode]) || words.declined.reasons.generic,
    money: words.declined.money,
    next: words.declined.next,
  }
}

/** Why it does not count as paid, and whether money was taken. */
export function unpaidNotice(
  words: CheckoutWords,
  payment: Pick<ShownPayment, 'resolution' | 'failureCode'>,
): Notice {
  return payment.resolution === null ? declinedNotice(words, payment.failureCode) : words.resolvedUnpaid
}

function toFactRows(context: PageContext, facts: PaymentFacts): NonNullable<NoticeFacts['rows']> {
  const { words } = context
  const { payment, shop } = facts
  const paidAt = isPaid(payment) ? (payment.resolvedAt ?? payment.completedAt) : null
  return [
    [words.labels.merchant, shop.name],
    [words.labels.amount, toMoney(context, payment.amount)],
    [words.labels.paidAt, paidAt && formatExactDateTime(context.locale, paidAt, RECEIPT_TIME_ZONE)],
    toReferenceRow(words, toReference(payment.id)),
  ]
}

function toReturnWay(words: CheckoutWords, facts: PaymentFacts, status: ReturnFacts['status']): Way {
  const { payment, shop } = facts
  const order = { transactionId: payment.id, customId: payment.customId, mode: payment.mode }
  return {
    href: toReturnUrl(shop.resultUrl, { status, ...order }),
    label: words.actions.returnToMerchant,
  }
}

function receiptPage(context: PageContext, facts: PaymentFacts): Page {
  const { words } = context
  const again = facts.own?.payOnceMore
  return {
    title: words.success.heading,
    usesScript: true,
    body: html`${toMark('ok')}<h1>${words.success.heading}</h1>
<p>${facts.payment.resolution === null ? words.success.order : words.success.resolved}</p>
${toRows(toFactRows(context, facts))}
<div class="stack">${toButton(toReturnWay(words, facts, 'success'))}
<button class="plain" id="print" type="button" hidden>${words.actions.print}</button></div>
${again ? html`<p class="muted small">${words.success.onceMore} <a href="${again.href}">${again.label}</a></p>` : null}`,
  }
}

/** For the script: ask there, and when the state is no longer this one, go on. */
function toWatch({ payment, stateUrl }: PaymentFacts): Html {
  return html` data-url="/pay/${payment.id}" data-state="${payment.state}" data-next="${stateUrl}"`
}

/** How long until a page without script looks again: as patiently as the one with script does. */
function toRefreshSec(ageMs: number): number {
  return ageMs < 10_000 ? 2 : ageMs < 20_000 ? 3 : ageMs < 40_000 ? 5 : 8
}

function toWaiting(words: CheckoutWords, facts: PaymentFacts, isSlow: boolean): Html {
  const slow = html`<div id="slow"${isSlow ? null : html` hidden`}><p>${words.pending.slow}</p><div class="stack">${toButton({ href: facts.stateUrl, label: words.actions.checkAgain })}</div></div>`
  return html`<p><strong>${words.pending.money}</strong></p>
${isSlow ? null : html`<p id="waiting" role="status"${toWatch(facts)}>${words.pending.next}</p>`}
${slow}`
}

function pendingPage(context: PageContext, facts: PaymentFacts): Page {
  const { words } = context
  const ageMs = facts.nowMs - facts.payment.createdAt.getTime()
  const isSlow = ageMs > WATCH_MAX_MS
  const body = html`${toMark('info')}<h1>${words.pending.heading}</h1>
${toWaiting(words, facts, isSlow)}
${toRows(toFactRows(context, facts))}
<div class="stack">${toButton(toReturnWay(words, facts, 'pending'), 'plain')}</div>`
  if (isSlow) return { title: words.pending.heading, body }
  const refresh = { afterSec: toRefreshSec(ageMs), url: facts.stateUrl }
  return { title: words.pending.heading, body, refresh, usesScript: true }
}

function bankStepPage(context: PageContext, facts: PaymentFacts): Page {
  const { words } = context
  const { payment, own, isReturn } = facts
  const heading = words.bankStepOpen.heading
  const toBank = payment.actionUrl && { href: payment.actionUrl, label: words.actions.continueAtBank }
  return {
    title: heading,
    usesScript: true,
    // Whoever comes back from the bank has acted there; its answer is a moment behind.
    ...(isReturn ? { refresh: { afterSec: RETURN_REFRESH_SEC, url: facts.stateUrl } } : {}),
    body: html`${toMark('info')}<h1${toWatch(facts)}>${heading}</h1>
<p>${toSentences(words.bankStepOpen)}</p>
${toRows(toFactRows(context, facts))}
<div class="stack">${toBank && toButton(toBank)}
${own?.form ? html`${toPayForm(words, own.form, 'second')}${toScriptNotes(words)}` : null}
${toButton(toReturnWay(words, facts, 'pending'), 'plain')}</div>`,
  }
}

/** Money may have moved in a way that does not fit the payment. Nothing is promised, and nothing is left to press. */
function reviewPage(context: PageContext, facts: PaymentFacts): Page {
  const { words } = context
  const ways = [
    { href: facts.stateUrl, label: words.actions.checkAgain },
    toReturnWay(words, facts, 'pending'),
  ]
  return noticePage(context, words.inReview, { tone: 'warn', rows: toFactRows(context, facts), ways })
}

function unpaidPage(context: PageContext, facts: PaymentFacts): Page {
  const { words } = context
  const { payment, own, isOrderHeld } = facts
  const unpaid = unpaidNotice(words, payment)
  const { money, next } = words.otherAttempt
  // Of a resolved one it is not known that no money was taken.
  const held = { ...unpaid, ...(payment.resolution === null ? { money } : {}), next }
  return noticePage(context, isOrderHeld ? held : unpaid, {
    tone: 'error',
    rows: toFactRows(context, facts),
    ways: [toReturnWay(words, facts, 'fail')],
    ...(own?.form && !isOrderHeld ? { form: own.form } : {}),
  })
}

export function paymentPage(context: PageContext, facts: PaymentFacts): Page {
  const { payment } = facts
  if (isPaid(payment)) return receiptPage(context, facts)
  if (isInReview(payment)) return reviewPage(context, facts)
  switch (payment.state) {
    case 'requires_action':
      // Without an address there is nothing left for the payer to do at the bank.
      return payment.actionUrl === null ? pendingPage(context, facts) : bankStepPage(context, facts)
    case 'processing':
      return pendingPage(context, facts)
    case 'succeeded':
    case 'failed':
    case 'expired':
      return unpaidPage(context, facts)
  }
}

// The page of one order. Shows the callback and the payer's return separately, because only the callback counts.
import { formatExactDateTime, formatNumber } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { listRefunds, sumRefunds, toState } from './orders.ts'
import type { Order } from './orders.ts'
import type { Page } from './page-frame.ts'
import { buyForm, STATE_ICONS, TIME_ZONE, toGoodName, toPrice, toStateLabel } from './pages.ts'
import { words } from './words.ts'
import type { Words } from './words.ts'

// A callback usually arrives within a second.
const REFRESH_SEC = 1
const REFRESH_FOR_MS = 2 * 60_000

type Fact = readonly [label: string, value: string | Html]

export function orderPage(locale: Locale, order: Order, payUrl: string, nowMs: number): Page {
  const text = words[locale]
  const { order: label, good, amount, refunded, callback, timing, count, browser } = text.facts
  const state = toState(order)
  const bought: Fact[] = [
    [good, toGoodName(locale, order.good)],
    [amount, toPrice(locale, order.good)],
    ...toRefundFacts(locale, refunded, order),
    [label, html`<code>${order.id}</code>`],
  ]
  const known: Fact[] = [
    [callback, toCallbackFact(text, order)],
    ...toTimingFacts(locale, timing, order),
    [count, formatNumber(locale, order.callbacksReceived)],
    [browser, toBrowserFact(text, order)],
  ]
  const isWaiting = state === 'waiting'
  const isPaid = order.outcome?.successful === true
  const isFresh = nowMs - (order.returned?.atMs ?? order.createdAtMs) < REFRESH_FOR_MS
  return {
    title: `${toStateLabel(locale, order)}: ${order.id}`,
    refreshSec: isWaiting && isFresh ? REFRESH_SEC : undefined,
    body: html`<div class="state result ${state}">
        <span class="sign" aria-hidden="true">${STATE_ICONS[state]}</span>
        <div>
          <h1>${toStateLabel(locale, order)}</h1>
          <p>${text.states[state].meaning}</p>
        </div>
      </div>
      ${toFacts(bought)}
      <div class="actions">
        ${isPayable(order) ? html`<a class="button" href="${payUrl}">${toPayLabel(locale, order)}</a>` : null}
        ${isWaiting && !isFresh ? html`<a class="plain" href="">${text.checkAgain}</a>` : null}
        <a class="${isPaid ? 'button' : 'plain'}" href="/">${text.backToShop}</a>
        ${isPaid ? buyForm(order.good, text.buyAgain, { rank: 'button second' }) : null}
      </div>
      <h2 class="group">${text.known}</h2>
      ${toFacts(known)}`,
  }
}

function toFacts(facts: readonly Fact[]): Html {
  return html`<dl class="card">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

// False for a paid order. Also false if the payer returned with `success` or `pending` and the callback is still missing,
// because the payment may have succeeded. All payments of an order have the same customId, so that Pazar can refuse a double charge.
function isPayable(order: Order): boolean {
  if (order.outcome !== null) return !order.outcome.successful
  return order.returned?.status !== 'success' && order.returned?.status !== 'pending'
}

function toPayLabel(locale: Locale, order: Order): string {
  const { pay, payAgain } = words[locale]
  const price = toPrice(locale, order.good)
  return order.outcome === null ? pay(price) : payAgain(price)
}

function toCallbackFact(text: Words, { outcome }: Order): string | Html {
  if (outcome === null) return text.notReceived
  const { successful, failureCode, transactionId } = outcome
  const resultText = text.callbackSaid[successful ? 'success' : 'fail']
  const reason = failureCode === null ? undefined : text.reasons.get(failureCode)
  const toLine = (label: string, value: string) =>
    html`<br /><span class="muted">${label}:</span> <code>${value}</code>`
  return html`${reason === undefined ? resultText : `${resultText}: ${reason}`}${failureCode === null ? null : toLine(text.failureCode, failureCode)}${toLine(text.transaction, transactionId)}`
}

/** Empty if the payer has got no refund of the payment in `order.outcome`. */
function toRefundFacts(locale: Locale, label: string, order: Order): Fact[] {
  if (listRefunds(order).length === 0) return []
  const sum = toPrice(locale, { amount: String(sumRefunds(order)) })
  const parts = listRefunds(order).map((refund) => toPrice(locale, refund))
  return [[label, parts.length > 1 ? `${sum} (${parts.join(' + ')})` : sum]]
}

/** Empty until the first callback about the result of a payment. */
function toTimingFacts(locale: Locale, label: string, { outcome, returned }: Order): Fact[] {
  if (outcome === null) return []
  const { cameBefore, cameAfter } = words[locale]
  const time = formatExactDateTime(locale, new Date(outcome.atMs), TIME_ZONE)
  if (returned === null) return [[label, time]]
  const aheadMs = returned.atMs - outcome.atMs
  const distance = formatNumber(locale, Math.abs(aheadMs))
  const relation = aheadMs >= 0 ? cameBefore(distance) : cameAfter(distance)
  return [[label, html`${time}<br /><span class="muted">${relation}</span>`]]
}

function toBrowserFact(text: Words, { returned }: Order): string | Html {
  if (returned === null) return text.notReturned
  return html`${text.browserSaid[returned.status]}<br /><span class="muted">${text.browserNote}</span>`
}

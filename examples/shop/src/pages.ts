// The shop's pages: the goods, the list of orders, and "not found". The page of a single order is in order-page.ts.
import { formatDateTime, formatMoney } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { CURRENCY, CURRENCY_SCALE, goodsByEnding } from './goods.ts'
import type { Ending, Good } from './goods.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { toGoodIcon } from './icons.ts'
import { toState } from './orders.ts'
import type { Order } from './orders.ts'
import type { Page } from './page-frame.ts'
import { words } from './words.ts'

export const STATE_ICONS = {
  waiting: '◷',
  paid: '✓',
  partlyRefunded: '↩',
  refunded: '↩',
  failed: '✕',
} as const

/** The sample shop assumes that its payers live near Podgorica. */
export const TIME_ZONE = 'Europe/Podgorica'

/** A waiting order is shown as “not paid yet” until the payer returns, and after the payer has cancelled. */
export function toStateLabel(locale: Locale, order: Order): string {
  const { states, notPaidYet } = words[locale]
  const state = toState(order)
  const mayBePaid = order.returned !== null && order.returned.status !== 'cancel'
  return state === 'waiting' && !mayBePaid ? notPaidYet : states[state].label
}

const ENDING_ICONS: Readonly<Record<Ending, string>> = {
  paid: STATE_ICONS.paid,
  unpaid: STATE_ICONS.failed,
  later: STATE_ICONS.waiting,
}

function toGoodRow(locale: Locale, good: Good): Html {
  const { buy, goods: texts } = words[locale]
  const { happens } = texts[good.id]
  const name = toGoodName(locale, good)
  return html`<li class="row good">
    ${toGoodIcon(good.id)}
    <div>
      <h3>${name}</h3>
      <p class="muted">${happens}</p>
    </div>
    <div class="offer">
      <span class="price">${toPrice(locale, good)}</span>
      ${buyForm(good, buy, { label: `${buy}: ${name}`, rank: 'button second' })}
    </div>
  </li>`
}

export function goodsPage(locale: Locale): Page {
  const { nav, intro, endings } = words[locale]
  const groups = (['paid', 'unpaid', 'later'] as const).map(
    (ending) =>
      html`<h2 class="ending ends-${ending}"><span aria-hidden="true">${ENDING_ICONS[ending]}</span> ${endings[ending]}</h2>
        <ul class="card">
          ${goodsByEnding[ending].map((good) => toGoodRow(locale, good))}
        </ul>`,
  )
  return {
    title: nav.shop,
    current: 'shop',
    body: html`<h1>${nav.shop}</h1>
      <p>${intro}</p>
      ${groups}`,
  }
}

export function ordersPage(locale: Locale, orders: readonly Order[]): Page {
  const { nav, noOrders, examOrders } = words[locale]
  const toRow = (order: Order) => {
    const state = toState(order)
    return html`<li class="row order">
      <div>
        <a href="/orders/${encodeURIComponent(order.id)}">${toGoodName(locale, order.good)}</a>
        <p class="muted">${order.id}</p>
        <p class="muted">${formatDateTime(locale, new Date(order.createdAtMs), TIME_ZONE)}</p>
      </div>
      <span class="price">${toPrice(locale, order.good)}</span>
      <span class="state ${state}">${STATE_ICONS[state]} ${toStateLabel(locale, order)}</span>
    </li>`
  }
  const toList = (some: readonly Order[]) =>
    html`<ul class="card">
      ${some.map(toRow)}
    </ul>`
  const ofExam = orders.filter(({ id }) => id.startsWith('exam-'))
  const others = orders.filter((order) => !ofExam.includes(order))
  const list = html`${others.length > 0 ? toList(others) : html`<p>${noOrders}</p>`}
    ${ofExam.length > 0 ? html`<h2 class="group">${examOrders}</h2>${toList(ofExam)}` : null}`
  return {
    title: nav.orders,
    current: 'orders',
    body: html`<h1>${nav.orders}</h1>
      ${list}`,
  }
}

export function notFoundPage(locale: Locale): Page {
  const { notFound, backToShop } = words[locale]
  return {
    title: notFound.title,
    body: html`<h1 class="alone">${notFound.title}</h1>
      <p>${notFound.text}</p>
      <p class="actions"><a class="button" href="/">${backToShop}</a></p>`,
  }
}

export function buyForm(good: Good, button: string, { label = button, rank = 'button' } = {}): Html {
  return html`<form method="post" action="/buy">
    <button class="${rank}" name="good" value="${good.id}" aria-label="${label}">${button}</button>
  </form>`
}

/** Keeps a number and its unit in one line. */
export function toGoodName(locale: Locale, { id }: Pick<Good, 'id'>): string {
  return words[locale].goods[id].name.replaceAll(/(\d) /g, '$1\u00a0')
}

export function toPrice(locale: Locale, { amount }: Pick<Good, 'amount'>): string {
  return formatMoney(locale, BigInt(amount), CURRENCY, CURRENCY_SCALE)
}

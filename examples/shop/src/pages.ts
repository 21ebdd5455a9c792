// The content of all pages except that of one order.
import { formatMoney } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { CURRENCY, CURRENCY_SCALE, goods } from './goods.ts'
import type { Good } from './goods.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
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

export function goodsPage(locale: Locale): Page {
  const { nav, intro, buy, goods: texts } = words[locale]
  const rows = goods.map((good) => {
    const { name, happens } = texts[good.id]
    return html`<li class="row">
      <div>
        <h2>${name}</h2>
        <p class="muted">${happens}</p>
      </div>
      <span class="price">${toPrice(locale, good)}</span>
      ${buyForm(good, buy, `${buy}: ${name}`)}
    </li>`
  })
  return {
    title: nav.shop,
    body: html`<h1>${nav.shop}</h1>
      <p>${intro}</p>
      <ul class="card">
        ${rows}
      </ul>`,
  }
}

export function ordersPage(locale: Locale, orders: readonly Order[]): Page {
  const { nav, goods: texts, states, noOrders } = words[locale]
  const rows = orders.map((order) => {
    const state = toState(order)
    return html`<li class="row">
      <div>
        <a href="/orders/${encodeURIComponent(order.id)}">${order.id}</a>
        <p>${texts[order.good.id].name}</p>
      </div>
      <span class="price">${toPrice(locale, order.good)}</span>
      <span class="state ${state}">${STATE_ICONS[state]} ${states[state].label}</span>
    </li>`
  })
  const list =
    rows.length > 0
      ? html`<ul class="card">
          ${rows}
        </ul>`
      : html`<p>${noOrders}</p>`
  return {
    title: nav.orders,
    body: html`<h1>${nav.orders}</h1>
      ${list}`,
  }
}

export function notFoundPage(locale: Locale): Page {
  const { notFound, backToShop } = words[locale]
  return {
    title: notFound.title,
    body: html`<h1>${notFound.title}</h1>
      <p>${notFound.text}</p>
      <a class="plain" href="/">${backToShop}</a>`,
  }
}

export function buyForm(good: Good, button: string, label: string = button): Html {
  return html`<form method="post" action="/buy">
    <button class="button" name="good" value="${good.id}" aria-label="${label}">${button}</button>
  </form>`
}

export function toPrice(locale: Locale, { amount }: Pick<Good, 'amount'>): string {
  return formatMoney(locale, BigInt(amount), CURRENCY, CURRENCY_SCALE)
}

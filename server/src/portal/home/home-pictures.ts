// Pictures of the product, drawn in HTML: the checkout page with the result beside it, and some lines of the delivery log.
// Pictures are hidden from screen readers; the text beside them says what they show.
import { catalogue, formatMoney } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Html } from '../../lib/html.ts'
import { html, trustedMarkup } from '../../lib/html.ts'

const ICONS = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  again: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4',
  callbacks: 'M4 7l8 6l8-6M4 6h16v12H4zM15 16l2 2l3.5-3.5',
  log: 'M5 6h14M5 12h14M5 18h9',
  status: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M8.5 12.2l2.4 2.4l4.6-4.8',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2',
  refunds: 'M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12H9',
  test: 'M9 3h6M10 3v6l-5.2 9a2 2 0 0 0 1.7 3h11a2 2 0 0 0 1.7-3L14 9V3M7.5 15h9',
} as const

export type IconName = keyof typeof ICONS

export function toHomeIcon(name: IconName): Html {
  return trustedMarkup(`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`)
}

export interface ShownMoney {
  currency: string
  scale: number
}

export function toSampleAmount(scale: number): bigint {
  return 15n * 10n ** BigInt(scale)
}

export function toPayPicture(locale: Locale, { currency, scale }: ShownMoney): Html {
  const { checkout, home } = catalogue(locale)
  const amount = formatMoney(locale, toSampleAmount(scale), currency, scale)
  const { picture } = home
  const heading = checkout.ready.heading(picture.shop)
  // As on the payer's page, the shop's name is below the heading if the heading in this language does not contain it.
  const who =
    !heading.includes(picture.shop) &&
    html`<div class="who">${checkout.labels.merchant}: ${picture.shop}</div>`
  const row = (label: string, value: string) =>
    html`<div class="row"><span>${label}</span><span>${value}</span></div>`
  return html`<div class="scene" aria-hidden="true"><div class="pay"><div class="test">${checkout.testBar}</div>
<div class="to">${heading}</div>${who}<div class="sum">${amount}</div>
<div class="rows">${row(checkout.labels.description, picture.order)}${row(checkout.labels.method, checkout.steps.simulated)}</div>
<div class="go">${checkout.actions.pay(amount)}</div></div>
<div class="toast"><span class="check">${toHomeIcon('check')}</span><span><b>${picture.received}</b><code>payment.result · 200 · 42 ms</code></span></div></div>`
}

interface LogLine {
  when: string
  event: string
  order: string
  attempt: number
  ms: number
  isRetry?: boolean
}

export function toLogPicture(locale: Locale): Html {
  const { picture } = catalogue(locale).home
  const lines: LogLine[] = [
    { when: picture.justNow, event: 'payment.result', order: 'order-7', attempt: 1, ms: 42 },
    {
      when: picture.minutes(3),
      event: 'payment.result',
      order: 'order-6',
      attempt: 2,
      ms: 61,
      isRetry: true,
    },
    { when: picture.minutes(9), event: 'payment.result', order: 'order-5', attempt: 1, ms: 38 },
    { when: picture.minutes(12), event: 'refund.result', order: 'order-4', attempt: 1, ms: 57 },
  ]
  const rows = lines.map(({ when, event, order, attempt, ms, isRetry = false }) => {
    const chip = isRetry
      ? html`<span class="chip warn">${toHomeIcon('again')}${picture.retried}</span>`
      : html`<span class="chip ok">${toHomeIcon('check')}${picture.delivered}</span>`
    return html`<div class="line"><span>${chip}</span><code class="event">${event}</code><code class="m order">${order}</code><span class="m try">${picture.attempt(attempt)}</span><code class="m ms r">${`${ms} ms`}</code><span class="m when r">${when}</span></div>`
  })
  return html`<div class="log" aria-hidden="true"><div class="top"><span>${picture.log}</span><span>/pazar/callback</span></div>${rows}</div>`
}

// What a payer reads in each state. Every failure says whether money was taken and gives one way on.
import { catalogue, formatMoney } from '@pazar/words'
import type { Catalogue, Locale, Notice } from '@pazar/words'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import type { Payment } from '../payments/payment.ts'
import { toReference } from '../payments/payment.ts'
import type { OpenLink } from './open-link.ts'
import { toReturnUrl } from './return-url.ts'

export interface PageContext {
  locale: Locale
  currency: string
  scale: number
}

export interface PageBody {
  title: string
  body: Html
}

export interface Shop {
  name: string
  resultUrl: string
}

type Words = Catalogue['checkout']

/** Opaque merchant text is shown only if a person can read it as a reference. */
function isReadable(data: string): boolean {
  return data.length > 0 && data.length <= 64 && /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(data)
}

function toRows(rows: readonly (readonly [string, string | null])[]): Html {
  return html`<dl>${rows.map(([label, value]) => value && html`<dt>${label}</dt><dd><bdi>${value}</bdi></dd>`)}</dl>`
}

function toAlert(notice: Notice): Html {
  return html`<div class="error" role="alert"><strong>${notice.heading}</strong>${notice.detail ? html`<br>${notice.detail}` : null}<br>${notice.money} ${notice.next}</div>`
}

function toCard(heading: string, inside: Html): Html {
  return html`<div class="card"><h1>${heading}</h1>${inside}</div>`
}

export function readyPage(
  context: PageContext,
  open: OpenLink,
  token: string,
  notice: Notice | null,
): PageBody {
  const words = catalogue(context.locale).checkout
  const { shop, link } = open
  const amount = formatMoney(context.locale, BigInt(link.amount), context.currency, context.scale)
  const cancelUrl = toReturnUrl(shop.resultUrl, {
    status: 'cancel',
    customId: link.customId,
    mode: link.mode,
  })
  const rows = toRows([
    [words.labels.merchant, shop.name],
    [words.labels.orderReference, open.isSigned && isReadable(link.data) ? link.data : null],
  ])
  return {
    title: words.title(amount, shop.name),
    body: toCard(
      words.ready.heading(shop.name),
      html`<p class="amount">${amount}</p>
${rows}
${notice ? toAlert(notice) : null}
<form method="post" action="/pay"><input type="hidden" name="token" value="${token}"><button class="button" type="submit">${words.actions.pay(amount)}</button></form>
<a class="plain" href="${cancelUrl}">${words.actions.cancel}</a>`,
    ),
  }
}

export function declinedNotice(words: Words, failureCode: string | null): Notice {
  const reasons: Record<string, string> = words.declined.reasons
  return {
    heading: words.declined.heading,
    detail: (failureCode && reasons[failureCode]) || words.declined.reasons.generic,
    money: words.declined.money,
    next: words.declined.next,
  }
}

/** A dead end with its reason: a bad link, an archived shop, a busy service. */
export function noticePage(
  context: PageContext,
  notice: Notice,
  code: string,
  way: { href: string; label: string } | null,
): PageBody {
  const words = catalogue(context.locale).checkout
  return {
    title: notice.heading,
    body: toCard(
      notice.heading,
      html`${notice.detail ? html`<p>${notice.detail}</p>` : null}
<p>${notice.money} ${notice.next}</p>
${way ? html`<a class="button" href="${way.href}">${way.label}</a>` : null}
<p class="muted">${words.labels.errorCode}: <code>${code}</code></p>`,
    ),
  }
}

/** A payment the payer looks at: under way, waiting at the bank, paid, or not. */
export function paymentPage(context: PageContext, payment: Payment, shop: Shop): PageBody {
  const words = catalogue(context.locale).checkout
  const facts = toRows([
    [words.labels.merchant, shop.name],
    [words.labels.amount, formatMoney(context.locale, payment.amount, payment.currency, context.scale)],
    [words.labels.reference, toReference(payment.id)],
  ])
  const back = (status: 'success' | 'fail' | 'pending', style: 'button' | 'plain') => {
    const order = { transactionId: payment.id, customId: payment.customId, mode: payment.mode }
    const href = toReturnUrl(shop.resultUrl, { status, ...order })
    return html`<a class="${style}" href="${href}">${words.actions.returnToMerchant}</a>`
  }
  const page = (heading: string, inside: Html): PageBody => ({
    title: heading,
    body: toCard(heading, inside),
  })
  switch (payment.state) {
    case 'succeeded':
      return page(
        words.success.heading,
        html`<p class="ok">✓ ${words.success.state}</p>${facts}<p>${words.success.order}</p>${back('success', 'button')}`,
      )
    case 'requires_action':
      return page(
        words.bankStepOpen.heading,
        html`${facts}<p>${words.bankStepOpen.money}</p><a class="button" href="${payment.actionUrl ?? ''}">${words.actions.continueAtBank}</a>`,
      )
    case 'processing':
      return page(
        words.pending.heading,
        html`${facts}<p role="status">${words.pending.money} ${words.pending.next}</p>${back('pending', 'plain')}`,
      )
    case 'failed':
    case 'expired': {
      const notice = declinedNotice(words, payment.failureCode)
      return page(notice.heading, html`${toAlert(notice)}${facts}${back('fail', 'button')}`)
    }
  }
}

export function successfulPage(context: PageContext): PageBody {
  const words = catalogue(context.locale).checkout.success
  return { title: words.heading, body: toCard(words.heading, html`<p>${words.order} ${words.close}</p>`) }
}

export function sandboxBankPage(context: PageContext, payment: Payment): PageBody {
  const words = catalogue(context.locale).checkout.sandboxBank
  const amount = formatMoney(context.locale, payment.amount, payment.currency, context.scale)
  const button = (outcome: string, label: string) =>
    html`<button class="button" name="outcome" value="${outcome}">${label}</button>`
  return {
    title: words.heading,
    body: toCard(
      words.heading,
      html`<p class="amount">${amount}</p>
<p>${words.text}</p>
<form class="stack" method="post" action="/sandbox/bank/${payment.id}">${button('approve', words.approve)}${button('decline', words.decline)}</form>`,
    ),
  }
}

// The receipt of a payment. The browser that paid can have it mailed.
import { html } from '../lib/html.ts'
import type { Html } from '../lib/html.ts'
import type { CheckoutWords, Page, PageContext } from './page-parts.ts'
import { toBigIcon, toButton, toIcon, toRows } from './page-parts.ts'
import type { ReceiptResult } from './pay-outcome.ts'
import type { PaymentFacts } from './payment-facts.ts'
import { toFactRows, toReturnLink } from './payment-facts.ts'

/** Sends the receipt by mail. Closed at first, because most payers do not need it. */
function toMailForm(words: CheckoutWords, id: string): Html {
  const { open, email, send, note } = words.receiptMail
  return html`<details><summary>${open}</summary><form class="stack" method="post" action="/pay/${id}/receipt"><label>${email}<input type="email" name="email" required maxlength="254" autocomplete="email"></label><button class="button second" data-busy="${words.submitting.button}">${send}</button><p class="muted">${note}</p></form></details>`
}

const RECEIPT_TONES = { sent: 'ok', invalid: 'warn', limited: 'warn' } as const

function toMailNotice(words: CheckoutWords, result: ReceiptResult): Html {
  const { heading, text } = words.receiptMail[result]
  const tone = RECEIPT_TONES[result]
  return html`<div class="alert ${tone}" role="alert" tabindex="-1" autofocus>${toIcon(tone)}<div><strong>${heading}</strong><p>${text}</p></div></div>`
}

export function receiptPage(context: PageContext, facts: PaymentFacts, mailed: ReceiptResult | null): Page {
  const { words } = context
  const again = facts.own?.payAgain
  const canMail =
    facts.own !== null && facts.payment.mode === 'live' && mailed !== 'sent' && mailed !== 'limited'
  return {
    title: words.success.heading,
    usesScript: true,
    body: html`${toBigIcon('ok')}<h1>${words.success.heading}</h1>
<p>${facts.payment.resolution === null ? words.success.order : words.success.resolved}</p>
${toRows(toFactRows(context, facts))}
<div class="stack">${mailed && toMailNotice(words, mailed)}${toButton(toReturnLink(words, facts, 'success'))}
<button class="plain" id="print" type="button" hidden>${words.actions.print}</button></div>
${canMail ? toMailForm(words, facts.payment.id) : null}
${again ? html`<p class="muted small">${words.success.again} <a href="${again.href}">${again.label}</a></p>` : null}`,
  }
}

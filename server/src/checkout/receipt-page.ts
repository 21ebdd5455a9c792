// The receipt of a payment. The browser that paid can have it mailed (request-receipt.ts).
import { html } from '../lib/html.ts'
import type { Html } from '../lib/html.ts'
import type { MoneyBack } from './money-back.ts'
import { toNet } from './money-back.ts'
import type { CheckoutWords, Page, PageContext } from './page-parts.ts'
import { toAmount, toBigIcon, toButton, toIcon, toMoney, toRows } from './page-parts.ts'
import type { ReceiptResult } from './pay-outcome.ts'
import type { PaymentFacts } from './payment-facts.ts'
import { toFactRows, toPaymentReturnLink } from './payment-facts.ts'

/** A form that sends the receipt by mail. It is closed at first, because most payers do not need it. */
function toMailForm(words: CheckoutWords, id: string): Html {
  const { open, email, send, note } = words.receiptMail
  return html`<details><summary class="button second">${open}</summary><form class="stack" method="post" action="/pay/${id}/receipt"><label>${email}<input type="email" name="email" required maxlength="254" autocomplete="email"></label><button class="button second" data-busy="${words.submitting.button}">${send}</button><p class="muted">${note}</p></form></details>`
}

const RECEIPT_TONES = { sent: 'ok', invalid: 'warn', limited: 'warn' } as const

function toMailNotice(words: CheckoutWords, result: ReceiptResult): Html {
  const { heading, text } = words.receiptMail[result]
  const tone = RECEIPT_TONES[result]
  return html`<div class="alert ${tone}" role="alert" tabindex="-1" autofocus>${toIcon(tone)}<div><strong>${heading}</strong><p>${text}</p></div></div>`
}

interface ReceiptTexts {
  heading: string
  text: string
  wasReturned: boolean
}

/** The sentences of a payment whose money was returned, all of it or a part, or is about to be. */
function toReturnedTexts(context: PageContext, amount: bigint, moneyBack: MoneyBack): ReceiptTexts {
  const { words } = context
  const { refunded } = words
  const net = toNet(amount, moneyBack)
  const wasReturned = net < amount
  const heading = !wasReturned ? words.success.heading : net === 0n ? refunded.heading : refunded.partly
  const byMerchant = net === 0n ? refunded.all : refunded.part(toMoney(context, net))
  const sentences = [
    wasReturned && (moneyBack.byBank > 0n ? refunded.byBank : byMerchant),
    moneyBack.refunding > 0n && refunded.refunding(toMoney(context, moneyBack.refunding)),
    refunded.wait,
  ]
  return { heading, wasReturned, text: sentences.filter(Boolean).join(' ') }
}

function toReceiptTexts(context: PageContext, facts: PaymentFacts, hasReturn: boolean): ReceiptTexts {
  const { success } = context.words
  const { payment, moneyBack } = facts
  if (moneyBack) return toReturnedTexts(context, payment.amount, moneyBack)
  const text = payment.resolution === null ? success.order : success.resolved
  return { heading: success.heading, text: hasReturn ? text : `${text} ${success.close}`, wasReturned: false }
}

export function receiptPage(context: PageContext, facts: PaymentFacts, mailed: ReceiptResult | null): Page {
  const { words } = context
  const payAgain = facts.own?.payAgain
  const returnLink = toPaymentReturnLink(context, facts, 'success')
  const { heading, text, wasReturned } = toReceiptTexts(context, facts, returnLink !== null)
  const canMail =
    facts.own !== null && facts.payment.mode === 'live' && mailed !== 'sent' && mailed !== 'limited'
  return {
    title: heading,
    usesScript: true,
    body: html`${wasReturned ? toBigIcon('info', 'back') : toBigIcon('ok')}<h1>${heading}</h1>
<p>${text}</p>
${wasReturned ? null : toAmount(toMoney(context, facts.payment.amount))}
${toRows(toFactRows(context, facts, facts.payment.id, wasReturned))}
<p class="muted small">${words.success.notFiscal}</p>
<div class="stack">${mailed && toMailNotice(words, mailed)}${returnLink && toButton(returnLink)}
<div class="pair"><button class="button second" id="print" type="button" hidden>${words.actions.print}</button>${canMail ? toMailForm(words, facts.payment.id) : null}</div></div>
${payAgain ? html`<p class="muted small">${words.success.again} <a href="${payAgain.href}">${payAgain.label}</a></p>` : null}`,
  }
}

// The receipt of a payment. In live mode, the browser that paid can request the receipt by mail (request-receipt.ts).
import { html } from '../lib/html.ts'
import type { Html } from '../lib/html.ts'
import type { MoneyBack } from './money-back.ts'
import { toNet } from './money-back.ts'
import type { CheckoutWords, Page, PageContext, PageLink } from './page-parts.ts'
import { toAmount, toBigIcon, toButton, toIcon, toMoney, toRows } from './page-parts.ts'
import type { RequestedReceipt } from './pay-outcome.ts'
import type { PaymentFacts } from './payment-facts.ts'
import { isSimulated, toFactRows, toPaymentReturnLink } from './payment-facts.ts'
import { receiptStyle } from './receipt-style.ts'
import type { ShownPayment } from './shown-payment.ts'

const EMAIL_LENGTH_MAX = 254

/** The form is collapsed, because most payers do not need it. After an invalid address, it is expanded and shows the address. */
function toMailForm(words: CheckoutWords, id: string, requested: RequestedReceipt | null): Html {
  const { open, other, email, send, note, invalid } = words.receiptMail
  const isInvalid = requested?.result === 'invalid'
  const isSent = requested?.result === 'sent'
  const typed = isInvalid ? requested.email.slice(0, EMAIL_LENGTH_MAX) : null
  const field = isInvalid
    ? html` value="${typed}" aria-invalid="true" aria-describedby="invalid" autofocus`
    : null
  const error = isInvalid
    ? html`<p class="invalid" id="invalid" role="alert"><strong>${invalid.heading}.</strong> ${invalid.text}</p>`
    : null
  return html`<details${isInvalid ? html` open` : null}><summary class="${isSent ? 'plain' : 'button second'}">${isSent ? other : open}</summary><form class="stack" method="post" action="/pay/${id}/receipt"><label>${email}<input type="email" name="email" required maxlength="${EMAIL_LENGTH_MAX}" autocomplete="email"${field}></label>${error}<p class="muted">${note}</p><button class="button" data-busy="${words.submitting.button}">${send}</button></form></details>`
}

/** Null if the form itself shows the result. */
function toMailNotice(words: CheckoutWords, { result, email }: RequestedReceipt): Html | null {
  if (result === 'invalid') return null
  const { sent, limited } = words.receiptMail
  const [tone, heading, text] =
    result === 'sent'
      ? (['ok', sent.heading, sent.text(email)] as const)
      : (['warn', limited.heading, limited.text] as const)
  return html`<div class="alert ${tone}" role="alert" tabindex="-1" autofocus>${toIcon(tone)}<div><strong>${heading}</strong><p>${text}</p></div></div>`
}

interface ReceiptTexts {
  heading: string
  text: string | Html
  /** The large amount: what was paid, or what was returned. */
  amount: bigint
  wasReturned: boolean
}

function toReturnedTexts(context: PageContext, payment: ShownPayment, moneyBack: MoneyBack): ReceiptTexts {
  const { words } = context
  const { refunded } = words
  const { amount } = payment
  const net = toNet(amount, moneyBack)
  const wasReturned = net < amount
  const heading = !wasReturned ? words.success.heading : net === 0n ? refunded.heading : refunded.partly
  const byMerchant = net === 0n ? refunded.all : refunded.part
  const byBank = moneyBack.refunded > 0n ? refunded.byBoth : refunded.byBank
  const sentences = [
    wasReturned && (moneyBack.byBank > 0n ? byBank : byMerchant),
    moneyBack.refunding > 0n && refunded.refunding(toMoney(context, moneyBack.refunding)),
    isSimulated(payment) ? refunded.simulated : refunded.wait,
  ]
  return {
    heading,
    wasReturned,
    amount: wasReturned ? amount - net : amount,
    text: sentences.filter(Boolean).join(' '),
  }
}

function toAmountLabel({ labels }: CheckoutWords, moneyBack: MoneyBack, wasReturned: boolean): string {
  if (!wasReturned) return labels.amountPaid
  return moneyBack.refunded === 0n ? labels.returnedByBank : labels.refunded
}

function toReceiptTexts(context: PageContext, facts: PaymentFacts, hasReturn: boolean): ReceiptTexts {
  const { success } = context.words
  const { payment, moneyBack } = facts
  if (moneyBack) return toReturnedTexts(context, payment, moneyBack)
  const close = hasReturn ? '' : success.close
  if (facts.isReopened) {
    const { heading, money, text } = success.reopened
    return {
      heading,
      text: html`<b>${money}</b> ${text} ${close}`,
      amount: payment.amount,
      wasReturned: false,
    }
  }
  const order = payment.customId === null ? success.noOrder : success.order
  const sentences = [
    payment.resolution === null ? '' : success.resolved,
    // A lost dispute is in moneyBack, so the dispute here is open.
    payment.sums.disputed > 0n ? success.disputed : order,
    close,
  ]
  const text = sentences.filter(Boolean).join(' ')
  return { heading: success.heading, text, amount: payment.amount, wasReturned: false }
}

/** A printed sheet has no buttons, so it names the merchant's site, unless the brand already shows a website. */
function toPaperSite(
  { labels }: CheckoutWords,
  facts: PaymentFacts,
  returnLink: PageLink | null,
): Html | null {
  if (returnLink === null || facts.merchant.brand?.website) return null
  return html`<p class="paper">${labels.website}: ${new URL(returnLink.href).host}</p>`
}

export function receiptPage(
  context: PageContext,
  facts: PaymentFacts,
  requested: RequestedReceipt | null,
): Page {
  const { words } = context
  const payAgain = facts.own?.payAgain
  const returnLink = toPaymentReturnLink(context, facts, 'success')
  const { heading, text, amount, wasReturned } = toReceiptTexts(context, facts, returnLink !== null)
  const canMail = facts.own !== null && facts.payment.mode === 'live' && requested?.result !== 'limited'
  return {
    title: heading,
    usesScript: true,
    style: receiptStyle,
    body: html`<b class="paper">${words.success.receipt}</b>${wasReturned ? toBigIcon('info', 'back') : toBigIcon('ok')}<h1>${heading}</h1>
${text && html`<p>${text}</p>`}
${facts.moneyBack && html`<p class="muted label">${toAmountLabel(words, facts.moneyBack, wasReturned)}</p>`}${toAmount(toMoney(context, amount))}
${toRows(toFactRows(context, facts, facts.payment.id, wasReturned ? words.labels.amountPaid : null))}
<p class="muted small">${words.success.notFiscal}</p>${toPaperSite(words, facts, returnLink)}
<div class="stack">${requested && toMailNotice(words, requested)}${returnLink && toButton(returnLink)}
<div class="pair${requested?.result === 'sent' ? ' sent' : null}"><button class="button second" id="print" type="button" hidden>${words.actions.print}</button>${canMail ? toMailForm(words, facts.payment.id, requested) : null}</div></div>
${payAgain ? html`<p class="muted small">${words.success.again} <a href="${payAgain.href}">${payAgain.label}</a></p>` : null}`,
  }
}

// The page on which the payer confirms: the merchant, the amount, and one button with the amount on it.
import type { Notice } from '@pazar/words'
import { isUnpaid } from '../payments/payment.ts'
import { isOwnResultPage } from '../projects/own-urls.ts'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import { noticePage } from './notice-page.ts'
import { toOrderRows, toOrderTexts } from './order-line.ts'
import { toPayPreview } from './pay-preview.ts'
import { toAttemptForm } from './pay-forms.ts'
import type { Offer } from './pay-outcome.ts'
import type { PayTarget } from './pay-target-store.ts'
import { toCancelLink, toGiveUpFacts, toReturnLink } from './return-link.ts'
import type { Page, PageContext, Tone } from './page-parts.ts'
import {
  toAlert,
  toAmount,
  toButton,
  toMoney,
  toPayForm,
  toReferenceRow,
  toRows,
  toScriptNotes,
  withoutReturn,
} from './page-parts.ts'

// Marks where each language puts the merchant's name in the sentence. <bdi> keeps a right-to-left name from reordering the
// sentence.
const NAME = '\u0000'
function toHeading({ words }: PageContext, merchantName: string): Html {
  const [before = '', after] = words.ready.heading(NAME).split(NAME)
  if (after !== undefined) return html`<h1>${before}<bdi>${merchantName}</bdi>${after}</h1>`
  return html`<h1>${before}</h1><p>${words.labels.merchant}: <strong><bdi>${merchantName}</bdi></strong></p>`
}

/** If the merchant has neither a logo nor a display name, the first letter of their name takes the place of a logo. */
function toHead(context: PageContext, { name, brand }: Pick<PayTarget, 'name' | 'brand'>): Html {
  // The brand above already shows this name.
  if (brand?.displayName === name) return html`<h1>${context.words.ready.amount}</h1>`
  // Below the brand, the registered name is one small line, so that the two names do not compete.
  if (brand?.logo || brand?.displayName)
    return html`<h1>${context.words.labels.merchant}: <bdi>${name}</bdi></h1>`
  const heading = toHeading(context, name)
  const [letter] = /[\p{L}\p{N}]/u.exec(name) ?? []
  if (letter === undefined) return heading
  return html`<div class="who"><span class="letter" aria-hidden="true">${letter.toUpperCase()}</span><div>${heading}</div></div>`
}

export interface ReadyNotice {
  text: Notice
  tone: Tone
  reference: string | null
}

/**
 * Replaces the ready page after a payment that should not simply be repeated. The way back to the merchant comes before the
 * form.
 */
export function cautiousRetryPage(
  context: PageContext,
  { checkedLink, attempt, last }: Offer,
  text: Notice,
  reference: string,
  hasForm: boolean,
): Page {
  const { words } = context
  const { target, link } = checkedLink
  const amount = toMoney(context, BigInt(link.amount))
  return noticePage(context, text, {
    tone: 'error',
    rows: [
      [words.labels.merchant, target.name],
      [words.labels.amount, amount],
      ...toOrderRows(words, toOrderTexts(checkedLink)),
      toReferenceRow(words, reference),
    ],
    returnLink: toReturnLink(context, target, toGiveUpFacts(link, last)),
    ...(hasForm ? { form: toAttemptForm(context, link, attempt, true), isFormSecond: true } : {}),
  })
}

export function readyPage(
  context: PageContext,
  { checkedLink, attempt, last }: Offer,
  notice: ReadyNotice | null,
): Page {
  const { words } = context
  const { target, link } = checkedLink
  const amount = toMoney(context, BigInt(link.amount))
  const steps = context.stepsOf(link.mode)
  const isOwnPage = isOwnResultPage(context.baseUrl, target.resultUrl)
  const isRetry = last !== null && isUnpaid(last)
  return {
    title: words.title(amount, target.name),
    usesScript: true,
    isPaying: true,
    preview: notice ? null : toPayPreview(words, checkedLink, amount),
    body: html`${toHead(context, target)}
${toAmount(amount)}
${toRows([...toOrderRows(words, toOrderTexts(checkedLink)), [words.labels.method, steps.method]])}
<div class="stack">${notice && toAlert(words, isOwnPage ? withoutReturn(notice.text) : notice.text, notice.tone, notice.reference)}
${toPayForm(words, toAttemptForm(context, link, attempt, isRetry))}
${toScriptNotes(words)}
<p class="muted idle">${steps.after} ${isOwnPage ? words.steps.thenReceipt : words.steps.thenReturn} ${steps.note}</p>
${toButton(toCancelLink(context, link, target, last), 'plain')}</div>`,
  }
}

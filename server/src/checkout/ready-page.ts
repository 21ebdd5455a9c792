// The page on which the payer confirms: the merchant, the amount, and one button with the amount on it.
import type { Notice } from '@pazar/words'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import type { CheckedLink } from './check-link.ts'
import { toGiveUpUrl } from './check-link.ts'
import { noticePage } from './notice-page.ts'
import { toAttemptForm } from './pay-forms.ts'
import type { Offer } from './pay-outcome.ts'
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
} from './page-parts.ts'

/** The merchant's text may be meant for programs. It is shown only if it is short and readable. */
const REFERENCE_MAX = 64
function isReadable(text: string | null): text is string {
  if (text === null || text.length > REFERENCE_MAX) return false
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(text) && text.trim() !== ''
}

/** The merchant's name for the order. Not shown for an unsigned link: anybody could have written it. */
export function toOrderReference({ link, isSigned }: CheckedLink): string | null {
  return (isSigned && [link.data, link.customId].find(isReadable)) || null
}

// Each language's sentence decides where the name stands. <bdi> keeps a right-to-left name from reordering the sentence.
const NAME = '\u0000'
function toHeading(context: PageContext, merchantName: string): Html {
  const { words } = context
  const [before = '', after] = words.ready.heading(NAME).split(NAME)
  if (after !== undefined) return html`<h1>${before}<bdi>${merchantName}</bdi>${after}</h1>`
  return html`<h1>${before}</h1><p>${words.labels.merchant}: <strong><bdi>${merchantName}</bdi></strong></p>`
}

export interface ReadyNotice {
  text: Notice
  tone: Tone
  reference: string | null
}

/** This page has no form, because the bank would refuse the same amount again. */
export function refusedAmountPage(
  context: PageContext,
  { open: { target, link }, last }: Offer,
  text: Notice,
  reference: string,
): Page {
  const { words } = context
  const amount = toMoney(context, BigInt(link.amount))
  return noticePage(context, text, {
    tone: 'error',
    rows: [
      [words.labels.merchant, target.name],
      [words.labels.amount, amount],
      toReferenceRow(words, reference),
    ],
    links: [{ href: toGiveUpUrl(link, target, last), label: words.actions.returnToMerchant }],
  })
}

export function readyPage(
  context: PageContext,
  { open, attempt, last }: Offer,
  notice: ReadyNotice | null,
): Page {
  const { words } = context
  const { target, link } = open
  const amount = toMoney(context, BigInt(link.amount))
  return {
    title: words.title(amount, target.name),
    usesScript: true,
    body: html`${toHeading(context, target.name)}
${toAmount(amount)}
${toRows([[words.labels.description, toOrderReference(open)]])}
<div class="stack">${notice && toAlert(words, notice.text, notice.tone, notice.reference)}
${toPayForm(words, toAttemptForm(context, link, attempt))}
${toScriptNotes(words)}
${toButton({ href: toGiveUpUrl(link, target, last), label: words.actions.cancel }, 'plain')}</div>`,
  }
}

// The page to confirm: who asks for how much, and one button that says what it does.
import type { Notice } from '@pazar/words'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import type { OpenLink } from './open-link.ts'
import type { Page, PageContext, Tone } from './page-parts.ts'
import { toAlert, toAmount, toButton, toMoney, toPayForm, toRows, toScriptNotes } from './page-parts.ts'

/** Opaque merchant text is shown only if a person can read it as a reference. */
const REFERENCE_MAX = 64
function isReadable(text: string | null): text is string {
  if (text === null || text.length > REFERENCE_MAX) return false
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(text) && text.trim() !== ''
}

/** By which the merchant knows the order. Of an unsigned link nothing is shown: anybody could have written it. */
export function toOrderReference({ link, isSigned }: OpenLink): string | null {
  return (isSigned && [link.data, link.customId].find(isReadable)) || null
}

// The name goes where the language puts it, isolated so that letters of another direction stay in their place.
const NAME = '\u0000'
function toHeading(context: PageContext, shopName: string): Html {
  const { words } = context
  const [before = '', after] = words.ready.heading(NAME).split(NAME)
  if (after !== undefined) return html`<h1>${before}<bdi>${shopName}</bdi>${after}</h1>`
  return html`<h1>${before}</h1><p>${words.labels.merchant}: <strong><bdi>${shopName}</bdi></strong></p>`
}

export interface ReadyFacts {
  action: string
  token: string
  /** To the shop, without paying. */
  backUrl: string
  notice: { text: Notice; tone: Tone; reference: string | null } | null
}

export function readyPage(context: PageContext, open: OpenLink, facts: ReadyFacts): Page {
  const { words } = context
  const { shop, link } = open
  const amount = toMoney(context, BigInt(link.amount))
  const { notice } = facts
  const orderReference = toOrderReference(open)
  return {
    title: words.title(amount, shop.name),
    usesScript: true,
    body: html`${toHeading(context, shop.name)}
${toAmount(amount)}
${toRows([[words.labels.orderReference, orderReference]])}
<div class="stack">${notice && toAlert(words, notice.text, notice.tone, notice.reference)}
${toPayForm(words, { action: facts.action, token: facts.token, label: words.actions.pay(amount) })}
${toScriptNotes(words)}
${toButton({ href: facts.backUrl, label: words.actions.cancel }, 'plain')}</div>`,
  }
}

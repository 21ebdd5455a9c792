// Parts of payer pages. Texts that come from a merchant or a pay link are escaped by `html`.
import { formatMoney } from '@pazar/words'
import type { Catalogue, Locale, Notice } from '@pazar/words'
import type { Inline } from '../http/inline.ts'
import type { LinkPreview } from '../http/link-preview.ts'
import type { Html } from '../lib/html.ts'
import { html, trustedMarkup } from '../lib/html.ts'
import type { NewAttempt } from './attempt-token.ts'
import type { Mode } from '@pazar/contract'
import type { StepTexts } from './pay-steps.ts'

export type CheckoutWords = Catalogue['checkout']

export interface PageContext {
  locale: Locale
  words: CheckoutWords
  /** The language chosen in the URL; links to other pages of the checkout keep it. */
  chosenLocale: Locale | null
  currency: string
  scale: number
  /** The decimals of payments that were stored before `scale` existed. */
  scaleOfOldPayments: number
  baseUrl: string
  /** The link on a page that offers the payer nothing else: to the operator's support, or to the home page. */
  help: PageLink
  nowMs: number
  stepsOf: (mode: Mode) => StepTexts
  sealAttempt: (attempt: Omit<NewAttempt, 'shown'>) => string
}

export interface Page {
  title: string
  body: Html
  /** The page that a browser without script opens after this time. */
  refresh?: { afterSec: number; url: string }
  usesScript?: boolean
  /** This style is added to the style of all pages. */
  style?: Inline
  /** The payer can pay on this page. */
  isPaying?: boolean
  /** What a chat program shows for a link to this page. Absent or null: only the page's title. */
  preview?: LinkPreview | null
}

export interface PageLink {
  href: string
  label: string
}

export type Tone = 'ok' | 'info' | 'warn' | 'error'

const ICONS: Record<Tone | 'lock' | 'back' | 'note', string> = {
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M6 11h12v9H6z',
  note: 'M12 11v6M12 7v.5M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18',
  back: 'M9 14l-5-5 5-5M4 9h10a6 6 0 0 1 0 12h-3',
  ok: 'M5 12.5l4.5 4.5L19 7.5',
  info: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18',
  warn: 'M12 3v11M12 20v.5',
  error: 'M7 7l10 10M17 7L7 17',
}

export function toIcon(name: keyof typeof ICONS): Html {
  return trustedMarkup(`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`)
}

export type IconName = keyof typeof ICONS

/** With `isBusy`, a ring turns around the icon, unless the payer prefers less motion. */
export function toBigIcon(tone: Tone, icon: IconName = tone, isBusy = false): Html {
  const iconClass = icon === 'note' ? ' note' : isBusy ? ' busy' : ''
  return html`<div class="mark ${tone}${iconClass}">${toIcon(icon)}</div>`
}

/** Shows amounts with the currency and decimals of the payment, even if the settings have changed since then. */
export function withCurrencyOf(
  context: PageContext,
  { currency, scale }: { currency: string; scale: number | null },
): PageContext {
  return { ...context, currency, scale: scale ?? context.scaleOfOldPayments }
}

export function toMoney(context: PageContext, amount: bigint): string {
  return formatMoney(context.locale, amount, context.currency, context.scale)
}

/** At the font size of `.amount`, longer amounts do not fit a phone 320 pixels wide. */
const AMOUNT_LARGE_CHARACTERS_MAX = 12

export function toAmount(text: string): Html {
  return html`<p class="amount${text.length > AMOUNT_LARGE_CHARACTERS_MAX ? ' long' : ''}">${text}</p>`
}

export function toRows(
  rows: readonly (readonly [label: string, value: string | Html | null])[],
): Html | null {
  const rowsWithValue = rows.filter(([, value]) => value !== null)
  if (rowsWithValue.length === 0) return null
  return html`<dl>${rowsWithValue.map(([label, value]) => html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>`
}

/** The reference is in <code>, because the style sheet lets one tap select a whole <code> element. */
export function toReferenceRow(words: CheckoutWords, reference: string): readonly [string, Html] {
  return [words.labels.reference, html`<code>${reference}</code>`]
}

export function withoutReturn(notice: Notice): Notice {
  return { ...notice, next: notice.nextHere ?? notice.next }
}

/** Leaves out the sentence that only repeats the buttons below the alert. */
function toSentences({ declined }: CheckoutWords, { detail, money, next }: Notice): Html {
  const isRepeated = next === declined.next || next === declined.nextHere
  return html`${detail ? html`${detail} ` : null}<strong>${money}</strong>${isRepeated ? null : ` ${next}`}`
}

export function toParagraphs({ detail, money, next, close }: Omit<Notice, 'heading'>): Html {
  return html`<p>${detail ? html`${detail} ` : null}<strong>${money}</strong></p><p>${next}</p>${close && html`<p>${close}</p>`}`
}

/** The alert has the focus when the page opens: screen readers read it first, and Tab leads to the button. */
export function toAlert(words: CheckoutWords, notice: Notice, tone: Tone, reference: string | null): Html {
  const row = reference && html`<p class="muted">${words.labels.reference}: <code>${reference}</code></p>`
  return html`<div class="alert ${tone}" role="alert" tabindex="-1" autofocus>${toIcon(tone)}<div><strong>${notice.heading}</strong><p>${toSentences(words, notice)}</p>${row}</div></div>`
}

const BUTTON_STYLES = { first: 'button', second: 'button second', plain: 'plain' } as const
type ButtonRank = keyof typeof BUTTON_STYLES

export function toButton(link: PageLink, rank: ButtonRank = 'first'): Html {
  return html`<a class="${BUTTON_STYLES[rank]}" href="${link.href}">${link.label}</a>`
}

export interface PayForm {
  /** The URL of the pay link. If the response to the form is a page, this page has the same URL and can be opened again. */
  action: string
  token: string
  label: string
}

export function toPayForm(words: CheckoutWords, form: PayForm, rank: ButtonRank = 'first'): Html {
  return html`<form method="post" action="${form.action}" autocomplete="off"><input type="hidden" name="token" value="${form.token}"><button type="submit" class="${BUTTON_STYLES[rank]}" data-busy="${words.submitting.button}">${form.label}</button></form>`
}

const scriptNotes = new Map<CheckoutWords, Html>()

/** Hidden texts that the script shows when needed. */
export function toScriptNotes(words: CheckoutWords): Html {
  const notes = scriptNotes.get(words) ?? makeScriptNotes(words)
  scriptNotes.set(words, notes)
  return notes
}

function makeScriptNotes(words: CheckoutWords): Html {
  const { offline } = words.notices
  return html`<p id="submitting" class="muted" role="status" hidden>${words.submitting.note}</p><div id="offline" role="alert" hidden><div class="alert warn">${toIcon('warn')}<div><strong>${offline.heading}</strong><p>${offline.money} ${offline.next}</p></div></div></div>`
}

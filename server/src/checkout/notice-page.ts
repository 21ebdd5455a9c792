// A page with one notice: what happened, whether money was taken, and links to continue.
import type { Notice } from '@pazar/words'
import { html } from '../lib/html.ts'
import type { Page, PageContext, PayForm, Tone, PageLink, IconName } from './page-parts.ts'
import {
  toButton,
  toBigIcon,
  toPayForm,
  toRows,
  toScriptNotes,
  toParagraphs,
  withoutReturn,
} from './page-parts.ts'

export interface NoticeFacts {
  tone: Tone
  /** Absent: the icon of the tone. */
  icon?: IconName
  rows?: Parameters<typeof toRows>[0]
  form?: PayForm
  /** True: paying again may be a mistake. So the links come before the form, and the form's button is not filled. */
  isFormSecond?: boolean
  /** Without a form, or if the form is second, the first link is shown as a button. The others are plain links. */
  links?: readonly PageLink[]
  /** The last link, which leads to the merchant. Null: there is no site to return to, and the text does not mention one. */
  returnLink?: PageLink | null
  /** Shown if the page has neither another link nor a form. */
  fallback?: PageLink
  /** The request's id in the log. A payer can tell it to the support team. */
  supportReference?: string
}

export function noticePage({ words }: PageContext, notice: Notice, facts: NoticeFacts): Page {
  const { form, returnLink, isFormSecond = false } = facts
  const links = [...(facts.links ?? []), ...(returnLink ? [returnLink] : [])]
  const buttons =
    links.length === 0 && !form && facts.fallback
      ? [toButton(facts.fallback, 'plain')]
      : links.map((link, index) => toButton(link, index === 0 && (!form || isFormSecond) ? 'first' : 'plain'))
  const formRank = isFormSecond ? 'second' : 'first'
  const formAndButtons = form
    ? [html`${toPayForm(words, form, formRank)}${toScriptNotes(words)}`, buttons]
    : [buttons]
  return {
    title: notice.heading,
    usesScript: form !== undefined,
    isPaying: form !== undefined,
    body: html`${toBigIcon(facts.tone, facts.icon)}<h1>${notice.heading}</h1>
${toParagraphs(returnLink === null ? withoutReturn(notice) : notice)}
${toRows(facts.rows ?? [])}
${form || buttons.length > 0 ? html`<div class="stack">${isFormSecond ? formAndButtons.toReversed() : formAndButtons}</div>` : null}
${facts.supportReference ? html`<p class="muted small">${words.labels.supportReference}: <code>${facts.supportReference}</code></p>` : null}`,
  }
}

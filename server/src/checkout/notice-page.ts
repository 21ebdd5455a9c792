// A page with one notice: what happened, whether money was taken, and links to continue.
import type { Notice } from '@pazar/words'
import { html } from '../lib/html.ts'
import type { Page, PageContext, PayForm, Tone, PageLink } from './page-parts.ts'
import { toButton, toBigIcon, toPayForm, toRows, toScriptNotes, toSentences } from './page-parts.ts'

export interface NoticeFacts {
  tone: Tone
  /** A short table between the text and the links. */
  rows?: Parameters<typeof toRows>[0]
  form?: PayForm
  /** The first is the button, the others are links. */
  ways: readonly PageLink[]
  /** For support on the phone: the error code and the request's id in the log. */
  code?: string
}

export function noticePage({ words }: PageContext, notice: Notice, facts: NoticeFacts): Page {
  const { form, ways } = facts
  const links = ways.map((way, index) => toButton(way, index === 0 && !form ? 'first' : 'plain'))
  return {
    title: notice.heading,
    usesScript: form !== undefined,
    body: html`${toBigIcon(facts.tone)}<h1>${notice.heading}</h1>
<p>${toSentences(notice)}</p>
${toRows(facts.rows ?? [])}
${form || links.length > 0 ? html`<div class="stack">${form && toPayForm(words, form)}${form && toScriptNotes(words)}${links}</div>` : null}
${facts.code ? html`<p class="muted small">${words.labels.errorCode}: <code>${facts.code}</code></p>` : null}`,
  }
}

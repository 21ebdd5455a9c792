// The body of a redirect, for browsers that do not follow the redirect.
import { html } from '../lib/html.ts'
import type { Page, PageContext } from './page-parts.ts'
import { toButton, toBigIcon } from './page-parts.ts'

export type Destination = 'bank' | 'merchant' | 'state'

export function redirectPage({ words }: PageContext, to: Destination, url: string): Page {
  const texts: Record<Destination, { heading: string; text: string }> = {
    bank: { heading: words.redirect.heading, text: words.redirect.host(new URL(url).host) },
    merchant: { heading: words.success.heading, text: words.success.leaving },
    state: { heading: words.pending.heading, text: words.pending.money },
  }
  const { heading, text } = texts[to]
  return {
    title: heading,
    body: html`${toBigIcon(to === 'merchant' ? 'ok' : 'info')}<h1>${heading}</h1><p>${text}</p>
<div class="stack">${toButton({ href: url, label: words.actions.continue })}</div>`,
  }
}

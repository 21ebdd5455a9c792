// What stands in a redirect's answer. Browsers go on at once; whoever does not can see where to, and follow by hand.
import { html } from '../lib/html.ts'
import type { Page, PageContext } from './page-parts.ts'
import { toButton, toMark } from './page-parts.ts'

export type Destination = 'bank' | 'shop' | 'state'

export function movingPage({ words }: PageContext, to: Destination, url: string): Page {
  const texts: Record<Destination, { heading: string; text: string }> = {
    bank: { heading: words.redirect.heading, text: words.redirect.host(new URL(url).host) },
    shop: { heading: words.success.heading, text: words.success.leaving },
    state: { heading: words.pending.heading, text: words.pending.money },
  }
  const { heading, text } = texts[to]
  return {
    title: heading,
    body: html`${toMark(to === 'shop' ? 'ok' : 'info')}<h1>${heading}</h1><p>${text}</p>
<div class="stack">${toButton({ href: url, label: words.actions.continue })}</div>`,
  }
}

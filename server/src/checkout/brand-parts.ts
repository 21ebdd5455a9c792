// The parts that a merchant's brand adds to a payer page: logo, display name, colour of the button, contact.
import { toAccentPairs } from '@pazar/theme/brand'
import type { AccentPair } from '@pazar/theme/brand'
import type { Inline } from '../http/inline.ts'
import { toInline } from '../http/inline.ts'
import type { Html } from '../lib/html.ts'
import { html } from '../lib/html.ts'
import { toMailtoUrl } from '../lib/mailto.ts'
import { createMemo } from '../lib/memoize.ts'
import type { Brand } from '../projects/brand.ts'
import { toLogoPath } from '../projects/brand.ts'
import type { CheckoutWords } from './page-parts.ts'
import { toRows } from './page-parts.ts'

const LAYOUT =
  '.brand{display:flex;flex-wrap:wrap;align-items:center;gap:12px 16px;margin:0 0 20px;padding-bottom:20px;border-bottom:1px solid var(--line);font-weight:650;font-size:24px;line-height:1.2;overflow-wrap:anywhere}.brand img{display:block;height:56px;max-width:100%;border-radius:12px;object-fit:contain;object-position:left}.brand span{flex:1 1 160px;min-width:0}.idle dl{margin-top:8px}.brand+h1{font-size:16px;font-weight:400;color:var(--muted)}'

const toVariables = ({ accent, onAccent }: AccentPair) => `:root{--accent:${accent};--on-accent:${onAccent}}`

function toStyle(accent: string | null): Inline {
  if (accent === null) return toInline('style', LAYOUT)
  const { light, dark } = toAccentPairs(accent)
  // The accent may be too light for text, so links have the colour of the text.
  const colours = `${toVariables(light)}a{color:var(--text)}@media screen and (prefers-color-scheme:dark){${toVariables(dark)}}`
  return toInline('style', LAYOUT + colours)
}

const styles = createMemo<Inline>(1_000)

export function toBrandStyle({ accent }: Brand): Inline {
  return styles(accent ?? '', () => toStyle(accent))
}

/** The page has the merchant's name as text, so the logo needs no `alt` text. */
export function toBrandHead({ logo, displayName }: Brand): Html | null {
  if (logo === null && displayName === null) return null
  const picture = logo && html`<img src="${toLogoPath(logo)}" alt="" height="56">`
  return html`<p class="brand">${picture}${displayName && html`<span><bdi>${displayName}</bdi></span>`}</p>`
}

export function toBrandContact(words: CheckoutWords, { supportEmail, website }: Brand): Html | null {
  const mail = supportEmail && html`<a href="${toMailtoUrl(supportEmail)}">${supportEmail}</a>`
  const site = website && html`<a href="${website}" rel="noreferrer">${new URL(website).host}</a>`
  const rows = toRows([
    [words.labels.email, mail],
    [words.labels.site, site],
  ])
  return rows && html`<div class="idle"><p class="muted small">${words.labels.contact}</p>${rows}</div>`
}

// An icon for each of the shop's goods, as inline SVG.
import type { GoodId } from './goods.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

const PATHS: Readonly<Record<GoodId, string>> = {
  coffee: 'M5 10h11v5a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4zM16 11h2a2 2 0 0 1 0 5h-2M9 3v3M13 3v3',
  jug: 'M8 4h8l-1 4 2 4v6a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-6l2-4zM12 8l-1 3 2 2-1 3',
  vase: 'M9 4h6M10 4c0 4-4 5-4 10a6 6 0 0 0 3 6h6a6 6 0 0 0 3-6c0-5-4-6-4-10M6 13h12',
  padlock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3M12 15v2',
  wallet: 'M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM4 7l10-3v3M20 12h-5v3h5',
  passport: 'M6 3h12v18H6zM12 7a3 3 0 1 0 0 6a3 3 0 0 0 0-6M9 17h6',
  piggyBank: 'M5 11a6 5 0 0 1 6-5h3l3-2v4l3 3v3h-2l-2 3v3h-3v-2h-3v2H7v-4a6 6 0 0 1-2-5M10 9h4',
  pigeon: 'M3 13c3-5 7-5 9-3l3-4a2 2 0 0 1 4 1l2 1-2 1c0 6-4 9-10 9H6l2-3c-2 0-4-1-5-2M12 18v3',
  bottle: 'M10 3h4v4l2 4v10H8V11l2-4zM10 5h4M11 14l2 3M13 14l-2 3',
  snail: 'M3 19h14a4 4 0 0 0 4-4v-5M21 10l-1-3M19 10V7M11 19a6 6 0 1 1 6-6c0 5-7 5-7 1a2 2 0 0 1 3-1',
}

export function toGoodIcon(id: GoodId): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${PATHS[id]}" /></svg>`
}

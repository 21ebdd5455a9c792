// The list beside this picture says the same in words, so the picture is hidden from screen readers.
import type { Catalogue } from '@pazar/words'
import type { Html } from '../../lib/html.ts'
import { html } from '../../lib/html.ts'

type TripWords = Catalogue['home']['trip']

const COLUMNS = { shop: 56, payer: 159, service: 262, bank: 365 } as const
type Column = keyof typeof COLUMNS

interface Arrow {
  from: Column
  to: Column
  y: number
  label: keyof TripWords['arrows']
  /** The number of the step in the list. Absent if the arrow has no step of its own. */
  step?: number
}

const ARROWS: readonly Arrow[] = [
  { from: 'shop', to: 'payer', y: 92, label: 'link', step: 1 },
  { from: 'payer', to: 'service', y: 142, label: 'pays', step: 2 },
  { from: 'service', to: 'bank', y: 192, label: 'charge', step: 3 },
  { from: 'bank', to: 'service', y: 236, label: 'decision' },
  { from: 'service', to: 'shop', y: 288, label: 'result', step: 4 },
  { from: 'payer', to: 'shop', y: 338, label: 'back' },
]

const BADGE_RADIUS = 11
const BOX_WIDTH = 94
/** A longer name does not fit into its box. */
const NAME_LENGTH_MAX = 10
const ARROW_HEAD = 7

function toArrow(words: TripWords, { from, to, y, label, step }: Arrow): Html {
  const [start, end] = [COLUMNS[from], COLUMNS[to]]
  const side = Math.sign(end - start)
  const tip = end - side * 2
  const kind = step === undefined ? 'back' : label === 'result' ? 'result' : 'step'
  const badge =
    step !== undefined &&
    html`<circle cx="${start}" cy="${y}" r="${BADGE_RADIUS}"/><text class="n" x="${start}" y="${y + 4}">${step}</text>`
  return html`<g class="${kind}"><path d="M${start} ${y}H${tip}m${-side * ARROW_HEAD} ${-ARROW_HEAD + 2}l${side * ARROW_HEAD} ${ARROW_HEAD - 2}l${-side * ARROW_HEAD} ${ARROW_HEAD - 2}"/>${badge}<text x="${(start + end) / 2}" y="${y - 10}">${words.arrows[label]}</text></g>`
}

export function toTripPicture(words: TripWords, operatorName: string): Html {
  const names = operatorName.length > NAME_LENGTH_MAX ? words.who : { ...words.who, service: operatorName }
  const columns = Object.entries(COLUMNS).map(
    ([who, x]) =>
      html`<path class="life" d="M${x} 44V366"/><rect class="${who}" x="${x - BOX_WIDTH / 2}" y="6" width="${BOX_WIDTH}" height="38" rx="10"/><text class="who ${who}" x="${x}" y="30">${names[who as Column]}</text>`,
  )
  return html`<svg class="trip" viewBox="6 0 408 374" aria-hidden="true">${columns}${ARROWS.map((arrow) => toArrow(words, arrow))}</svg>`
}

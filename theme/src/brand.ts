// A merchant's accent colour on the payer's pages, adapted to both themes. The contrasts follow WCAG 2.2.
import { colours } from './tokens.ts'
import type { Theme } from './tokens.ts'

export const ACCENT_PATTERN = /^#[0-9a-f]{6}$/
/** The least contrast for parts of the page that are not text. */
const EDGE_CONTRAST_MIN = 3

function toChannels(hex: string): [number, number, number] {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16)) as [
    number,
    number,
    number,
  ]
}

function toHex(channels: readonly number[]): string {
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
}

function toLuminance(hex: string): number {
  const [red, green, blue] = toChannels(hex).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [toLuminance(one), toLuminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Checks every background, because focus rings are not only on the card, but also on the grey around the card. */
function standsOut(accent: string, theme: Theme): boolean {
  const { background, surface, raised } = colours[theme]
  return [background, surface, raised].every((colour) => contrast(accent, colour) >= EDGE_CONTRAST_MIN)
}

export function hasEnoughContrast(accent: string): boolean {
  return standsOut(accent, 'light')
}

export interface AccentPair {
  accent: string
  onAccent: string
}

function withText(accent: string): AccentPair {
  const [black, white] = ['#000000', '#ffffff']
  return { accent, onAccent: contrast(accent, white) >= contrast(accent, black) ? white : black }
}

/** Each step goes a twentieth of the way to white. */
const STEPS = 20

function lighten(accent: string): string {
  const channels = toChannels(accent)
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = toHex(channels.map((channel) => channel + ((255 - channel) * step) / STEPS))
    if (standsOut(mixed, 'dark')) return mixed
  }
  return '#ffffff'
}

/** Call this only if `hasEnoughContrast` accepts the accent. */
export function toAccentPairs(accent: string): { light: AccentPair; dark: AccentPair } {
  return { light: withText(accent), dark: withText(lighten(accent)) }
}

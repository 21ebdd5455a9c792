// Which screens the browser tests check: one per language in `npm test`, every width and theme in `npm run prove`.
import type { Locale } from '@pazar/words'
import { share } from './counts.ts'

export interface Screen {
  width: number
  theme: 'light' | 'dark'
}

/** The narrowest phone, a tablet and a desktop. */
const WIDTHS = [320, 768, 1280]

const ALL: readonly Screen[] = WIDTHS.flatMap((width): Screen[] => [
  { width, theme: 'light' },
  { width, theme: 'dark' },
])

// Montenegrin has the longer texts, so it gets the phone.
const ONE: Record<Locale, Screen> = {
  cnr: { width: 320, theme: 'light' },
  en: { width: 1280, theme: 'dark' },
}

export function screensFor(locale: Locale): readonly Screen[] {
  return share === 'prove' ? ALL : [ONE[locale]]
}

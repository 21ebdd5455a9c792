// The screens on which browser tests check a page: all twelve in `npm run prove`, one in `npm test`. In `npm test` the screen
// differs from page to page, so that every language, width and theme is used.
import type { Locale } from '@pazar/words'
import { LOCALES } from '@pazar/words'
import { runShare } from './counts.ts'

export interface Screen {
  locale: Locale
  width: number
  theme: 'light' | 'dark'
}

/** The narrowest phone, which every page must fit. */
export const NARROWEST = 320

/** A phone, a tablet and a desktop. */
const WIDTHS = [NARROWEST, 768, 1280]

const ALL: readonly Screen[] = LOCALES.flatMap((locale) =>
  WIDTHS.flatMap((width): Screen[] => [
    { locale, width, theme: 'light' },
    { locale, width, theme: 'dark' },
  ]),
)

/** The step has no common divisor with the number of screens, so all screens are used. */
const STEP = 5

/** The screens in `locale` for the page number `index`. None if `npm test` checks the page in the other language. */
export function screensFor(locale: Locale, index: number): readonly Screen[] {
  const screens = runShare === 'prove' ? ALL : ALL.slice((index * STEP) % ALL.length).slice(0, 1)
  return screens.filter((screen) => screen.locale === locale)
}

// Selects one of the two languages for a page, a mail or a response.

export type Locale = 'cnr' | 'en'

export const LOCALES: readonly Locale[] = ['cnr', 'en']

export const DEFAULT_LOCALE: Locale = 'en'

// Montenegrin pages are `sr-Latn-ME`, because screen readers have no voice for `cnr`, and `me` is not a language.
export const HTML_LANG: Readonly<Record<Locale, string>> = { cnr: 'sr-Latn-ME', en: 'en' }

// With `cnr`, Intl would sort like Serbian in Cyrillic. With `en`, it would write American dates.
export const INTL_TAG: Readonly<Record<Locale, string>> = { cnr: 'sr-Latn-ME', en: 'en-GB' }

// Intl is not used, because it calls Montenegrin "srpski (Crna Gora)".
export const LOCALE_LABEL: Readonly<Record<Locale, string>> = { cnr: 'Crnogorski', en: 'English' }

const ALIASES: ReadonlyMap<string, Locale> = new Map([
  ['cnr', 'cnr'],
  ['en', 'en'],
  ['me', 'cnr'],
  ['sr', 'cnr'],
  ['sr-latn', 'cnr'],
])

export function parseLocale(text: string): Locale | null {
  return ALIASES.get(text.toLowerCase()) ?? null
}

export interface LocaleHints {
  /** The first segment of the path, or the whole path. */
  path?: string | null | undefined
  query?: string | null | undefined
  cookie?: string | null | undefined
  account?: string | null | undefined
  acceptLanguage?: string | null | undefined
}

/** The first hint that names one of our languages decides. */
export function negotiateLocale(hints: LocaleHints): Locale {
  return (
    parsePathLocale(hints.path ?? '') ??
    parseLocale(hints.query ?? '') ??
    parseLocale(hints.cookie ?? '') ??
    parseLocale(hints.account ?? '') ??
    parseAcceptLanguage(hints.acceptLanguage ?? '') ??
    DEFAULT_LOCALE
  )
}

// Each page has one URL per language, so the path accepts no aliases and no capitals.
function parsePathLocale(path: string): Locale | null {
  const segment = path.replace(/^\//, '').split(/[/?#]/, 1)[0]
  return LOCALES.find((locale) => locale === segment) ?? null
}

const LANGUAGE_LOCALE: ReadonlyMap<string, Locale> = new Map([
  ['cnr', 'cnr'],
  ['sr', 'cnr'],
  ['sh', 'cnr'],
  ['bs', 'cnr'],
  ['hr', 'cnr'],
  ['en', 'en'],
])

function parseAcceptLanguage(header: string): Locale | null {
  let best: Locale | null = null
  let bestWeight = 0 // An entry of weight 0 is ignored.
  for (const entry of header.split(',')) {
    const [range = '', ...parameters] = entry.split(';')
    const locale = LANGUAGE_LOCALE.get(range.trim().toLowerCase().split('-', 1)[0] ?? '')
    const weight = parseWeight(parameters)
    if (locale && weight > bestWeight) {
      best = locale
      bestWeight = weight
    }
  }
  return best
}

/** The weight of an entry: its `q`, or 1 if it has no `q`. If RFC 9110 does not allow the `q`, the weight is 0. */
function parseWeight(parameters: string[]): number {
  const q = parameters.map((parameter) => parameter.trim()).find((parameter) => /^q=/i.test(parameter))
  if (q === undefined) return 1
  const value = q.slice(2)
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(value) ? Number(value) : 0
}

/** With reduced ICU data, Node.js would format Montenegrin amounts in another language. */
export function assertFullIcu(
  resolved: string = new Intl.NumberFormat(INTL_TAG.cnr).resolvedOptions().locale,
): void {
  if (resolved === INTL_TAG.cnr) return
  throw new Error(
    `This Node.js cannot format Montenegrin: it has no data for ${INTL_TAG.cnr} and would use ${resolved}. ` +
      'Run a build with full ICU.',
  )
}

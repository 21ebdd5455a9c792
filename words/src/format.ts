// Formats money, numbers and dates in each language. An unknown zone or a malformed currency code throws a RangeError.
import { INTL_TAG } from './locale.ts'
import type { Locale } from './locale.ts'

// Formatters are expensive to create. The cache has a limit, because a zone may be spelled in many ways.
const FORMATTERS_MAX = 500

const numberFormatters = new Map<string, Intl.NumberFormat>()
const dateFormatters = new Map<string, Intl.DateTimeFormat>()

function findOrCreate<F>(formatters: Map<string, F>, key: string, make: () => F): F {
  const existing = formatters.get(key)
  if (existing) return existing
  const created = make()
  if (formatters.size >= FORMATTERS_MAX) formatters.clear()
  formatters.set(key, created)
  return created
}

function toNumberFormat(locale: Locale, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  return findOrCreate(numberFormatters, key, () => new Intl.NumberFormat(INTL_TAG[locale], options))
}

function toDateFormat(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  return findOrCreate(dateFormatters, key, () => new Intl.DateTimeFormat(INTL_TAG[locale], options))
}

/**
 * `1500n, 'EUR', 2` becomes "15,00 €" with U+00A0, or "€15.00". Programs should not read the result: a negative amount
 * has a minus sign (U+2212).
 */
export function formatMoney(locale: Locale, amountMinor: bigint, currency: string, scale: number): string {
  const digits = { minimumFractionDigits: scale, maximumFractionDigits: scale }
  const format = findOrCreate(
    numberFormatters,
    `${locale} ${currency} ${scale}`,
    () => new Intl.NumberFormat(INTL_TAG[locale], { style: 'currency', currency, ...digits }),
  )
  return format.format(toDecimal(amountMinor, scale)).replace('-', '−')
}

// A Number would round the last cents of a large amount.
function toDecimal(amountMinor: bigint, scale: number): Intl.StringNumericLiteral {
  const sign = amountMinor < 0n ? '-' : ''
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(scale + 1, '0')
  const cut = digits.length - scale
  const fraction = scale > 0 ? `.${digits.slice(cut)}` : ''
  return `${sign}${digits.slice(0, cut)}${fraction}` as Intl.StringNumericLiteral
}

/** In whole units of the currency. From this amount on, labels are shortened: "150 hilj. €" or "€150k". */
const SHORTENED_FROM = 100_000

/**
 * If an amount is not whole, all labels have decimals. If all are whole and one is at least SHORTENED_FROM, all labels
 * are shortened.
 */
export function formatAxisMoney(
  locale: Locale,
  amountsMinor: readonly bigint[],
  currency: string,
  scale: number,
): string[] {
  const unit = 10n ** BigInt(scale)
  if (amountsMinor.some((amount) => amount % unit !== 0n))
    return amountsMinor.map((amount) => formatMoney(locale, amount, currency, scale))
  const isLong = amountsMinor.some((amount) => amount / unit >= SHORTENED_FROM)
  const format = toNumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 0,
    maximumFractionDigits: isLong ? 1 : 0,
    ...(isLong && { notation: 'compact' }),
  })
  return amountsMinor.map((amount) => format.format(amount / unit))
}

export function formatNumber(locale: Locale, value: number | bigint): string {
  return toNumberFormat(locale, {}).format(value)
}

/** `0.984` becomes "98,4%". Only a ratio of exactly 0 becomes "0%", and only a ratio of exactly 1 becomes "100%". */
export function formatPercent(locale: Locale, ratio: number): string {
  const shown = ratio > 0 && ratio < 1 ? Math.min(Math.max(ratio, 0.001), 0.999) : ratio
  return toNumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(shown)
}

// The English month has a name, because 08/11 can mean August or November.
const DAY_MONTH = {
  cnr: { day: '2-digit', month: '2-digit' },
  en: { day: 'numeric', month: 'short' },
} as const satisfies Record<Locale, Intl.DateTimeFormatOptions>
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** "26.07.2026." or "26 Jul 2026". */
export function formatDate(locale: Locale, date: Date, timeZone: string): string {
  return toDateFormat(locale, { ...DAY_MONTH[locale], year: 'numeric', timeZone }).format(date)
}

/** "26.07." or "26 Jul". */
export function formatDayMonth(locale: Locale, date: Date, timeZone: string): string {
  return toDateFormat(locale, { ...DAY_MONTH[locale], timeZone }).format(date)
}

/** "17:04". */
export function formatClock(locale: Locale, date: Date, timeZone: string): string {
  return toDateFormat(locale, { ...CLOCK, timeZone }).format(date)
}

/** "26.07.2026. 17:04" or "26 Jul 2026, 17:04". */
export function formatDateTime(locale: Locale, date: Date, timeZone: string): string {
  return toDateFormat(locale, { ...DAY_MONTH[locale], year: 'numeric', ...CLOCK, timeZone }).format(date)
}

/** "26.07.2026. 17:04:05 CEST". */
export function formatExactDateTime(locale: Locale, date: Date, timeZone: string): string {
  const clock = { ...CLOCK, second: '2-digit', timeZoneName: 'short' } as const
  return toDateFormat(locale, { ...DAY_MONTH[locale], year: 'numeric', ...clock, timeZone }).format(date)
}

/** "26.07.2026. 17:04 CEST". */
export function formatZonedDateTime(locale: Locale, date: Date, timeZone: string): string {
  const clock = { ...CLOCK, timeZoneName: 'short' } as const
  return toDateFormat(locale, { ...DAY_MONTH[locale], year: 'numeric', ...clock, timeZone }).format(date)
}

const CALENDAR = { day: '2-digit', month: '2-digit', year: 'numeric' } as const

// Intl uses the nominative ("26. jul"), which is wrong after a day.
const MONTHS_GENITIVE = [
  'januara',
  'februara',
  'marta',
  'aprila',
  'maja',
  'juna',
  'jula',
  'avgusta',
  'septembra',
  'oktobra',
  'novembra',
  'decembra',
]

/** "26. jula 2026." or "26 July 2026". */
export function formatLongDate(locale: Locale, date: Date, timeZone: string): string {
  if (locale === 'en') {
    return toDateFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(date)
  }
  const { year, month, day } = toCalendarDay(date, timeZone)
  return `${day}. ${MONTHS_GENITIVE[month - 1]} ${year}.`
}

export interface CalendarDay {
  year: number
  month: number
  day: number
}

export function toCalendarDay(date: Date | number, timeZone: string): CalendarDay {
  const parts = toDateFormat('en', { ...CALENDAR, timeZone }).formatToParts(date)
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return { year: read('year'), month: read('month'), day: read('day') }
}

export interface ClockParts extends CalendarDay {
  hour: number
  minute: number
  second: number
}

export function toClockParts(date: Date | number, timeZone: string): ClockParts {
  const parts = toDateFormat('en', { ...CALENDAR, ...CLOCK, second: '2-digit', timeZone }).formatToParts(date)
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
  }
}

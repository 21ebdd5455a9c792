// Writes CSV for spreadsheets, with the separator that Excel expects in each language. Text from a payer must not run as a
// formula on the merchant's computer.
import { toDay } from '@pazar/words'
import type { Locale } from '@pazar/words'

/** Without this byte order mark Excel uses the machine's old code page and breaks č, ć, š, ž. */
export const CSV_START = '\uFEFF'
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/** In languages with a decimal comma, spreadsheets separate cells with a semicolon. */
const CSV_FORMATS: Readonly<Record<Locale, { separator: string; decimalMark: string }>> = {
  cnr: { separator: ';', decimalMark: ',' },
  en: { separator: ',', decimalMark: '.' },
}

/**
 * Characters that end a cell or a line in some program. Both separators are in the list, because a file that is written
 * with one of them is often opened in a program that expects the other.
 */
const CELL_END = ',;\\t\\r\\n\\v\\f\\u0085\\u2028\\u2029'
const NEEDS_QUOTES = new RegExp(`["${CELL_END}]`)

/** Signs that start a formula. Spreadsheets in East Asian languages also accept their full-width and small forms. */
const FORMULA_SIGN = '[=+\\-@＝＋－＠﹦﹢﹣﹫−]'
/** Characters that some programs skip before a formula: all kinds of spaces, invisible characters, quotes. */
const SKIPPED_CHARACTERS = `(?:(?![${CELL_END}])[\\s\\p{Cf}\\p{Cc}\\p{Default_Ignorable_Code_Point}"])*`
/** Positions in a cell where some program could begin to read a formula. */
const FORMULA_START = new RegExp(
  `^(?=[\\t\\r\\n])|(?<=^|[${CELL_END}])(?=${SKIPPED_CHARACTERS}${FORMULA_SIGN})`,
  'gu',
)

/** A number that we made. It is written unchanged, because an apostrophe before its minus sign would turn it into text. */
interface Numeral {
  numeral: string
}

export type CsvValue = string | number | Numeral | null

export function toCsvLine(locale: Locale, values: readonly CsvValue[]): string {
  const { separator } = CSV_FORMATS[locale]
  const cells = values.map((value) => {
    const safeText =
      typeof value === 'object' && value !== null
        ? value.numeral
        : String(value ?? '').replaceAll(FORMULA_START, "'")
    return NEEDS_QUOTES.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText
  })
  return `${cells.join(separator)}\r\n`
}

/** "1500.00" or "1500,00": the language's decimal mark and no grouping, so that a spreadsheet reads a number. */
export function toCsvAmount(locale: Locale, amountMinor: bigint, scale: number): string {
  if (amountMinor < 0n) return `-${toCsvAmount(locale, -amountMinor, scale)}`
  const digits = amountMinor.toString().padStart(scale + 1, '0')
  if (scale === 0) return digits
  return `${digits.slice(0, -scale)}${CSV_FORMATS[locale].decimalMark}${digits.slice(-scale)}`
}

/** Writes "2026-07-26 17:04:05" in the given time zone; spreadsheets in every language read this as a date. */
export function createCsvLocalTime(timeZone: string): (at: Date) => string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => clock.format(at)
}

/** The name contains the day of the download, so that files of several days do not replace each other. */
export function toCsvAttachment(parts: readonly string[], atMs: number, timeZone: string): string {
  return `attachment; filename="${[...parts, toDay(atMs, timeZone)].join('-')}.csv"`
}

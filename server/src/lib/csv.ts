// Tables for spreadsheets. Each language gets the separator its Excel expects, and no cell can act: what a payer wrote
// into a link must not run as a formula on the merchant's desk.
import type { Locale } from '@pazar/words'

/** Without these bytes in front Excel reads the file in the machine's old code page and breaks č, ć, š, ž. */
export const CSV_START = '\uFEFF'
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/** Where the comma parts decimals, spreadsheets part cells by the semicolon. */
const WRITING: Readonly<Record<Locale, { separator: string; needsQuotes: RegExp; decimalMark: string }>> = {
  cnr: { separator: ';', needsQuotes: /[";\t\r\n]/, decimalMark: ',' },
  en: { separator: ',', needsQuotes: /[",\t\r\n]/, decimalMark: '.' },
}

const ACTS_AS_FORMULA = /^[=+\-@\t\r]/

export type CsvValue = string | number | null

export function toCsvLine(locale: Locale, values: readonly CsvValue[]): string {
  const { separator, needsQuotes } = WRITING[locale]
  const cells = values.map((value) => {
    const text = String(value ?? '')
    const inert = ACTS_AS_FORMULA.test(text) ? `'${text}` : text
    return needsQuotes.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
  })
  return `${cells.join(separator)}\r\n`
}

/** "1500.00" or "1500,00": the language's decimal mark and no grouping, so that a spreadsheet reads a number. */
export function toCsvAmount(locale: Locale, amountMinor: bigint, scale: number): string {
  const digits = amountMinor.toString().padStart(scale + 1, '0')
  if (scale === 0) return digits
  return `${digits.slice(0, -scale)}${WRITING[locale].decimalMark}${digits.slice(-scale)}`
}

/** Writes "2026-07-26 17:04:05" on that zone's clock, which spreadsheets of every language take for a date. */
export function createCsvLocalTime(timeZone: string): (at: Date) => string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => clock.format(at)
}

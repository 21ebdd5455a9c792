/** In the smallest unit of the currency. */
export const AMOUNT_MAX = '999999999999'

/**
 * Parses "15", "15,5", "1.500", "1.500,00", "1,500.00" or ",50" to the smallest unit, with or without the currency. A
 * separator before three digits usually separates thousands. Null if the text is invalid or ambiguous.
 */
export function parseAmount(text: string, scale: number, currency: string): string | null {
  const plain = text
    .replaceAll(/[\s€]/g, '')
    .replace(new RegExp(`^${currency}|${currency}$`, 'i'), '')
    .replace(/[.,]$/, '')
  // The whole part with its thousands separator, then the decimal mark and the fraction.
  const found = /^([1-9]\d{0,2}(?:([.,])\d{3})(?:\2\d{3})*|\d*)(?:([.,])(\d+))?$/.exec(plain)
  if (!found) return null
  const [, whole = '', group, decimalMark, fraction = ''] = found
  if (decimalMark !== undefined && decimalMark === group) return null
  // In a currency with three decimals, "1.500" can also mean one and a half.
  if (scale >= 3 && group !== undefined && decimalMark === undefined && whole.split(group).length === 2)
    return null
  if (fraction.length > scale) return null
  const digits = whole.replaceAll(/[.,]/g, '') + fraction.padEnd(scale, '0')
  const amount = digits.replace(/^0+/, '')
  return amount !== '' && amount.length <= AMOUNT_MAX.length ? amount : null
}

/** The opposite of parseAmount, without the currency. */
export function writeAmount(amount: string, scale: number, decimalMark: '.' | ','): string {
  const digits = amount.padStart(scale + 1, '0')
  return scale === 0 ? digits : `${digits.slice(0, -scale)}${decimalMark}${digits.slice(-scale)}`
}

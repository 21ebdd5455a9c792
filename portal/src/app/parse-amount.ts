/**
 * An amount as people write it, "15", "15,5", "1.500", "1.500,00", "1,500.00" or ",50", with or without the currency, as a
 * whole number of the smallest unit. The last mark is the decimal one unless three digits follow it. Null when it cannot
 * be meant, or could be meant in two ways.
 */
export function parseAmount(text: string, scale: number, currency: string): string | null {
  const plain = text
    .replaceAll(/[\s€]/g, '')
    .replace(new RegExp(`^${currency}|${currency}$`, 'i'), '')
    .replace(/[.,]$/, '')
  const found = /^([1-9]\d{0,2}(?:([.,])\d{3})(?:\2\d{3})*|\d*)(?:([.,])(\d+))?$/.exec(plain)
  if (!found) return null
  const [, whole = '', group, mark, fraction = ''] = found
  if (mark !== undefined && mark === group) return null
  // Where money has thousandths, "1.500" is one and a half to some.
  if (scale >= 3 && group !== undefined && mark === undefined && whole.split(group).length === 2) return null
  if (fraction.length > scale) return null
  const digits = whole.replaceAll(/[.,]/g, '') + fraction.padEnd(scale, '0')
  const amount = digits.replace(/^0+/, '')
  return /^[1-9]\d{0,11}$/.test(amount) ? amount : null
}

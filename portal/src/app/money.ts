import { formatMoney } from '@pazar/words'
import { facts } from './facts.ts'
import { locale } from './language.ts'

/** An amount as the service writes it, as people read it. */
export function showMoney(amount: string, currency: string = facts.currency): string {
  return formatMoney(locale, BigInt(amount), currency, facts.amountScale)
}

/**
 * An amount as people write it, "15", "15,5", "1.500,00" or "1,500.00", as a whole number of the smallest unit. The last
 * mark is the decimal one unless three digits follow it. Null when it cannot be meant.
 */
export function parseAmount(text: string, scale: number): string | null {
  const plain = text.replaceAll(/[\s\u00a0€]/g, '')
  const found = /^(\d+|\d{1,3}(?:([.,])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(plain)
  if (!found) return null
  const [, whole = '', group, mark, fraction = ''] = found
  if (mark !== undefined && mark === group) return null
  if (fraction.length > scale) return null
  const digits = whole.replaceAll(/[.,]/g, '') + fraction.padEnd(scale, '0')
  const amount = digits.replace(/^0+/, '')
  return /^[1-9]\d{0,11}$/.test(amount) ? amount : null
}

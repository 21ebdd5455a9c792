import { formatMoney } from '@pazar/words'
import { facts } from './facts.ts'
import { locale } from './language.ts'

/** An amount as the service writes it, as people read it. */
export function showMoney(
  amount: string,
  // A replica of the last release does not name the scale yet.
  { currency, scale = facts.amountScale }: { currency: string; scale?: number } = facts,
): string {
  return formatMoney(locale, BigInt(amount), currency, scale)
}

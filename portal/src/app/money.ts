import { formatMoney } from '@pazar/words'
import { facts } from './facts.ts'
import { locale } from './language.ts'

/** An amount as the service writes it, as people read it. */
export function showMoney(amount: string, currency: string = facts.currency): string {
  return formatMoney(locale, BigInt(amount), currency, facts.amountScale)
}

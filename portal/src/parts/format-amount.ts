import { formatMoney } from '@pazar/words'
import { pageData } from '../api/page-data.ts'
import { locale } from '../ui/language.ts'

/** Formats an amount in minor units, as the service sends it. */
export function formatAmount(
  amount: string,
  // A replica of the previous release does not send the scale yet.
  { currency, scale = pageData.amountScale }: { currency: string; scale?: number } = pageData,
): string {
  return formatMoney(locale, BigInt(amount), currency, scale)
}

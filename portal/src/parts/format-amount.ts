import { formatAxisMoney, formatMoney } from '@pazar/words'
import { pageData } from '../api/page-data.ts'
import { locale } from '../ui/language.ts'

/** `amount` is in the smallest unit. */
export function formatAmount(
  amount: string,
  // A replica of the previous release does not send the scale.
  { currency, scale = pageData.amountScale }: { currency: string; scale?: number | undefined } = pageData,
): string {
  return formatMoney(locale, BigInt(amount), currency, scale)
}

export function formatAxisAmounts(amounts: readonly bigint[]): string[] {
  return formatAxisMoney(locale, amounts, pageData.currency, pageData.amountScale)
}

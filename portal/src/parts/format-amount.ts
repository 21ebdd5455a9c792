import { formatAxisMoney, formatMoney } from '@pazar/words'
import { pageData } from '../api/page-data.ts'
import { locale } from '../ui/language.ts'

/** Formats an amount in minor units, as the service sends it. */
export function formatAmount(
  amount: string,
  // A replica of the previous release does not send the scale yet.
  { currency, scale = pageData.amountScale }: { currency: string; scale?: number | undefined } = pageData,
): string {
  return formatMoney(locale, BigInt(amount), currency, scale)
}

/** The labels of a chart's axis, in the currency of the service. */
export function formatAxisAmounts(amounts: readonly bigint[]): string[] {
  return formatAxisMoney(locale, amounts, pageData.currency, pageData.amountScale)
}

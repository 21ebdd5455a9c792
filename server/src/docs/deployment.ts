// The guide is written for `https://pay.example.me` and euros with two decimals. At start each deployment inserts its base URL
// and currency, so that every page and every command is correct for its readers.
import { formatMoney } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Config } from '../config.ts'

export type Deployment = Pick<Config, 'baseUrl' | 'currency' | 'amountScale'>

export const WRITTEN_FOR: Deployment = { baseUrl: 'https://pay.example.me', currency: 'EUR', amountScale: 2 }

/** The formatted amounts in the guide; one that is missing here fails the guide's test. */
const SHOWN_AMOUNTS = [1n, 1_500n, 2_490n, 4_000n]

export function adaptToDeployment(markdown: string, locale: Locale, here: Deployment): string {
  const money = (amount: bigint, { currency, amountScale }: Deployment) =>
    formatMoney(locale, amount, currency, amountScale)
  const amounts = SHOWN_AMOUNTS.map((amount) => [money(amount, WRITTEN_FOR), money(amount, here)] as const)
  return [...amounts, [WRITTEN_FOR.baseUrl, here.baseUrl] as const]
    .reduce((text, [written, actual]) => text.replaceAll(written, actual), markdown)
    .replaceAll(/\bEUR\b/g, here.currency)
}

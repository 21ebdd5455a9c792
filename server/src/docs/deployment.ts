// The guide is written for one service, `https://pay.example.me`, that counts in euros with two digits. What another
// deployment does otherwise is put in when it starts, so that every page and every command is true where it is read.
import { formatMoney } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Config } from '../config.ts'

export type Deployment = Pick<Config, 'baseUrl' | 'currency' | 'amountScale'>

export const WRITTEN_FOR: Deployment = { baseUrl: 'https://pay.example.me', currency: 'EUR', amountScale: 2 }

/** Amounts that the guide shows to people; a new one that is not listed here fails the guide's test. */
const SHOWN_AMOUNTS = [1n, 1_500n, 2_490n, 4_000n]

export function fitDeployment(markdown: string, locale: Locale, here: Deployment): string {
  const money = (amount: bigint, { currency, amountScale }: Deployment) =>
    formatMoney(locale, amount, currency, amountScale)
  const amounts = SHOWN_AMOUNTS.map((amount) => [money(amount, WRITTEN_FOR), money(amount, here)] as const)
  return [...amounts, [WRITTEN_FOR.baseUrl, here.baseUrl] as const]
    .reduce((text, [written, meant]) => text.replaceAll(written, meant), markdown)
    .replaceAll(/\bEUR\b/g, here.currency)
}

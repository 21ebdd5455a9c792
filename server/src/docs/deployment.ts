// The guide is written for `https://pay.example.me` and euros with two decimals. Each deployment inserts its own base URL and
// currency, so that every page and every command is correct for its readers.
import { formatMoney, INTL_TAG } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { Config } from '../config.ts'

export type Deployment = Pick<Config, 'baseUrl' | 'currency' | 'amountScale'> &
  Partial<Pick<Config, 'operatorName' | 'supportUrl'>>

export const GUIDE_DEPLOYMENT: Deployment = {
  baseUrl: 'https://pay.example.me',
  currency: 'EUR',
  amountScale: 2,
}

/** The name of the currency at the beginning of a sentence: `Euro (EUR)`. */
function toCurrencyName(locale: Locale, currency: string): string {
  // Intl has the Serbian “evro”; the Central Bank of Montenegro writes “euro”.
  if (currency === 'EUR') return 'Euro (EUR)'
  const name = new Intl.DisplayNames(INTL_TAG[locale], { type: 'currency' }).of(currency) ?? currency
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} (${currency})`
}

/** The formatted amounts in the guide. The guide's test fails if one is missing here. */
const SHOWN_AMOUNTS = [1n, 1_500n, 2_490n, 4_000n]

const OPERATOR = /the operator of this service|operater(?:a|u|om)? ovog servisa/gi

function nameOperator(markdown: string, { operatorName, supportUrl }: Deployment): string {
  if (!supportUrl) return markdown
  const label = supportUrl.replace(/^mailto:|^https?:\/\//, '').replace(/\/$/, '')
  const contact = [operatorName, `[${label}](${supportUrl})`].filter(Boolean).join(', ')
  // A function, because `$` in a replacement text has a special meaning.
  return markdown.replaceAll(OPERATOR, (found) => `${found} (${contact})`)
}

export function adaptToDeployment(markdown: string, locale: Locale, actual: Deployment): string {
  const money = (amount: bigint, { currency, amountScale }: Deployment) =>
    formatMoney(locale, amount, currency, amountScale)
  const amounts = SHOWN_AMOUNTS.map(
    (amount) => [money(amount, GUIDE_DEPLOYMENT), money(amount, actual)] as const,
  )
  const name = (deployment: Deployment) => toCurrencyName(locale, deployment.currency)
  return nameOperator(
    [
      ...amounts,
      [name(GUIDE_DEPLOYMENT), name(actual)] as const,
      [GUIDE_DEPLOYMENT.baseUrl, actual.baseUrl] as const,
    ]
      .reduce((text, [from, to]) => text.replaceAll(from, () => to), markdown)
      .replaceAll(/\bEUR\b/g, actual.currency),
    actual,
  )
}

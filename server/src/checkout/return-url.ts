// The URL to which the payer returns: the merchant's resultUrl with our parameters. Anybody can write such a URL, so it
// proves no payment.
import type { Mode } from '@pazar/contract'
import { createMemo } from '../lib/memoize.ts'

export interface ReturnFacts {
  status: 'success' | 'fail' | 'cancel' | 'pending'
  transactionId?: string | null
  customId: string | null
  mode: Mode
}

interface ReturnParts {
  beforeQuery: string
  /** The merchant's parameters by name. They are not parsed with URLSearchParams, which would change their encoding. */
  pairs: readonly { name: string; pair: string }[]
  hash: string
}

function toParts(resultUrl: string): ReturnParts {
  const url = new URL(resultUrl)
  const pairs = url.search.slice(1).split('&')
  return {
    beforeQuery: url.origin + url.pathname,
    pairs: pairs.filter((pair) => pair !== '').map((pair) => ({ name: pair.split('=')[0]!, pair })),
    hash: url.hash,
  }
}

/** Memoized, so that a merchant's URL is not parsed for every payer. */
const partsOf = createMemo<ReturnParts>(1_000)

function toPair(name: string, value: string): string {
  // The apostrophe is encoded as in an address bar. encodeURIComponent does not encode it.
  return `${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`
}

export function toReturnUrl(resultUrl: string, facts: ReturnFacts): string {
  const { beforeQuery, pairs, hash } = partsOf(resultUrl, () => toParts(resultUrl))
  const { status, transactionId, customId, mode } = facts
  const ourParameters = Object.entries({
    status,
    transactionId,
    customId,
    mode: mode === 'test' ? mode : null,
  }).filter((entry): entry is [string, string] => Boolean(entry[1]))
  // A parameter that we do not set this time keeps the merchant's value.
  const merchantPairs = pairs
    .filter(({ name }) => !ourParameters.some(([set]) => set === name))
    .map(({ pair }) => pair)
  return `${beforeQuery}?${[...merchantPairs, ...ourParameters.map(([name, value]) => toPair(name, value))].join('&')}${hash}`
}

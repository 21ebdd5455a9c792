// Where the payer's browser goes back to. The stored URL with our parameters set; everything else of it is kept as the
// merchant wrote it. It proves nothing: the callback does.
import type { Mode } from '@pazar/contract'
import { createKept } from '../lib/kept.ts'

export interface ReturnFacts {
  status: 'success' | 'fail' | 'cancel' | 'pending'
  transactionId?: string | null
  customId: string | null
  mode: Mode
}

const OUR_NAMES = new Set(['status', 'transactionId', 'customId', 'mode'])

interface ReturnParts {
  beforeQuery: string
  /** The merchant's own. Not read by URLSearchParams, which would rewrite their encoding. */
  pairs: readonly string[]
  hash: string
}

function toParts(resultUrl: string): ReturnParts {
  const url = new URL(resultUrl)
  const pairs = url.search.slice(1).split('&')
  return {
    beforeQuery: url.origin + url.pathname,
    pairs: pairs.filter((pair) => pair !== '' && !OUR_NAMES.has(pair.split('=')[0]!)),
    hash: url.hash,
  }
}

/** A shop's address is taken apart once, not for each of its payers. */
const partsOf = createKept<ReturnParts>(1_000)

function toPair(name: string, value: string | null | undefined): string[] {
  // The apostrophe as an address bar would write it; encodeURIComponent leaves it as it is.
  return value ? [`${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`] : []
}

export function toReturnUrl(resultUrl: string, facts: ReturnFacts): string {
  const { beforeQuery, pairs, hash } = partsOf(resultUrl, () => toParts(resultUrl))
  const query = [
    ...pairs,
    ...toPair('status', facts.status),
    ...toPair('transactionId', facts.transactionId),
    ...toPair('customId', facts.customId),
    ...toPair('mode', facts.mode === 'test' ? 'test' : null),
  ]
  return `${beforeQuery}?${query.join('&')}${hash}`
}

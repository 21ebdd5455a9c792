// Where the payer's browser goes back to. The stored URL with our parameters set; everything else of it is kept as the
// merchant wrote it. It proves nothing: the callback does.
import type { Mode } from '@pazar/contract'

export interface ReturnFacts {
  status: 'success' | 'fail' | 'cancel' | 'pending'
  transactionId?: string | null
  customId: string | null
  mode: Mode
}

export function toReturnUrl(resultUrl: string, facts: ReturnFacts): string {
  const url = new URL(resultUrl)
  const ours: [name: string, value: string | null | undefined][] = [
    ['status', facts.status],
    ['transactionId', facts.transactionId],
    ['customId', facts.customId],
    ['mode', facts.mode === 'test' ? 'test' : null],
  ]
  const names = new Set(ours.map(([name]) => name))
  // Not URLSearchParams over the whole: it would rewrite the merchant's own encoding.
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !names.has(pair.split('=')[0]!))
  const set = ours.flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : []))
  url.search = [...kept, ...set].join('&')
  return url.href
}

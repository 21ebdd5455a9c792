// Style and script that stand in the page itself, each allowed by its hash; the content policy refuses all other inline
// text.
import { createHash } from 'node:crypto'
import type { Html } from '../lib/html.ts'
import { trustedMarkup } from '../lib/html.ts'

export interface Inline {
  element: Html
  /** As the content policy names it. */
  hash: string
}

export function toInline(tag: 'style' | 'script', text: string): Inline {
  const hash = `sha256-${createHash('sha256').update(text).digest('base64')}`
  return { element: trustedMarkup(`<${tag}>${text}</${tag}>`), hash }
}

/** As sent: without comments, indentation and the blanks that types leave behind. */
export function toScriptText(run: () => void): string {
  const lines = run
    .toString()
    .split('\n')
    .map((line) => line.trim().replaceAll(/ {2,}/g, ' '))
  return `(${lines.filter((line) => line !== '' && !line.startsWith('//')).join('\n')})()`
}

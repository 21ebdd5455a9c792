// Inline styles and scripts, each allowed by its hash. The content security policy refuses all others.
import { createHash } from 'node:crypto'
import type { Html } from '../lib/html.ts'
import { trustedMarkup } from '../lib/html.ts'

export interface Inline {
  element: Html
  /** `sha256-…`, as the content security policy names it. */
  hash: string
}

export function toInline(tag: 'style' | 'script', text: string): Inline {
  const hash = `sha256-${createHash('sha256').update(text).digest('base64')}`
  return { element: trustedMarkup(`<${tag}>${text}</${tag}>`), hash }
}

/**
 * Returns a script that calls the function. Comment lines, indentation and the spaces that Node leaves in place of types are
 * removed.
 */
export function toScriptText(run: () => void): string {
  const lines = run
    .toString()
    .split('\n')
    .map((line) => line.trim().replaceAll(/ {2,}/g, ' '))
  return `(${lines.filter((line) => line !== '' && !line.startsWith('//')).join('\n')})()`
}

import { toCodeTokens } from '@pazar/words'
import { escapeHtml } from '../lib/html.ts'

function toSpans(kind: string, text: string): string {
  return escapeHtml(text).replaceAll(/[^\n]+/g, `<span class="${kind}">$&</span>`)
}

/** No span goes over the end of a line. Code of an unknown language is only escaped. */
export function highlight(code: string, name: string): string {
  return toCodeTokens(code, name)
    .map(({ kind, text }) => (kind === null ? escapeHtml(text) : toSpans(kind, text)))
    .join('')
}

/**
 * In characters. A deeper indentation counts as this width. Otherwise the rest of a wrapped line would have too little space
 * on a phone.
 */
export const INDENT_MAX = 12

/** Each line gets a class for its indentation, so that docs-style.ts can indent the rest of a line that wraps. */
export function toLines(html: string): string {
  return html
    .split('\n')
    .map((line) => {
      const [, indentation = ''] = /^(?:<span class="\w+">)?([ \t]*)/.exec(line) ?? []
      const width = Math.min(indentation.replaceAll('\t', '  ').length, INDENT_MAX)
      const joined = line.replace(/ \\$/, '<span class="joined">$&</span>')
      return `<span class="line${width === 0 ? '' : ` in${width}`}">${joined}</span>`
    })
    .join('\n')
}

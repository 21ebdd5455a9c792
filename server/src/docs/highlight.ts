// Colours for the code on the docs pages, as spans that need no script.
import { toCodeTokens } from '@pazar/words'
import { escapeHtml } from '../lib/html.ts'

function toSpans(kind: string, text: string): string {
  return escapeHtml(text).replaceAll(/[^\n]+/g, `<span class="${kind}">$&</span>`)
}

/** The code as HTML. No span goes over the end of a line. Without a known language the code is only escaped. */
export function highlight(code: string, name: string): string {
  return toCodeTokens(code, name)
    .map(({ kind, text }) => (kind === null ? escapeHtml(text) : toSpans(kind, text)))
    .join('')
}

/** Lines with a deeper indentation are rare. On a phone there would be too little space for the rest of such a line. */
export const INDENT_MAX = 12

/**
 * Puts each line of highlighted code into a span with its indentation as class. So the rest of a line that wraps begins to
 * the right of the line's own indentation (docs-style.ts). A backslash at the end of a line is never alone on the next one.
 */
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

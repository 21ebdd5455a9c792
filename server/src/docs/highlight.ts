// Colours for the code on the docs pages, as spans that need no script.
import { toCodeTokens } from '@pazar/words'
import { escapeHtml } from '../lib/html.ts'

/** The code as HTML. Without a known language it is only escaped. */
export function highlight(code: string, name: string): string {
  return toCodeTokens(code, name)
    .map(({ kind, text }) =>
      kind === null ? escapeHtml(text) : `<span class="${kind}">${escapeHtml(text)}</span>`,
    )
    .join('')
}

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { cutSample } from '@pazar/words'
import { highlight } from '../../docs/highlight.ts'
import type { Html } from '../../lib/html.ts'
import { trustedMarkup } from '../../lib/html.ts'

const FILE = path.join(import.meta.dirname, '../../../../examples/home/callback.ts')

/** Line breaks for phones: after each of these texts, a new line begins with this indent. */
const PHONE_BREAKS: readonly (readonly [after: string, indent: number])[] = [
  ['safeVerifyCallback } ', 2],
  ['POST(', 2],
  ['request: Request', 0],
  ['result = ', 4],
  ['await safeVerifyCallback(', 6],
  ['expectedAmount: ', 8],
  ['({ customId }) => ', 10],
  ['(!result.ok) ', 4],
  ['new Response(', 6],
  ['result.reason, ', 6],
  ['successful, customId } = ', 4],
  ['if (successful) ', 4],
]

/** Lines that are indented more on a phone, because PHONE_BREAKS indents the line before them. */
const PHONE_INDENTED = ['    secret,', '    expectedAmount', '  })']
const PHONE_INDENT = '  '

/** A break is marked in the code by a private-use character: MARK_START plus the indent of the new line. */
const MARK_START = 0xe000
/** Marks the start of a line of PHONE_INDENTED. */
const INDENT_MARK = '\uE010'

/** Each break is an empty element that only the style for phones shows, so copied code has no extra lines. */
function toPhoneBreaks(markup: string): string {
  return markup
    .replaceAll(INDENT_MARK, `<i data-more="${PHONE_INDENT}"></i>`)
    .replaceAll(/[\uE000-\uE00F]/g, (mark) => {
      const indent = ' '.repeat(mark.charCodeAt(0) - MARK_START)
      return `<i data-indent="${indent}"></i>`
    })
}

export function readHomeSample(): Html {
  const code = cutSample(readFileSync(FILE, 'utf8')).trimEnd()
  const marked = PHONE_BREAKS.reduce(
    (text, [after, indent]) => text.replace(after, after + String.fromCharCode(MARK_START + indent)),
    code,
  )
  const indented = PHONE_INDENTED.reduce(
    (text, line) => text.replace(`\n${line}`, `\n${INDENT_MARK}${line}`),
    marked,
  )
  return trustedMarkup(toPhoneBreaks(highlight(indented, 'ts')))
}

// HTML template strings. Every value is escaped, unless it is markup made by `html` or `trustedMarkup`.
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

type Value = string | number | Html | readonly Value[] | null | undefined | false

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char]!)
}

function toMarkup(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(toMarkup).join('')
  return escapeHtml(String(value))
}

export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  let text = strings[0]!
  for (let index = 0; index < values.length; index += 1) text += toMarkup(values[index]) + strings[index + 1]!
  return new Html(text)
}

/**
 * Only for text that is written in this repository. If a caller puts a value into the text, the caller must escape or check
 * the value first.
 */
export function trustedMarkup(text: string): Html {
  return new Html(text)
}

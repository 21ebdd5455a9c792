// Markup in template strings. Values are escaped, unless they are of the type Html.
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | null | readonly Value[]

export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toMarkup)))
}

function toMarkup(value: Value): string {
  if (value === null) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(toMarkup).join('')
  return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

// A request as a server's log or a debugger writes it down: perhaps a first line, headers, an empty line, the body. A file
// with a body alone is one without headers.
export interface RawRequest {
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
}

const HEADER = /^([!#$%&'*+.^_`|~0-9a-z-]+)\s*:\s*(.*?)\s*$/i

export function parseRawRequest(text: string): RawRequest {
  const empty = /\r?\n\r?\n/.exec(text)
  const head = empty === null ? text : text.slice(0, empty.index)
  const lines = head.split(/\r?\n/)
  const own = /^(POST|PUT) \S+/.test(lines[0] ?? '') ? lines.slice(1) : lines
  if (own.length === 0 || !own.every((line) => HEADER.test(line))) return { headers: {}, body: text }
  return {
    headers: parseHeaderLines(own),
    body: empty === null ? '' : text.slice(empty.index + empty[0].length),
  }
}

/** A header that is there twice stays twice: that is one of the faults looked for. */
export function parseHeaderLines(lines: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER.exec(line) ?? []
    if (name === '') continue
    const known = headers[name.toLowerCase()]
    headers[name.toLowerCase()] = known === undefined ? value : [known, value].flat()
  }
  return headers
}

// Parses a request copied from a log, a debugger or `curl -v`. A text may also contain only the body.
export interface RawRequest {
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
}

const HEADER = /^([!#$%&'*+.^_`|~0-9a-z-]+)\s*:\s*(.*?)\s*$/i

/** HTTP/2 has these headers instead of a request line. */
const PSEUDO_HEADER = /^:[a-z]+: ?\S/
/**
 * Lines that curl adds: remarks, byte counts such as `{ [5 bytes data]`, the response's headers. The `[` is required, because a
 * body can begin with `{ ` too.
 */
const CURL_EXTRA = /^(?:\* .*|[{}] \[.*\]|<(?: .*)?)\r?\n/

export function parseRawRequest(text: string): RawRequest {
  // A byte order mark before headers is removed. Before a body it stays, because it changes the signature.
  const plain = text.replace(/^\uFEFF/, '')
  const curl = skipExtras(plain)
  if (/^> (POST|PUT) /.test(curl)) return parseCurl(curl)
  return findRequest(plain) ?? { headers: {}, body: text }
}

function findRequest(text: string): RawRequest | null {
  const emptyLine = /\r?\n\r?\n/.exec(text)
  const head = emptyLine === null ? text : text.slice(0, emptyLine.index)
  const lines = head.split(/\r?\n/).filter((line) => !PSEUDO_HEADER.test(line))
  const headerLines = /^(POST|PUT) \S+/.test(lines[0] ?? '') ? lines.slice(1) : lines
  if (headerLines.length === 0 || !headerLines.every((line) => HEADER.test(line))) return null
  return {
    headers: parseHeaderLines(headerLines),
    body: emptyLine === null ? '' : text.slice(emptyLine.index + emptyLine[0].length),
  }
}

/** Header lines begin with `> `. curl does not show the body, but the user may have added the body below. */
function parseCurl(text: string): RawRequest {
  const head = /^(?:> ?.*(?:\r?\n|$))+/.exec(text)?.[0] ?? ''
  const lines = head.split(/\r?\n/).map((line) => line.replace(/^> ?/, ''))
  return { headers: parseHeaderLines(lines), body: skipExtras(text.slice(head.length)) }
}

function skipExtras(text: string): string {
  let rest = text
  for (let extra = CURL_EXTRA.exec(rest); extra !== null; extra = CURL_EXTRA.exec(rest))
    rest = rest.slice(extra[0].length)
  return rest
}

/** The result contains duplicate headers, because the service reports them as a problem. */
export function parseHeaderLines(lines: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER.exec(line) ?? []
    if (name === '') continue
    const key = name.toLowerCase()
    // Every object inherits a property `constructor`, which is not a header.
    const previous = Object.hasOwn(headers, key) ? headers[key] : undefined
    headers[key] = previous === undefined ? value : [previous, value].flat()
  }
  return headers
}

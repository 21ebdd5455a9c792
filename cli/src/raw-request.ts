// A request as a server's log, a debugger or `curl -v` writes it down: perhaps a first line, headers, an empty line, the
// body. A file with a body alone is one without headers.
export interface RawRequest {
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
}

const HEADER = /^([!#$%&'*+.^_`|~0-9a-z-]+)\s*:\s*(.*?)\s*$/i

/** Of HTTP/2, which has no first line. */
const PSEUDO_HEADER = /^:[a-z]+: ?\S/
/** What curl says beside the request: remarks, bytes that went by, the answer's head. */
const CURL_ASIDE = /^(?:[*{}] .*|<(?: .*)?)\r?\n/

export function parseRawRequest(text: string): RawRequest {
  // A byte order mark before headers is the editor's; before a body it is a fault to be found.
  const plain = text.replace(/^\uFEFF/, '')
  const curl = skipAsides(plain)
  if (/^> (POST|PUT) /.test(curl)) return parseCurl(curl)
  return findRequest(plain) ?? { headers: {}, body: text }
}

function findRequest(text: string): RawRequest | null {
  const empty = /\r?\n\r?\n/.exec(text)
  const head = empty === null ? text : text.slice(0, empty.index)
  const lines = head.split(/\r?\n/).filter((line) => !PSEUDO_HEADER.test(line))
  const own = /^(POST|PUT) \S+/.test(lines[0] ?? '') ? lines.slice(1) : lines
  if (own.length === 0 || !own.every((line) => HEADER.test(line))) return null
  return {
    headers: parseHeaderLines(own),
    body: empty === null ? '' : text.slice(empty.index + empty[0].length),
  }
}

/** Its head stands behind `> ` up to an empty one; a body was put below by whoever wrote the file. */
function parseCurl(text: string): RawRequest {
  const head = /^(?:> ?.*(?:\r?\n|$))+/.exec(text)?.[0] ?? ''
  const lines = head.split(/\r?\n/).map((line) => line.replace(/^> ?/, ''))
  return { headers: parseHeaderLines(lines), body: skipAsides(text.slice(head.length)) }
}

function skipAsides(text: string): string {
  let rest = text
  for (let aside = CURL_ASIDE.exec(rest); aside !== null; aside = CURL_ASIDE.exec(rest))
    rest = rest.slice(aside[0].length)
  return rest
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

// Parses a request that a person pastes. It may be copied from a log or a terminal, or be JSON.
export interface RequestParts {
  id: string
  timestamp: string
  signature: string
  body: string
}

/** Null if the text has no header of a callback. */
export function parseRequest(text: string): RequestParts | null {
  return parseJson(text) ?? parseHttp(text)
}

function toParts(headers: ReadonlyMap<string, string>, body: string): RequestParts | null {
  const id = headers.get('webhook-id') ?? ''
  const timestamp = headers.get('webhook-timestamp') ?? ''
  const signature = headers.get('webhook-signature') ?? ''
  return id || timestamp || signature ? { id, timestamp, signature, body } : null
}

/** Many logs write a request as an object with headers and body. */
function parseJson(text: string): RequestParts | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || !('headers' in value)) return null
  const { headers } = value
  const body = 'body' in value ? value.body : ''
  if (typeof headers !== 'object' || headers === null) return null
  const headerEntries = Object.entries(headers).map(([name, one]): [string, string] => [
    name.toLowerCase(),
    String(one),
  ])
  return toParts(new Map(headerEntries), typeof body === 'string' ? body : JSON.stringify(body))
}

/** curl prints an arrow before each line that it sends. */
const CURL_ARROW = /^> ?/
const HEADER = /^([\w-]+)\s*:\s*(.*)$/

function parseHttp(text: string): RequestParts | null {
  const lines = text.split('\n')
  const headers = new Map<string, string>()
  let index = 0
  for (; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').replace(/\r$/, '').replace(CURL_ARROW, '')
    // The headers end at an empty line, or at the body if a log has lost that line. Empty lines before the headers are
    // skipped.
    const isEmptyAfterHeaders = line.trim() === '' && headers.size > 0
    if (isEmptyAfterHeaders || line.startsWith('{')) break
    const [, name, value] = HEADER.exec(line) ?? []
    if (name !== undefined && value !== undefined) headers.set(name.toLowerCase(), value.trim())
  }
  const isBlank = (lines[index] ?? '').replace(CURL_ARROW, '').trim() === ''
  // The body stays unchanged, because every byte is signed.
  return toParts(headers, lines.slice(isBlank ? index + 1 : index).join('\n'))
}

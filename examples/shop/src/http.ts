// Reads request bodies and writes responses.
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface ShopResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

// The longest callback has about 31 KiB.
const BODY_BYTES_MAX = 64 * 1024

/** The bytes as received, or null if there are too many. Even then all bytes are read, so that a response can be sent. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  return length <= BODY_BYTES_MAX ? Buffer.concat(chunks) : null
}

export function toText(status: number, text: string): ShopResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` }
}

export function toJson(value: object): ShopResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

/** 303 makes the browser continue with a GET, so that a reload does not buy again. */
export function redirect(location: string): ShopResponse {
  return { status: 303, headers: { location } }
}

export function writeResponse(response: ServerResponse, { status, headers, body }: ShopResponse): void {
  response.writeHead(status, {
    // An order can change at any moment, so its page must not be cached.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    ...headers,
  })
  response.end(body)
}

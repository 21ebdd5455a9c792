// The little HTTP that the shop needs: a body read with a limit, and answers as values that are written in one place.
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

// The longest honest callback has about 31 KiB, since its data stands in the body and again in the hash.
const BODY_BYTES_MAX = 64 * 1024

/** The bytes exactly as they came, or null when there are too many; those are read and dropped, to answer at all. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  return length <= BODY_BYTES_MAX ? Buffer.concat(chunks) : null
}

export function toText(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` }
}

export function toJson(value: object): Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

/** 303 makes the browser go on with a GET, so that a reload never buys again. */
export function redirect(location: string): Answer {
  return { status: 303, headers: { location } }
}

export function write(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, {
    // An order changes from one second to the next; no copy of its page may be kept.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    ...headers,
  })
  response.end(body)
}

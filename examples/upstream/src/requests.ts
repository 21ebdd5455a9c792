import type { IncomingMessage } from 'node:http'

/** The largest request opens a payment: it has at most 2 KiB of `data`, and a few hundred bytes besides. */
const BODY_BYTES_MAX = 64 * 1024

export class Refusal extends Error {
  readonly status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

export async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_BYTES_MAX) throw new Refusal(413, 'too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

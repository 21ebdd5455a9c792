// A merchant's server in tests: real HTTP on a loopback port, records every callback it got, responds as set.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedCallback {
  id: string
  headers: IncomingHttpHeaders
  raw: Buffer
  body: Record<string, unknown>
}

export type MerchantReply = (answer: ServerResponse, callback: ReceivedCallback) => void

export interface Merchant {
  url: string
  /** What CALLBACK_ALLOW_HOSTS must name for it. */
  pair: string
  received: ReceivedCallback[]
  /** May be replaced while it runs. */
  reply: MerchantReply
  close(): Promise<void>
}

export const accept: MerchantReply = (answer) => answer.writeHead(200).end('ok')

export function answerWith(status: number, body = '', headers: Record<string, string> = {}): MerchantReply {
  return (answer) => answer.writeHead(status, headers).end(body)
}

export async function startMerchant(reply: MerchantReply = accept): Promise<Merchant> {
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const callback = {
        id: String(request.headers['webhook-id']),
        headers: request.headers,
        raw,
        body: JSON.parse(raw.toString()) as Record<string, unknown>,
      }
      merchant.received.push(callback)
      merchant.reply(answer, callback)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pair = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const merchant: Merchant = {
    url: `http://${pair}/callback`,
    pair,
    received: [],
    reply,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return merchant
}

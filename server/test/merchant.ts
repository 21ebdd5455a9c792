// A merchant's server on a loopback port. It records every callback that it receives.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedCallback {
  id: string
  /** The path with the query. */
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
  body: Record<string, unknown>
}

export type MerchantReply = (response: ServerResponse, callback: ReceivedCallback) => void

export interface Merchant {
  url: string
  /** The server's host:port, which CALLBACK_ALLOW_HOSTS must contain. */
  hostAndPort: string
  received: ReceivedCallback[]
  reply: MerchantReply
  close(): Promise<void>
}

export const accept: MerchantReply = (response) => response.writeHead(200).end('ok')

export function respondWith(status: number, body = '', headers: Record<string, string> = {}): MerchantReply {
  return (response) => response.writeHead(status, headers).end(body)
}

export async function startMerchant(reply: MerchantReply = accept): Promise<Merchant> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const callback = {
        id: String(request.headers['webhook-id']),
        path: request.url ?? '',
        headers: request.headers,
        raw,
        body: JSON.parse(raw.toString()) as Record<string, unknown>,
      }
      merchant.received.push(callback)
      merchant.reply(response, callback)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hostAndPort = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const merchant: Merchant = {
    url: `http://${hostAndPort}/callback`,
    hostAndPort,
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

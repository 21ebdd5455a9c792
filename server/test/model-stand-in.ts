// An OpenAI-compatible server. It records every request.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface ModelRequest {
  url: string
  headers: IncomingHttpHeaders
  text: string
  body: { model: string; messages: { role: string; content: string }[] } & Record<string, unknown>
}

export interface ModelStandIn {
  baseUrl: string
  requests: ModelRequest[]
  reply: (response: ServerResponse, request: ModelRequest) => void
}

export function replyWith(content: unknown, more: object = {}): ModelStandIn['reply'] {
  const message = { role: 'assistant', content, ...more }
  return (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] }))
}

export async function startModelStandIn(): Promise<ModelStandIn> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const request = {
        url: incoming.url ?? '',
        headers: incoming.headers,
        text,
        body: JSON.parse(text) as ModelRequest['body'],
      }
      standIn.requests.push(request)
      standIn.reply(response, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const standIn: ModelStandIn = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    reply: replyWith('fine'),
  }
  return standIn
}

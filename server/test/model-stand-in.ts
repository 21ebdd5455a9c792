// An OpenAI-compatible server in tests: records every request and responds as set.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Asked {
  url: string
  headers: IncomingHttpHeaders
  text: string
  body: { model: string; messages: { role: string; content: string }[] } & Record<string, unknown>
}

export interface ModelStandIn {
  baseUrl: string
  asked: Asked[]
  /** May be replaced while it runs. */
  reply: (answer: ServerResponse, asked: Asked) => void
}

export function say(content: unknown, more: object = {}): ModelStandIn['reply'] {
  const message = { role: 'assistant', content, ...more }
  return (answer) =>
    answer
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] }))
}

export async function startModelStandIn(): Promise<ModelStandIn> {
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const asked = {
        url: request.url ?? '',
        headers: request.headers,
        text,
        body: JSON.parse(text) as Asked['body'],
      }
      standIn.asked.push(asked)
      standIn.reply(answer, asked)
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
    asked: [],
    reply: say('fine'),
  }
  return standIn
}

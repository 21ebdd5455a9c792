// A loopback server whose handler a test sets later. The service needs the address when the
// service starts, before the secrets that the handler uses exist.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Listener {
  url: string
  hostAndPort: string
  listener: RequestListener
}

export async function startListener(): Promise<Listener> {
  const one: Listener = {
    url: '',
    hostAndPort: '',
    listener: (_request, response) => response.writeHead(503).end(),
  }
  const server = createServer((request, response) => one.listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  one.hostAndPort = `127.0.0.1:${(server.address() as AddressInfo).port}`
  one.url = `http://${one.hostAndPort}/callback`
  return one
}

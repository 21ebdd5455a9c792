// A server on loopback that writes to raw sockets, so that the test defines every byte of a response. It can play the
// server of a merchant, for example.
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import type { TlsOptions } from 'node:tls'
import { until } from './until.ts'

export interface RawServer {
  port: number
  /** The number of TCP connections since the start, including those whose TLS handshake failed. */
  connects: number
  requests: string[]
  untilAllClosed(): Promise<void>
}

export type Reply = (socket: Socket, request: string) => void

export async function startRawServer(t: TestContext, reply: Reply, tls?: TlsOptions): Promise<RawServer> {
  const open = new Set<Socket>()
  const onSocket = (socket: Socket) => serve(socket, raw.requests, reply)
  const server: Server = tls === undefined ? createServer(onSocket) : createTlsServer(tls, onSocket)
  const raw: RawServer = {
    port: 0,
    connects: 0,
    requests: [],
    async untilAllClosed() {
      await until(() => open.size === 0, 'all connections are closed')
    },
  }
  server.on('connection', (socket: Socket) => {
    raw.connects++
    open.add(socket)
    // Connection resets are expected.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  raw.port = (server.address() as AddressInfo).port
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return raw
}

function serve(socket: Socket, requests: string[], reply: Reply): void {
  let pending = ''
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    pending += chunk.toString('latin1')
    for (;;) {
      const headEnd = pending.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const bodyLength = Number(/\r\ncontent-length: (\d+)/i.exec(pending)?.[1] ?? 0)
      const end = headEnd + 4 + bodyLength
      if (pending.length < end) return
      const request = pending.slice(0, end)
      pending = pending.slice(end)
      requests.push(request)
      reply(socket, request)
    }
  })
}

export function plainResponse(status: string, body = 'ok', ...headers: string[]): Reply {
  const head = [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers]
  return (socket) => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
}

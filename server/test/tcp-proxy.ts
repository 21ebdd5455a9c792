// A TCP proxy, usually in front of the database. It simulates faults of the server's host or network.
import { once } from 'node:events'
import { createServer, Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface TcpProxy {
  url: string
  /** From now on connections are accepted but get no response, and none is closed. */
  goSilent(): void
  /** Simulates a paused machine that resumes: the server gets what was sent during the pause. Also ends `drip`. */
  resume(): void
  /** Simulates a new host at the same address: only later connections are served. `url` can name another server. */
  replaceHost(url?: string): void
  /** Sends one byte at a time to the clients, until `resume`. */
  drip(everyMs: number): void
  reset(): void
  countOpen(): number
  /** The bytes that clients have sent since the last call, one text per connection, closed connections included. */
  readSent(): string[]
  close(): Promise<void>
}

interface Pipe {
  client: Socket
  server: Socket
  sent: Buffer[]
  /** The connection never gets a response again, because its host is gone. */
  isCut: boolean
  /** The connection was opened while no host responded. It is closed when a host responds again. */
  wasOpenedInSilence: boolean
}

function toTarget(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

// Why this is long: many short functions that share the state of one proxy.
export async function startTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const pipes = new Set<Pipe>()
  const sentByAll: Buffer[][] = []
  let target = toTarget(serverUrl)
  let isSilent = false
  let dripMs = 0

  function forward(pipe: Pipe): void {
    pipe.client.on('data', (bytes) => {
      if (pipe.server.pending && !pipe.server.connecting) pipe.server.connect(target)
      pipe.sent.push(bytes)
      pipe.server.write(bytes)
    })
    pipe.server.on('data', (bytes) => {
      if (dripMs === 0) pipe.client.write(bytes)
      else void dripTo(pipe, bytes)
    })
    pipe.client.on('close', () => {
      pipes.delete(pipe)
      pipe.server.end()
    })
    pipe.server.on('close', () => (pipe.isCut || isSilent ? undefined : pipe.client.destroy()))
    pipe.client.on('error', () => undefined)
    pipe.server.on('error', () => undefined)
  }

  async function dripTo(pipe: Pipe, bytes: Buffer): Promise<void> {
    pipe.server.pause()
    for (const byte of bytes) {
      if (pipe.client.destroyed) return
      pipe.client.write(Buffer.of(byte))
      await new Promise((resolve) => setTimeout(resolve, dripMs))
    }
    pipe.server.resume()
  }

  function silence({ client, server }: Pipe): void {
    client.pause()
    server.pause()
  }

  function closeUnserved(): void {
    for (const { client, wasOpenedInSilence } of pipes) if (wasOpenedInSilence) client.destroy()
  }

  const listener = createServer({ pauseOnConnect: true }, (client) => {
    const pipe: Pipe = { client, server: new Socket(), sent: [], isCut: false, wasOpenedInSilence: isSilent }
    pipes.add(pipe)
    sentByAll.push(pipe.sent)
    forward(pipe)
    if (isSilent) silence(pipe)
    else client.resume()
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String((listener.address() as AddressInfo).port)

  return {
    url: url.href,
    goSilent() {
      isSilent = true
      for (const pipe of pipes) silence(pipe)
    },
    resume() {
      isSilent = false
      dripMs = 0
      closeUnserved()
      for (const { client, server, isCut } of pipes) {
        if (isCut) continue
        // If the server closed the connection during the pause, the client's side is closed now.
        if (server.destroyed) client.destroy()
        client.resume()
        server.resume()
      }
    },
    replaceHost(other) {
      isSilent = false
      closeUnserved()
      if (other !== undefined) target = toTarget(other)
      for (const pipe of pipes) {
        pipe.isCut = true
        silence(pipe)
      }
    },
    drip(everyMs) {
      dripMs = everyMs
    },
    reset() {
      for (const { client, server } of pipes) {
        client.resetAndDestroy()
        server.destroy()
      }
    },
    countOpen: () => pipes.size,
    readSent: () => sentByAll.map((sent) => Buffer.concat(sent.splice(0)).toString('latin1')),
    async close() {
      for (const { client, server } of pipes) {
        client.destroy()
        server.destroy()
      }
      listener.close()
      await once(listener, 'close')
    },
  }
}

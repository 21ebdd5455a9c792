// A small load balancer. Each request goes to the next process whose /readyz responds with 200. A process that refuses the
// connection is skipped, but a request that may have arrived is not sent again.
import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * CHECK_EVERY_MS + CHECK_TIMEOUT_MS is less than DRAIN_SECONDS (releases.ts). So the balancer stops using a process before
 * that process ends.
 */
const CHECK_EVERY_MS = 250
const CHECK_TIMEOUT_MS = 2_000

export interface Balancer {
  url: string
  add(target: string): void
  remove(target: string): void
  close(): Promise<void>
}

async function isReady(target: string): Promise<boolean> {
  try {
    const response = await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    // The process does not listen, or hangs.
    return false
  }
}

/** True if the request got a response, or must not be sent again. */
function forward(req: IncomingMessage, res: ServerResponse, target: string, body: Buffer): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const { method = 'GET', headers } = req
  const out = request(`${target}${req.url}`, {
    method,
    agent: false,
    headers: { ...headers, connection: 'close' },
  })
  out.on('response', (response) => {
    res.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(res)
    response.on('end', () => resolve(true))
    response.on('error', () => {
      res.destroy()
      resolve(true)
    })
  })
  out.on('error', (error) => {
    if ('code' in error && error.code === 'ECONNREFUSED') return resolve(false)
    if (!res.headersSent) res.writeHead(502)
    res.end()
    resolve(true)
  })
  out.end(body)
  return promise
}

export async function startBalancer(port = 0): Promise<Balancer> {
  const ready = new Map<string, boolean>()
  let next = 0

  async function serveRequest(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const targets = [...ready].filter(([, isUp]) => isUp).map(([target]) => target)
    for (let attempts = 0; attempts < targets.length; attempts += 1) {
      next += 1
      if (await forward(req, res, targets[next % targets.length]!, body)) return
    }
    res.writeHead(503).end()
  }

  const server = createServer((req, res) => {
    // Fails if the client went away while its request was read.
    serveRequest(req, res).catch(() => res.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const check = async () => {
    await Promise.all(
      [...ready.keys()].map(async (target) => {
        const isUp = await isReady(target)
        if (ready.has(target)) ready.set(target, isUp)
      }),
    )
  }
  const timer = setInterval(() => void check(), CHECK_EVERY_MS)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (target) => void ready.set(target, true),
    remove: (target) => void ready.delete(target),
    async close() {
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

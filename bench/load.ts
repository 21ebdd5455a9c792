// Sends requests over keep-alive connections. Each connection has one request at a time. This file also reads the
// CPU time and memory of a process.
import { readFile } from 'node:fs/promises'
import { Pool } from 'undici'

export interface Request {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Returns the requests per second. */
export async function runLoad(
  origin: string,
  options: {
    connections: number
    requests: number
    makeRequest: (n: number) => Request
    expectedStatus: number
  },
): Promise<number> {
  const pool = new Pool(origin, { connections: options.connections, pipelining: 1 })
  let next = 0
  async function worker(): Promise<void> {
    while (next < options.requests) {
      const request = options.makeRequest(next)
      next += 1
      const response = await pool.request({
        method: request.method,
        path: request.path,
        headers: request.headers ?? {},
        body: request.body ?? null,
      })
      await response.body.dump()
      if (response.statusCode !== options.expectedStatus)
        throw new Error(`${request.path} responded with ${response.statusCode}`)
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: options.connections }, worker))
  const seconds = (performance.now() - startedMs) / 1000
  await pool.close()
  return options.requests / seconds
}

/** Linux counts processor time in ticks of 1/100 s (USER_HZ). */
export const TICKS_PER_SEC = 100

/** User and system time of a process. On a shared machine, this time varies less than throughput. Linux only. */
export async function readProcessCpuMicros(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [userTicks, systemTicks] = fields.slice(11, 13)
  return ((Number(userTicks) + Number(systemTicks)) / TICKS_PER_SEC) * 1e6
}

export async function readRssBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

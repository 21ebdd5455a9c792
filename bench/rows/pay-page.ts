// Rows 2 and 13 of the benchmark table: requests per second and size of the pay page.
import { gzipSync } from 'node:zlib'
import { buildPayUrl } from '@pazar/sdk'
import type { Setup } from '../setup.ts'
import { readProcessCpuMicros, runLoad } from '../load.ts'
import { toAbsoluteResult, compare } from '../measure.ts'
import type { Result } from '../measure.ts'
import { startProcess } from '../process.ts'

const CONNECTIONS = 32
const REQUESTS = 6_000

export async function benchPayPage(setup: Setup): Promise<Result[]> {
  const database = await setup.database('pay_page')
  const service = await database.service({ ROLE: 'web' })
  const link = buildPayUrl(service.origin, {
    amount: '1500',
    project: database.projectId,
    data: 'Kafa 1 kg',
    secret: database.liveSecret,
  })
  const path = link.slice(service.origin.length)
  const headers = { accept: 'text/html' }
  const page = await (await fetch(link, { headers })).text()
  const floor = await startProcess('bench/floors/pay-page.ts', 'ready', {
    DATABASE_URL: database.url,
    PROJECT_ID: database.projectId,
    BYTES: String(Buffer.byteLength(page)),
  })
  const run = (origin: string, at: string) =>
    runLoad(origin, {
      connections: CONNECTIONS,
      requests: REQUESTS,
      expectedStatus: 200,
      makeRequest: () => ({ method: 'GET', path: at, headers }),
    })
  const cpuBefore = await readProcessCpuMicros(service.pid)
  let sent = 0
  const result = await compare({
    name: '2 GET /pay, 32 connections',
    unit: 'requests/s',
    target: { kind: 'at least', must: 0.7, goal: 0.85 },
    rounds: 5,
    ours: () => {
      sent += REQUESTS
      return run(service.origin, path)
    },
    floor: () => run(floor.origin, '/'),
  })
  result.note = `${Math.round(((await readProcessCpuMicros(service.pid)) - cpuBefore) / sent)} µs CPU a request`
  const scripts = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, text = '']) => text)
    .join('')
  const requests =
    1 + [...page.matchAll(/(?:src|href)="(?!data:)([^"]+\.(?:css|js|png|svg|woff2?))"/g)].length
  await Promise.all([service.stop(), floor.stop()])
  await database.close()
  return [
    result,
    toAbsoluteResult({
      name: '13 /pay first view, gzip',
      unit: 'bytes',
      target: { kind: 'at most', must: 8192, goal: 4096 },
      values: [gzipSync(page).length],
    }),
    toAbsoluteResult({
      name: '13 /pay first view, requests',
      unit: 'requests',
      target: { kind: 'at most', must: 1, goal: 1 },
      values: [requests],
    }),
    toAbsoluteResult({
      name: '13 /pay first view, script, gzip',
      unit: 'bytes',
      target: { kind: 'at most', must: 1024, goal: 0 },
      values: [scripts ? gzipSync(scripts).length : 0],
    }),
  ]
}

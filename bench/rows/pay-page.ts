// Rows 2 and 13: the pay page, how often and how heavy.
import { gzipSync } from 'node:zlib'
import { buildPayUrl } from '@pazar/sdk'
import type { Ground } from '../ground.ts'
import { cpuMicros, drive } from '../load.ts'
import { absolute, duel } from '../measure.ts'
import type { Figure } from '../measure.ts'
import { startProcess } from '../process.ts'

const CONNECTIONS = 32
const REQUESTS = 6_000

export async function benchPayPage(ground: Ground): Promise<Figure[]> {
  const place = await ground.database('pay_page')
  const service = await place.service({ ROLE: 'web' })
  const link = buildPayUrl(service.origin, {
    amount: '1500',
    project: place.projectId,
    data: 'Kafa 1 kg',
    secret: place.liveSecret,
  })
  const path = link.slice(service.origin.length)
  const headers = { accept: 'text/html' }
  const page = await (await fetch(link, { headers })).text()
  const floor = await startProcess('bench/floors/pay-page.ts', 'ready', {
    DATABASE_URL: place.url,
    PROJECT_ID: place.projectId,
    BYTES: String(Buffer.byteLength(page)),
  })
  const run = (origin: string, at: string) =>
    drive(origin, {
      connections: CONNECTIONS,
      requests: REQUESTS,
      expect: 200,
      make: () => ({ method: 'GET', path: at, headers }),
    })
  const before = await cpuMicros(service.pid)
  let asked = 0
  const figure = await duel({
    name: '2 GET /pay, 32 connections',
    unit: 'requests/s',
    bar: { kind: 'at least', must: 0.6, goal: 0.85 },
    rounds: 5,
    ours: async () => {
      asked += REQUESTS
      return (await run(service.origin, path)).requestsPerSec
    },
    floor: async () => (await run(floor.origin, '/')).requestsPerSec,
  })
  figure.note = `${Math.round(((await cpuMicros(service.pid)) - before) / asked)} µs CPU a request`
  const scripts = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, text = '']) => text)
    .join('')
  const requests =
    1 + [...page.matchAll(/(?:src|href)="(?!data:)([^"]+\.(?:css|js|png|svg|woff2?))"/g)].length
  await Promise.all([service.stop(), floor.stop()])
  await place.close()
  return [
    figure,
    absolute({
      name: '13 /pay first view, gzip',
      unit: 'bytes',
      bar: { kind: 'at most', must: 8192, goal: 4096 },
      values: [gzipSync(page).length],
    }),
    absolute({
      name: '13 /pay first view, requests',
      unit: 'requests',
      bar: { kind: 'at most', must: 1, goal: 1 },
      values: [requests],
    }),
    absolute({
      name: '13 /pay first view, script, gzip',
      unit: 'bytes',
      bar: { kind: 'at most', must: 1024, goal: 0 },
      values: [scripts ? gzipSync(scripts).length : 0],
    }),
  ]
}

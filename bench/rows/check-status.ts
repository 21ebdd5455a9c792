// Rows 1 and 1b of the benchmark table: the signed status check with 100,000 transactions.
import { signStatusHash } from '@pazar/sdk'
import { seedPayments } from '../setup.ts'
import type { Setup } from '../setup.ts'
import { readProcessCpuMicros, runLoad } from '../load.ts'
import { compare } from '../measure.ts'
import type { Result } from '../measure.ts'
import { startProcess } from '../process.ts'
import type { RunningProcess } from '../process.ts'

const TRANSACTIONS = 100_000
const CONNECTIONS = 32
const REQUESTS = 6_000

export async function benchCheckStatus(setup: Setup): Promise<Result[]> {
  const database = await setup.database('check_status')
  await seedPayments(database, TRANSACTIONS)
  // 2,000 different transactions, spread over the whole table: 7,919 and 100,000 have no common factor.
  const bodies = Array.from({ length: 2_000 }, (_, n) => {
    const query = { projectId: database.projectId, customId: `order-${1 + ((n * 7_919) % TRANSACTIONS)}` }
    return JSON.stringify({ ...query, hash: signStatusHash(query, database.liveSecret) })
  })
  const service = await database.service({ ROLE: 'web' })
  const floor = await startProcess('bench/floors/check-status.ts', 'ready', { DATABASE_URL: database.url })
  const path = '/sdk/transaction/checkStatus'
  const headers = { 'content-type': 'application/json' }
  const run = (origin: string, path: string) =>
    runLoad(origin, {
      connections: CONNECTIONS,
      requests: REQUESTS,
      expectedStatus: 200,
      makeRequest: (n) => ({ method: 'POST', path, headers, body: bodies[n % bodies.length]! }),
    })
  const result = await compare({
    name: '1 checkStatus, 100k transactions, 32 connections',
    unit: 'requests/s',
    target: { kind: 'at least', must: 1, goal: 1.2 },
    rounds: 5,
    ours: () => run(service.origin, path),
    floor: () => run(floor.origin, '/'),
  })
  const response = await fetch(service.origin + path, { method: 'POST', headers, body: bodies[0]! })
  const bare = await startProcess('bench/floors/fixed-response.ts', 'ready', {
    RESPONSE: await response.text(),
  })
  const measureCpuMicros = async ({ pid, origin }: RunningProcess, path: string) => {
    const before = await readProcessCpuMicros(pid)
    await run(origin, path)
    return ((await readProcessCpuMicros(pid)) - before) / REQUESTS
  }
  const cpu = await compare({
    name: '1b checkStatus, CPU of the service, relative to bare node:http',
    unit: 'µs a request',
    target: { kind: 'at most', must: 4, goal: 2.5 },
    rounds: 5,
    ours: () => measureCpuMicros(service, path),
    floor: () => measureCpuMicros(bare, '/'),
  })
  await Promise.all([service.stop(), floor.stop(), bare.stop()])
  await database.close()
  return [result, cpu]
}
